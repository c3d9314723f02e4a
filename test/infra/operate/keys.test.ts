import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { startEmbeddedDynamodb } from '../../../infra/local/embedded-dynamodb.ts';
import { apiKeyId, generateApiKey } from '../../../lib/api-keys/api-key.ts';
import { givenDeadAddress, givenSilentAddress } from '../../support/addresses.ts';
import { expectError } from '../../support/expect-error.ts';
import { expectSentence } from '../../support/expect-sentence.ts';
import { cartIdOf } from '../../support/http-client.ts';
import { type Ended, operate, stopProcesses } from '../../support/processes.ts';
import { cartBody } from '../../support/service.ts';
import { givenStage, SERVICE_WITH_CLOCK, setClock, type TestStage } from '../../support/stage.ts';

const STORE_ID = 'demo-store-one';
const BOUND_MS = 10_000;

/** The line that `keys issue --json` prints. */
interface IssuedLine {
  readonly apiKey: string;
  readonly keyId: string;
}

let stage: TestStage;

beforeAll(async () => {
  stage = await givenStage(undefined, SERVICE_WITH_CLOCK);
});

afterAll(stopProcesses);

beforeEach(() => setClock(stage, { offsetMs: 0 }));

/** Runs a command on the test's stage. */
const onStage = (...args: readonly string[]): Promise<Ended> =>
  operate(...args, '--dynamodb', stage.dynamodbEndpoint);

const issueKey = async (...flags: readonly string[]): Promise<IssuedLine> => {
  const { exitCode, stdout } = await onStage('keys', 'issue', '--store', STORE_ID, '--json', ...flags);
  expect(exitCode).toBe(0);
  return JSON.parse(stdout) as IssuedLine;
};

const createCart = (apiKey: string) => stage.createCart(cartBody(stage.productId), { apiKey });

describe('keys issue', () => {
  test('--json prints one line that tells all about the key', async () => {
    const startedAtMs = Date.now();

    const flags = ['--store', 's', '--limit', '3', '--window', '3600', '--lang', 'fr-fr', '--json'];
    const { exitCode, stdout, stderr } = await onStage('keys', 'issue', ...flags);

    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toMatch(/^[^\n]+\n$/);
    const issued = JSON.parse(stdout) as Record<string, string>;
    expect(issued).toEqual({
      apiKey: expect.stringMatching(/^cck_test_[0-9A-Za-z]{38}$/),
      keyId: apiKeyId(issued['apiKey'] ?? ''),
      storeId: 's',
      mode: 'test',
      limit: 3,
      windowSeconds: 3_600,
      lang: 'fr-FR',
      createdAt: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/),
    });
    const createdAtMs = Date.parse(issued['createdAt'] ?? '');
    expect(createdAtMs).toBeGreaterThanOrEqual(startedAtMs);
    expect(createdAtMs).toBeLessThanOrEqual(Date.now());
  });

  test('the key works at once, with its limit and its locale', async () => {
    const { apiKey } = await issueKey('--limit', '3', '--window', '3600', '--lang', 'fr-fr');

    const created = await createCart(apiKey);

    expect(created).toMatchObject({ status: 201, body: { cart: { customerInfo: { lang: 'fr-FR' } } } });
    expect(created.headers).toMatchObject({ 'x-ratelimit-limit': '3', 'x-ratelimit-remaining': '2' });
    expect((await createCart(apiKey)).status).toBe(201);
    expect((await createCart(apiKey)).status).toBe(201);
    expectError(await createCart(apiKey), 'rateLimited');
  });

  test('without limits, a key has 60 requests in 60 seconds', async () => {
    const { stdout } = await onStage('keys', 'issue', '--store', STORE_ID, '--json');

    expect(JSON.parse(stdout)).toMatchObject({ limit: 60, windowSeconds: 60, mode: 'test' });
  });

  test("a live key makes live carts, which a test key of the same store cannot see, nor it that one's", async () => {
    const live = await issueKey('--mode', 'live', '--yes');
    const own = await issueKey('--mode', 'test');
    expect(live.apiKey).toMatch(/^cck_live_/);

    const liveCart = await createCart(live.apiKey);
    const testCart = await createCart(own.apiKey);

    expect((await stage.getCart(cartIdOf(liveCart), live)).status).toBe(200);
    expect((await stage.getCart(cartIdOf(testCart), own)).status).toBe(200);
    expectError(await stage.getCart(cartIdOf(liveCart), own), 'cartNotFound');
    expectError(await stage.getCart(cartIdOf(testCart), live), 'cartNotFound');
  });

  test('what a person reads shows the secret exactly once, and the key id', async () => {
    const { exitCode, stdout, stderr } = await onStage('keys', 'issue', '--store', STORE_ID);

    const secrets = [...stdout.matchAll(/cck_(?:test|live)_[0-9A-Za-z]{38}/g)].map(([apiKey]) => apiKey);
    expect({ exitCode, stderr, secrets: secrets.length }).toEqual({ exitCode: 0, stderr: '', secrets: 1 });
    expect(stdout).toContain(apiKeyId(secrets[0] ?? ''));
    expect((await createCart(secrets[0] ?? '')).status).toBe(201);
  });

  test.each([
    ['no request at all', ['--limit', '0']],
    ['fewer requests than none', ['--limit', '-1']],
    ['half a request', ['--limit', '1.5']],
    ['a limit in words', ['--limit', 'many']],
    ['more requests than one item takes', ['--limit', '1000001', '--window', '1']],
    ['no window', ['--window', '0']],
    ['a window longer than 30 days', ['--window', '2592001']],
  ])('refuses %s in one sentence, and issues nothing', async (_what, flags) => {
    const ended = await onStage('keys', 'issue', '--store', STORE_ID, ...flags);

    expect(ended.exitCode).toBeOneOf([1, 2]);
    expectSentence(ended, /limit|window/);
  });
});

describe('keys revoke', () => {
  test('makes the next request 401', async () => {
    const { apiKey, keyId } = await issueKey();
    expect((await createCart(apiKey)).status).toBe(201);

    const { exitCode, stdout, stderr } = await onStage('keys', 'revoke', keyId, '--json');

    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(JSON.parse(stdout)).toEqual({ keyId, revoked: true });
    expectError(await createCart(apiKey), 'invalidApiKey');
    expectError(await stage.getCart(randomUUID(), { apiKey }), 'invalidApiKey');
  });

  test('shows within a second on a key whose 429 is remembered', async () => {
    const { apiKey, keyId } = await issueKey('--limit', '1', '--window', '3600');
    const nowMs = Date.now();
    await setClock(stage, { standsAtMs: nowMs });
    expect((await createCart(apiKey)).status).toBe(201);
    expectError(await createCart(apiKey), 'rateLimited');

    expect((await onStage('keys', 'revoke', keyId)).exitCode).toBe(0);

    await setClock(stage, { standsAtMs: nowMs + 1_000 });
    expectError(await createCart(apiKey), 'invalidApiKey');
  });

  test('may be repeated', async () => {
    const { apiKey, keyId } = await issueKey();

    const outcomes = [await onStage('keys', 'revoke', keyId), await onStage('keys', 'revoke', keyId)];

    expect(outcomes.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
    expectError(await createCart(apiKey), 'invalidApiKey');
  });

  test('leaves the other keys of the store alone', async () => {
    const revoked = await issueKey();
    const kept = await issueKey();

    await onStage('keys', 'revoke', revoked.keyId);

    expect((await createCart(kept.apiKey)).status).toBe(201);
  });

  test('of an unknown id is told in one sentence, and makes no key of it', async () => {
    const apiKey = generateApiKey('test');

    const ended = await onStage('keys', 'revoke', apiKeyId(apiKey));

    expect(ended.exitCode).toBe(1);
    expectSentence(ended, /No key/);
    expectError(await createCart(apiKey), 'invalidApiKey');
  });

  test('of an API key instead of its id is refused, and the key is not repeated', async () => {
    const { apiKey } = await issueKey();

    const ended = await onStage('keys', 'revoke', apiKey);

    expect(ended.exitCode).toBe(1);
    expectSentence(ended, /key id/);
    expect(ended.stderr).not.toContain(apiKey);
    expect((await createCart(apiKey)).status).toBe(201);
  });
});

describe('a wrong command line ends with exit code 2 and one sentence', () => {
  test.each([
    ['an unknown command', /nonsense/, ['nonsense']],
    ['an unknown command of keys', /nonsense/, ['keys', 'nonsense']],
    ['an unknown flag', /--nonsense/, ['keys', 'issue', '--store', 's', '--nonsense']],
    ['no store', /--store/, ['keys', 'issue']],
    ['a store id with a slash', /--store/, ['keys', 'issue', '--store', 'a/b']],
    ['an unknown mode', /--mode/, ['keys', 'issue', '--store', 's', '--mode', 'both']],
    ['a lifetime without a unit', /--expires-in/, ['keys', 'issue', '--store', 's', '--expires-in', '90']],
    ['no lifetime', /--expires-in/, ['keys', 'issue', '--store', 's', '--expires-in', '0d']],
    ['a lifetime beyond reason', /--expires-in/, ['keys', 'issue', '--store', 's', '--expires-in', '3651d']],
    ['a label that moves the cursor', /--label/, ['keys', 'issue', '--store', 's', '--label', 'a\tb']],
    ['a label too long', /--label/, ['keys', 'issue', '--store', 's', '--label', 'x'.repeat(101)]],
    ['an overlap in words', /--overlap/, ['keys', 'rotate', '0'.repeat(64), '--overlap', 'soon']],
    ['no limit to set', /--limit/, ['keys', 'set-limit', '0'.repeat(64), '--window', '60']],
    ['no window to set', /--window/, ['keys', 'set-limit', '0'.repeat(64), '--limit', '60']],
    ['a language without a region', /--lang/, ['keys', 'issue', '--store', 's', '--lang', 'fr']],
    ['no key id', /keyId/, ['keys', 'revoke']],
  ])('%s', async (_what, words, args) => {
    const ended = await operate(...args);

    expect(ended.exitCode).toBe(2);
    expectSentence(ended, words);
  });

  test('an address that is none', async () => {
    const ended = await operate('keys', 'issue', '--store', 's', '--dynamodb', 'nonsense');

    expect(ended.exitCode).toBe(2);
    expectSentence(ended, /--dynamodb/);
  });
});

describe('a --dynamodb that is no DynamoDB is told in one sentence, in bounded time', () => {
  test.each<[string, () => Promise<string>]>([
    ['where nothing listens', givenDeadAddress],
    ['where nothing ever answers', givenSilentAddress],
    ["where the stage's API answers", async () => stage.baseUrl],
  ])('%s', { timeout: BOUND_MS }, async (_what, address) => {
    const ended = await operate('keys', 'issue', '--store', 's', '--dynamodb', await address());

    expect(ended.exitCode).toBe(1);
    expectSentence(ended, /DynamoDB/);
  });
});

test('a DynamoDB without the tables of this service is told in one sentence', async () => {
  const database = await startEmbeddedDynamodb({ data: 'memory' });
  onTestFinished(() => database.close());

  const ended = await operate('keys', 'issue', '--store', 's', '--dynamodb', database.endpoint);

  expect(ended.exitCode).toBe(1);
  expectSentence(ended, /no tables/);
});
