import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { apiKeyId } from '../../../lib/api-keys/api-key.ts';
import { expectError } from '../../support/expect-error.ts';
import { expectFailure } from '../../support/expect-sentence.ts';
import { givenLostUpdates } from '../../support/lost-responses.ts';
import { givenOperatedService, type OperatedService } from '../../support/operate.ts';
import { cartBody, STORE_ID } from '../../support/service.ts';

const HOUR_MS = 3_600_000;

/** A new key in the JSON. */
interface KeyLine {
  readonly apiKey: string;
  readonly keyId: string;
  readonly oldKeyEndsAt?: string;
}

let stage: OperatedService;
let productId: string;

beforeAll(async () => {
  stage = await givenOperatedService();
  productId = await stage.givenProduct();
  return stage.close;
});

const issueKey = (...flags: readonly string[]): Promise<KeyLine> =>
  stage.runJson('keys', 'issue', '--store', STORE_ID, ...flags);

const rotate = (keyId: string, ...flags: readonly string[]): Promise<KeyLine> =>
  stage.runJson('keys', 'rotate', keyId, ...flags);

const createCart = (apiKey: string) => stage.createCart(cartBody(productId), { apiKey });

const countKeys = async (store: string): Promise<number> =>
  (await stage.runJson<{ keys: unknown[] }>('keys', 'list', '--store', store)).keys.length;

describe('keys rotate', () => {
  test('issues a key like the old one. Both work during the overlap, then only the new one', async () => {
    const old = await issueKey('--limit', '5', '--window', '30', '--lang', 'fr-FR', '--label', 'Web shop');
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
    expect((await createCart(old.apiKey)).status).toBe(201);
    expect((await createCart(rotated.apiKey)).status).toBe(201);
    stage.clock.advance(0.001);
    expectError(await createCart(old.apiKey), 'invalidApiKey');
    expect((await createCart(rotated.apiKey)).status).toBe(201);
  });

  test('has a default overlap of a day, and shows a person the end of the old key', async () => {
    const old = await issueKey();
    const { stdout } = await stage.run(['keys', 'rotate', old.keyId]);
    const end = new Date(stage.clock.now() + 24 * HOUR_MS).toISOString();
    expect(stdout).toContain(`Both keys work until the old one ends, at ${end}.\n`);
    expect(stdout.match(/cck_test_[0-9A-Za-z]{38}/g)).toHaveLength(1);
  });

  test('--overlap 0s ends a leaked key at once', async () => {
    const old = await issueKey();
    await rotate(old.keyId, '--overlap', '0s');
    expectError(await createCart(old.apiKey), 'invalidApiKey');
  });

  test('rotates a key that ends within the overlap only with --yes, and keeps its end', async () => {
    const store = `store-${randomUUID()}`;
    const old = await issueKey('--store', store);
    const { oldKeyEndsAt } = await rotate(old.keyId, '--overlap', '1h');
    expectFailure(await stage.run(['keys', 'rotate', old.keyId]), 2, /already ends at \S+:.*--yes/);
    expect(await countKeys(store)).toBe(2);
    const { stdout } = await stage.run(['keys', 'rotate', old.keyId, '--yes']);
    expect(stdout).toContain(`ends, at ${oldKeyEndsAt}, its earlier end.\n`);
    expect(await countKeys(store)).toBe(3);
  });

  test('shows the new key even if the end of the old key is unconfirmed', async () => {
    const old = await issueKey();
    const endpoint = await givenLostUpdates(stage.dynamodbEndpoint);
    const command = ['keys', 'rotate', old.keyId, '--overlap', '0s', '--json'];
    const environment = { AWS_ENDPOINT_URL_DYNAMODB: endpoint };
    const { exitCode, stdout, stderr } = await stage.run(command, { environment });
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^The end of the old key \w{64} is unconfirmed: .*keys list.*\nDynamoDB does not/);
    const { apiKey, ...fields } = JSON.parse(stdout) as KeyLine;
    expect(fields).toMatchObject({ oldKeyId: old.keyId });
    expect((await createCart(apiKey)).status).toBe(201);
    expectError(await createCart(old.apiKey), 'invalidApiKey');
  });

  test('rejects a revoked key, and issues none', async () => {
    const store = `store-${randomUUID()}`;
    const old = await issueKey('--store', store);
    await stage.run(['keys', 'revoke', old.keyId]);
    expectFailure(await stage.run(['keys', 'rotate', old.keyId]), 1, /revoked or expired/);
    expect(await countKeys(store)).toBe(1);
  });
});
