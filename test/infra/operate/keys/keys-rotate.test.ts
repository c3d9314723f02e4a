import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { apiKeyId } from '../../../../lib/api-keys/api-key.ts';
import { expectError } from '../../../support/contract/expect-error.ts';
import { startDynamodbProxy } from '../../../support/database/dynamodb-proxy.ts';
import { givenOperatedService, type KeyLine } from '../../../support/operators/deployed-stage.ts';
import { expectFailure, saidIn } from '../../../support/programs/expect-sentence.ts';

const HOUR_MS = 3_600_000;

const stage = await givenOperatedService();

afterAll(stage.close);

const rotate = (keyId: string, ...flags: readonly string[]): Promise<KeyLine> =>
  stage.runJson('keys', 'rotate', keyId, ...flags);

describe('keys rotate', () => {
  test('issues a key like the old one. Both work during the overlap, then only the new one', async () => {
    const old = await stage.issueKey(
      '--limit',
      '5',
      '--window',
      '30',
      '--lang',
      'fr-FR',
      '--label',
      'Web shop',
    );
    const endsAtMs = stage.clock.now() + HOUR_MS;
    const rotated = await rotate(old.keyId, '--overlap', '1h');
    expect(rotated).toStrictEqual({
      ...old,
      apiKey: rotated.apiKey,
      keyId: apiKeyId(rotated.apiKey),
      oldKeyId: old.keyId,
      oldKeyEndsAt: new Date(endsAtMs).toISOString(),
    });
    stage.clock.advance((HOUR_MS - 1) / 1_000);
    expect((await stage.order(old.apiKey)).status).toBe(201);
    expect((await stage.order(rotated.apiKey)).status).toBe(201);
    stage.clock.advance(0.001);
    expectError(await stage.order(old.apiKey), 'invalidApiKey');
    expect((await stage.order(rotated.apiKey)).status).toBe(201);
  });

  test('has a default overlap of a day, and shows a person the end of the old key', async () => {
    const old = await stage.issueKey();
    const { stdout } = await stage.run(['keys', 'rotate', old.keyId]);
    const end = new Date(stage.clock.now() + 24 * HOUR_MS).toISOString();
    expect(stdout).toContain(`Both keys work until the old one ends, at ${end}.\n`);
    expect(stdout.match(/cck_test_[0-9A-Za-z]{38}/g)).toHaveLength(1);
  });

  test('--overlap 0s ends a leaked key at once', async () => {
    const old = await stage.issueKey();
    await rotate(old.keyId, '--overlap', '0s');
    expectError(await stage.order(old.apiKey), 'invalidApiKey');
  });

  test('rotates a key that ends within the overlap only with --yes, and keeps its end', async () => {
    const store = `store-${randomUUID()}`;
    const old = await stage.issueKey('--store', store);
    const { oldKeyEndsAt } = await rotate(old.keyId, '--overlap', '1h');
    expectFailure(await stage.run(['keys', 'rotate', old.keyId]), 2, /already ends at \S+:.*--yes/);
    expect(await stage.listKeys(store)).toHaveLength(2);
    const { stdout } = await stage.run(['keys', 'rotate', old.keyId, '--yes']);
    expect(stdout).toContain(`ends, at ${String(oldKeyEndsAt)}.\n`);
    expect(await stage.listKeys(store)).toHaveLength(3);
  });

  test('shows the new key even if the end of the old key is unconfirmed', async () => {
    const old = await stage.issueKey();
    const proxy = await startDynamodbProxy(stage.dynamodbEndpoint, {
      fault: { fateOf: ({ operation }) => (operation === 'UpdateItem' ? 'lost' : 'forwarded') },
    });
    onTestFinished(() => proxy.close());
    const command = ['keys', 'rotate', old.keyId, '--overlap', '0s', '--json'];
    const environment = { AWS_ENDPOINT_URL_DYNAMODB: proxy.endpoint };
    const { exitCode, stdout, stderr } = await stage.run(command, { environment });
    expect(exitCode).toBe(1);
    expect(saidIn(stderr)).toMatch(
      /^The end of the old key \w{64} is unconfirmed: .*keys list.*\nDynamoDB does not/,
    );
    const { apiKey, ...fields } = JSON.parse(stdout) as KeyLine;
    expect(fields).toMatchObject({ oldKeyId: old.keyId });
    expect((await stage.order(apiKey)).status).toBe(201);
    expectError(await stage.order(old.apiKey), 'invalidApiKey');
  });

  test('rejects a revoked key, and issues none', async () => {
    const store = `store-${randomUUID()}`;
    const old = await stage.issueKey('--store', store);
    await stage.run(['keys', 'revoke', old.keyId]);
    expectFailure(await stage.run(['keys', 'rotate', old.keyId]), 1, /revoked or expired/);
    expect(await stage.listKeys(store)).toHaveLength(1);
  });
});
