import { randomBytes, randomUUID } from 'node:crypto';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { apiKeyId, generateApiKey } from '../../../../lib/api-keys/api-key.ts';
import { expectError } from '../../../support/contract/expect-error.ts';
import { CHECKOUT_URLS, STORE_ID } from '../../../support/functions/dependencies.ts';
import { logged } from '../../../support/logs/log-lines.ts';
import { givenOperatedService } from '../../../support/operators/deployed-stage.ts';
import { expectFailure } from '../../../support/programs/expect-sentence.ts';

const API_KEY = /cck_(?:test|live)_[0-9A-Za-z]{38}/g;

const stage = await givenOperatedService();

afterAll(stage.close);

describe('keys issue', () => {
  test('--json prints all fields of the key, with the default limits', async () => {
    const issued = await stage.issueKey('--lang', 'fr-fr');
    expect(issued).toStrictEqual({
      apiKey: expect.stringMatching(/^cck_test_[0-9A-Za-z]{38}$/),
      keyId: apiKeyId(issued.apiKey),
      storeId: STORE_ID,
      mode: 'test',
      limit: 600,
      windowSeconds: 60,
      lang: 'fr-FR',
      createdAt: new Date(stage.clock.now()).toISOString(),
    });
  });

  test('issues a key that works at once, with its limit and its locale', async () => {
    const { apiKey } = await stage.issueKey('--limit', '2', '--window', '3600', '--lang', 'fr-fr');
    const created = await stage.order(apiKey);
    expect(created).toMatchObject({ status: 201, body: { cart: { customerInfo: { lang: 'fr-FR' } } } });
    expect(created.headers).toMatchObject({ 'x-ratelimit-limit': '2', 'x-ratelimit-remaining': '1' });
    expect((await stage.order(apiKey)).status).toBe(201);
    expectError(await stage.order(apiKey), 'rateLimited');
  });

  test('--mode live issues a key whose carts are live', async () => {
    const { apiKey } = await stage.issueKey('--mode', 'live', '--yes');
    expect(apiKey).toMatch(/^cck_live_/);
    expect((await stage.order(apiKey)).body['redirectUrl']).toMatch(`${CHECKOUT_URLS.live}/`);
  });

  test('issues no live key on a stage without protection, and issues test keys there', async () => {
    const outputs = { ...stage.outputs, Protected: 'false' };
    stage.cloudFormation.stacks.set('CartCheckout-one', { status: 'UPDATE_COMPLETE', outputs });
    const store = await stage.givenStore(`store-${randomUUID()}`);
    const issue = ['keys', 'issue', '--store', store];
    const sentence = /^The stage one has no protection yet: deploy it again without -c protected=false\./;
    expectFailure(await stage.run([...issue, '--mode', 'live', '--yes']), 1, sentence);
    expect(await stage.listKeys(store)).toStrictEqual([]);
    expect((await stage.run(issue)).exitCode).toBe(0);
    outputs.Protected = 'true';
    expect((await stage.run([...issue, '--mode', 'live', '--yes'])).exitCode).toBe(0);
  });

  test('shows a person the secret exactly once, and the key id', async () => {
    const { exitCode, stdout, stderr } = await stage.run(['keys', 'issue', '--store', STORE_ID]);
    const secrets = stdout.match(API_KEY) ?? [];
    expect({ exitCode, stderr, count: secrets.length }).toStrictEqual({ exitCode: 0, stderr: '', count: 1 });
    expect(stdout).toContain(apiKeyId(secrets[0] ?? ''));
    expect((await stage.order(secrets[0] ?? '')).status).toBe(201);
  });

  test.each([
    ['--limit', 'many'],
    ['--limit', '1000001', '--window', '1'],
    ['--window', '0'],
  ])('rejects %s %s %s %s, and issues nothing', async (...flags) => {
    const store = await stage.givenStore(`store-${randomUUID()}`);
    expectFailure(await stage.run(['keys', 'issue', '--store', store, ...flags]), 2, /limit|window/);
    expect(await stage.listKeys(store)).toStrictEqual([]);
  });
});

describe('the largest limits of a key', () => {
  /** The stage of a branch, with 100 requests a second. */
  const bound = (): void => {
    const outputs = { ...stage.outputs, KeyRequestsPerSecondMax: '20', KeyRequestsAtOnceMax: '100' };
    stage.cloudFormation.stacks.set('CartCheckout-one', { status: 'UPDATE_COMPLETE', outputs });
    onTestFinished(() => {
      stage.cloudFormation.stacks.set('CartCheckout-one', {
        status: 'UPDATE_COMPLETE',
        outputs: stage.outputs,
      });
    });
  };

  test.each([
    ['21', '1', /A key can serve at most 20 requests a second/],
    ['101', '60', /A key can serve at most 100 requests at once on this stage/],
  ])('are a part of its stage: %s per %s s is rejected', async (limit, window, words) => {
    const { keyId } = await stage.issueKey();
    bound();
    const limits = ['--limit', limit, '--window', window];
    expectFailure(await stage.run(['keys', 'issue', '--store', STORE_ID, ...limits]), 1, words);
    expectFailure(await stage.run(['keys', 'set-limit', keyId, ...limits]), 1, words);
  });

  test('lower the default limit of a new key', async () => {
    bound();
    expect(await stage.issueKey()).toMatchObject({ limit: 100, windowSeconds: 60 });
    expect(await stage.issueKey('--window', '2')).toMatchObject({ limit: 40, windowSeconds: 2 });
  });

  test('allow a fifth of the rate and half of the burst', async () => {
    bound();
    const { keyId } = await stage.issueKey('--limit', '100', '--window', '5');
    expect(await stage.runJson('keys', 'set-limit', keyId, '--limit', '20', '--window', '1')).toMatchObject({
      limit: 20,
    });
  });

  test('do not stop a key of before: it works, rotates, and the list names it', async () => {
    const store = `store-${randomUUID()}`;
    const apiKey = await stage.givenKey({ storeId: store, limit: 1_000, windowSeconds: 1 });
    const keyId = apiKeyId(apiKey);
    bound();
    expect((await stage.getCart(randomUUID(), { apiKey })).status).toBe(404);
    const excess = `The key ${keyId} has 1,000 requests per 1 s. This stage now allows a key 20 a second and 100 at once`;
    expect((await stage.run(['keys', 'list', '--store', store])).stdout).toContain(excess);
    expect(await stage.runJson('keys', 'list', '--store', store)).toMatchObject({ aboveMax: [keyId] });
    const rotated = await stage.run(['keys', 'rotate', keyId, '--overlap', '0s', '--json']);
    expect(rotated).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('1,000 requests per 1 s') });
    expect(JSON.parse(rotated.stdout)).toMatchObject({ oldKeyId: keyId, limit: 1_000 });
  });
});

describe('keys set-limit', () => {
  test('applies from the next request', async () => {
    const { apiKey, keyId } = await stage.issueKey('--limit', '5', '--window', '3600');
    expect((await stage.order(apiKey)).headers).toMatchObject({ 'x-ratelimit-remaining': '4' });
    const changed = await stage.runJson('keys', 'set-limit', keyId, '--limit', '2', '--window', '1440');
    expect(changed).toStrictEqual({ keyId, limit: 2, windowSeconds: 1_440 });
    const { headers } = await stage.order(apiKey);
    expect(headers).toMatchObject({ 'x-ratelimit-limit': '2', 'x-ratelimit-remaining': '0' });
    expectError(await stage.order(apiKey), 'rateLimited');
  });

  test('shows a person the new and the old limit', async () => {
    const { keyId } = await stage.issueKey('--limit', '5', '--window', '30');
    const { stdout } = await stage.run(['keys', 'set-limit', keyId, '--limit', '600', '--window', '60']);
    expect(stdout).toMatch(/now has 600 requests per 60 s\. Before, it had 5 per 30 s/);
  });

  test('rejects a revoked key before it asks for a confirmation', async () => {
    const { keyId } = await stage.issueKey('--mode', 'live', '--yes');
    await stage.run(['keys', 'revoke', keyId, '--yes']);
    const ended = await stage.run(['keys', 'set-limit', keyId, '--limit', '5', '--window', '60']);
    expectFailure(ended, 1, /revoked or expired/);
  });
});

describe('keys refill', () => {
  test('lets a limited key continue with all of its tokens, and shows its limit', async () => {
    const { apiKey, keyId } = await stage.issueKey('--limit', '2', '--window', '3600');
    for (let taken = 0; taken < 2; taken += 1) await stage.order(apiKey);
    expectError(await stage.order(apiKey), 'rateLimited');
    const refilled = await stage.runJson('keys', 'refill', keyId);
    expect(refilled).toStrictEqual({ keyId, refilled: true, tokensLeft: 2 });
    stage.clock.advance(1);
    expect((await stage.order(apiKey)).headers).toMatchObject({ 'x-ratelimit-remaining': '1' });
    const { stdout } = await stage.run(['keys', 'refill', keyId]);
    expect(stdout).toContain('is full again. The limit stays 2 requests per 3600 s');
  });
});

const putKey = (item: Record<string, unknown>) =>
  stage.documents.send(new PutCommand({ TableName: stage.tableNames.apiKeys, Item: item }));

describe.each([
  ['revoke', []],
  ['refill', []],
  ['rotate', []],
  ['set-limit', ['--limit', '1', '--window', '1']],
])('keys %s', (command, flags) => {
  test('reports an unknown id, and does not create that key', async () => {
    const apiKey = generateApiKey('test');
    expectFailure(await stage.run(['keys', command, apiKeyId(apiKey), ...flags]), 1, /No key/);
    expectError(await stage.order(apiKey), 'invalidApiKey');
  });

  test('takes the beginning of an id, and rejects an ambiguous one', async () => {
    const common = randomBytes(5).toString('hex');
    const [meant, other] = ['0', '1'].map((digit) => `${common}${digit}`.padEnd(64, 'a')) as [string, string];
    const { apiKey } = await stage.issueKey();
    const before = (await stage.apiKeys.find(apiKeyId(apiKey)))?.key;
    const within = `f${common}0`.padEnd(64, 'a');
    for (const keyId of [meant, other, within]) await putKey({ ...before, keyId });
    const run = (prefix: string) => stage.run(['keys', command, prefix, ...flags]);

    expectFailure(await run(common), 1, new RegExp(`^2 keys have an id that begins with ${common}: `));
    expectFailure(await run(`${common}2`), 1, new RegExp(`No key has an id that begins with ${common}2`));
    expect((await stage.apiKeys.find(meant))?.key).toStrictEqual({ ...before, keyId: meant });

    const changed = await stage.runJson('keys', command, `${common}0`, ...flags);
    expect(Object.values(changed)).toContain(meant);
    expect((await stage.apiKeys.find(other))?.key).toStrictEqual({ ...before, keyId: other });
  });

  test('takes the key id of a log line, also in upper case and with spaces', async () => {
    const { apiKey, keyId } = await stage.issueKey();
    const [line] = await logged(() => stage.order(apiKey));
    const pasted = ` ${String(line?.['keyId']).toUpperCase()} `;
    const changed = await stage.runJson('keys', command, pasted, ...flags);
    expect(Object.values(changed)).toContain(keyId);
  });

  test('rejects an API key in place of its id, without repeating it', async () => {
    const { apiKey } = await stage.issueKey();
    const ended = await stage.run(['keys', command, apiKey, ...flags]);
    expectFailure(ended, 2, /key id/);
    expect(ended.stderr).not.toContain(apiKey);
    expect((await stage.order(apiKey)).status).toBe(201);
  });
});

describe('a live key', () => {
  beforeAll(async () => {
    await stage.givenStore('asked');
  });

  const issueLive = (typed: string, ...flags: readonly string[]) =>
    stage.run(['keys', 'issue', '--store', 'asked', '--mode', 'live', ...flags], { typed });

  test.each(['yes\n', 'YES\n', ' yes \n'])('is issued once the operator types %j', async (typed) => {
    const { exitCode, stdout, stderr } = await issueLive(typed);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(API_KEY);
    expect(stderr).toContain(
      'Issuing a live key for asked on the stage one (eu-west-1, account 123456789012). Type yes to continue:',
    );
  });

  test.each(['no\n', 'y\n', '\n', ''])('is not issued if the operator types %j', async (typed) => {
    const before = await stage.listKeys('asked');
    const { exitCode, stdout, stderr } = await issueLive(typed);
    expect({ exitCode, stdout }).toStrictEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toMatch(/Not confirmed: nothing was changed\.\n$/);
    expect(await stage.listKeys('asked')).toStrictEqual(before);
  });

  test('is issued without a question with --yes, and a test key always', async () => {
    expect(await issueLive('no\n', '--yes')).toMatchObject({ exitCode: 0, stderr: '' });
    const issueTest = ['keys', 'issue', '--store', 'asked'];
    expect(await stage.run(issueTest, { typed: 'no\n' })).toMatchObject({ exitCode: 0, stderr: '' });
  });
});
