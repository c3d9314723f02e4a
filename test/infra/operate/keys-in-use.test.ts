import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { apiKeyId } from '../../../lib/api-keys/api-key.ts';
import { expectError } from '../../support/expect-error.ts';
import { expectSentence } from '../../support/expect-sentence.ts';
import { givenLostUpdates } from '../../support/lost-responses.ts';
import { type Ended, operate, stopProcesses } from '../../support/processes.ts';
import { cartBody } from '../../support/service.ts';
import { givenStage, SERVICE_WITH_CLOCK, setClock, type TestStage } from '../../support/stage.ts';

const HOUR_MS = 3_600_000;
const ISO_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

/** What `--json` tells of a key. */
type KeyLine = Readonly<Record<string, unknown>> & {
  readonly apiKey: string;
  readonly keyId: string;
};

let stage: TestStage;

beforeAll(async () => {
  stage = await givenStage(undefined, SERVICE_WITH_CLOCK);
});

afterAll(stopProcesses);

beforeEach(() => setClock(stage, { offsetMs: 0 }));

/** Runs a command of keys on the test's stage. */
const keys = (...args: readonly string[]): Promise<Ended> =>
  operate('keys', ...args, '--dynamodb', stage.dynamodbEndpoint);

/** Runs one that succeeds and prints JSON. */
const keysJson = async <Result>(...args: readonly string[]): Promise<Result> => {
  const { exitCode, stdout, stderr } = await keys(...args, '--json');
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  return JSON.parse(stdout) as Result;
};

const issueKey = (...flags: readonly string[]): Promise<KeyLine> =>
  keysJson('issue', '--store', 'demo-store-one', ...flags);

const createCart = (apiKey: string) => stage.createCart(cartBody(stage.productId), { apiKey });

const listed = async (store: string): Promise<KeyLine[]> =>
  (await keysJson<{ keys: KeyLine[] }>('list', '--store', store)).keys;

describe('keys list', () => {
  test('tells all of a key but its text: limits, tokens left, last use, end', async () => {
    const store = `store-${randomUUID()}`;
    const flags = '--limit 3 --window 3600 --lang fr-FR --expires-in 2h'.split(' ');
    const { apiKey, keyId, createdAt } = await issueKey('--store', store, '--label', 'Web shop', ...flags);
    const startedAtMs = Date.now();
    await createCart(apiKey);

    const { exitCode, stdout } = await keys('list', '--store', store, '--json');

    expect(exitCode).toBe(0);
    expect(stdout).not.toContain('cck_');
    const [key] = (JSON.parse(stdout) as { keys: KeyLine[] }).keys;
    expect(key).toEqual({
      keyId,
      storeId: store,
      label: 'Web shop',
      mode: 'test',
      state: 'active',
      limit: 3,
      windowSeconds: 3_600,
      tokensLeft: 2,
      lang: 'fr-FR',
      createdAt,
      lastUsedAt: expect.stringMatching(ISO_TIME),
      expiresAt: new Date(Date.parse(String(createdAt)) + 2 * HOUR_MS).toISOString(),
    });
    expect(Date.parse(String(key?.['lastUsedAt']))).toBeGreaterThanOrEqual(startedAtMs);
  });

  test('tells used and unused, active, expired and revoked keys apart, the oldest first', async () => {
    const store = `store-${randomUUID()}`;
    const flags = ['--store', store];
    const expired = await keysJson<KeyLine>('issue', ...flags, '--expires-in', '1s');
    const revoked = await keysJson<KeyLine>('issue', ...flags);
    const active = await keysJson<KeyLine>('issue', ...flags);
    await keys('revoke', revoked.keyId);
    // A command takes part of a second to start, so this is no wait in practice.
    while (Date.now() < Date.parse(String(expired['expiresAt']))) await listed(store);

    expect(await listed(store)).toMatchObject([
      { keyId: expired.keyId, state: 'expired' },
      { keyId: revoked.keyId, state: 'revoked', revokedAt: expect.stringMatching(ISO_TIME) },
      { keyId: active.keyId, state: 'active' },
    ]);
    const { stdout } = await keys('list', ...flags);
    expect(stdout.match(/never/g)).toHaveLength(3);
  });

  test('without --store tells the keys of every store', async () => {
    const stores = (await keysJson<{ keys: KeyLine[] }>('list')).keys.map(({ storeId }) => storeId);
    expect(stores).toEqual(expect.arrayContaining(['demo-store-one', 'demo-store-two']));
  });

  test('shows a person a table without colours where there is no terminal', async () => {
    const { stdout } = await keys('list', '--store', 'demo-store-two');
    expect(stdout).toMatch(/^KEY ID +STORE +LABEL +MODE /);
    expect(stdout).toMatch(/^[0-9a-f]{64}  demo-store-two  demo +test +active +1000 per 60 s +\d+ +/m);
    expect(stdout).not.toContain('\u001b');
  });

  test('of a store without keys says so', async () => {
    expect(await listed('nobody')).toEqual([]);
    expect((await keys('list', '--store', 'nobody')).stdout).toMatch(/no such keys/);
  });
});

describe('keys rotate', () => {
  test('gives a key like the old one; both work during the overlap, then the new one alone', async () => {
    const old = await issueKey('--limit', '5', '--window', '30', '--lang', 'fr-FR', '--label', 'Web shop');
    const startedAtMs = Date.now();

    const rotated = await keysJson<KeyLine>('rotate', old.keyId, '--overlap', '1h');

    expect(rotated).toMatchObject({
      keyId: apiKeyId(rotated.apiKey),
      storeId: 'demo-store-one',
      mode: 'test',
      limit: 5,
      windowSeconds: 30,
      lang: 'fr-FR',
      label: 'Web shop',
      oldKeyId: old.keyId,
    });
    const oldEndsAtMs = Date.parse(String(rotated['oldKeyEndsAt']));
    expect(oldEndsAtMs).toBeGreaterThanOrEqual(startedAtMs + HOUR_MS);
    expect(oldEndsAtMs).toBeLessThanOrEqual(Date.now() + HOUR_MS);
    await setClock(stage, { standsAtMs: oldEndsAtMs - 1 });
    expect((await createCart(old.apiKey)).status).toBe(201);
    expect((await createCart(rotated.apiKey)).status).toBe(201);
    await setClock(stage, { standsAtMs: oldEndsAtMs });
    expectError(await createCart(old.apiKey), 'invalidApiKey');
    expect((await createCart(rotated.apiKey)).status).toBe(201);
  });

  test('has an overlap of a day unless told otherwise, and prints the moment the old key ends', async () => {
    const old = await issueKey();

    const { stdout } = await keys('rotate', old.keyId);

    const [, endsAt = ''] = /The old key works until (\S+); both work/.exec(stdout) ?? [];
    expect(Math.abs(Date.parse(endsAt) - Date.now() - 24 * HOUR_MS)).toBeLessThan(60_000);
    expect(stdout.match(/cck_test_[0-9A-Za-z]{38}/g)).toHaveLength(1);
  });

  test('--overlap 0s ends a key that leaked at once', async () => {
    const old = await issueKey();
    await keys('rotate', old.keyId, '--overlap', '0s');
    expectError(await createCart(old.apiKey), 'invalidApiKey');
  });

  test('of a key that ends within the overlap, as a rotated one does, issues another only with --yes', async () => {
    const store = `store-${randomUUID()}`;
    const old = await issueKey('--store', store);
    await keysJson('rotate', old.keyId, '--overlap', '1h');

    const refused = await keys('rotate', old.keyId);

    expect(refused.exitCode).toBe(2);
    expectSentence(refused, /ends at \S+ already.*--yes/);
    expect(await listed(store)).toHaveLength(2);
    expect((await keys('rotate', old.keyId, '--yes')).stdout).toMatch(/an end that it had already/);
    expect(await listed(store)).toHaveLength(3);
  });

  test('whose end of the old key is not answered shows the new key, and says that the end is unknown', async () => {
    const old = await issueKey();
    const endpoint = await givenLostUpdates(stage.dynamodbEndpoint);

    const ended = await operate(
      'keys',
      'rotate',
      old.keyId,
      '--overlap',
      '0s',
      '--json',
      '--dynamodb',
      endpoint,
    );

    expect(ended.exitCode).toBe(1);
    expect(ended.stderr).toMatch(
      /^Whether the old key \w{64} ends is unknown: keys list tells\.\nNo DynamoDB/,
    );
    const { apiKey, oldKeyId } = JSON.parse(ended.stdout) as KeyLine;
    expect(oldKeyId).toBe(old.keyId);
    expect((await createCart(apiKey)).status).toBe(201);
    expectError(await createCart(old.apiKey), 'invalidApiKey');
  });

  test('of a revoked key is refused in one sentence, and issues none', async () => {
    const store = `store-${randomUUID()}`;
    const old = await issueKey('--store', store);
    await keys('revoke', old.keyId);

    const ended = await keys('rotate', old.keyId);

    expect(ended.exitCode).toBe(1);
    expectSentence(ended, /revoked or expired/);
    expect(await listed(store)).toHaveLength(1);
  });
});

describe('keys set-limit', () => {
  test('holds from the next request on', async () => {
    const { apiKey, keyId } = await issueKey('--limit', '5', '--window', '3600');
    await setClock(stage, { standsAtMs: Date.now() });
    expect((await createCart(apiKey)).headers).toMatchObject({ 'x-ratelimit-remaining': '4' });

    const changed = await keysJson('set-limit', keyId, '--limit', '2', '--window', '1440');

    expect(changed).toEqual({ keyId, limit: 2, windowSeconds: 1_440 });
    const answer = await createCart(apiKey);
    expect(answer.headers).toMatchObject({ 'x-ratelimit-limit': '2', 'x-ratelimit-remaining': '0' });
    expectError(await createCart(apiKey), 'rateLimited');
  });

  test('tells a person what changed', async () => {
    const { keyId } = await issueKey('--limit', '5', '--window', '30');
    const { stdout } = await keys('set-limit', keyId, '--limit', '600', '--window', '60');
    expect(stdout).toMatch(/now has 600 requests per 60 s; before, it had 5 per 30 s/);
  });

  test('of an empty bucket leaves it empty', async () => {
    const { apiKey, keyId } = await issueKey('--limit', '2', '--window', '60');
    await setClock(stage, { standsAtMs: Date.now() });
    for (let i = 0; i < 2; i += 1) expect((await createCart(apiKey)).status).toBe(201);

    await keysJson('set-limit', keyId, '--limit', '2', '--window', '86400');

    expectError(await createCart(apiKey), 'rateLimited');
  });

  test('of a revoked key is refused in one sentence, before anybody is asked about it', async () => {
    const { keyId } = await issueKey('--mode', 'live', '--yes');
    await keys('revoke', keyId, '--yes');

    const ended = await keys('set-limit', keyId, '--limit', '5', '--window', '60');

    expect(ended.exitCode).toBe(1);
    expectSentence(ended, /revoked or expired/);
  });

  test('refuses what no key can have, with exit code 2', async () => {
    const { keyId } = await issueKey();
    const ended = await keys('set-limit', keyId, '--limit', '1001', '--window', '1');
    expect(ended.exitCode).toBe(2);
    expectSentence(ended, /1000 requests a second/);
  });
});

describe('a live key', () => {
  test.each([
    ['issued', () => ['issue', '--store', 'demo-store-one', '--mode', 'live']],
    ['revoked', (keyId: string) => ['revoke', keyId]],
    ['rotated', (keyId: string) => ['rotate', keyId]],
    ['given other limits', (keyId: string) => ['set-limit', keyId, '--limit', '1', '--window', '1']],
  ])('is not %s without a terminal to ask on, unless --yes is given', async (_what, argsOf) => {
    const store = `store-${randomUUID()}`;
    const { keyId } = await issueKey('--store', store, '--mode', 'live', '--yes');
    const before = await listed(store);

    const refused = await keys(...argsOf(keyId));

    expect(refused.exitCode).toBe(2);
    expectSentence(refused, /live key.*--yes/);
    expect(await listed(store)).toEqual(before);
    expect((await keys(...argsOf(keyId), '--yes')).exitCode).toBe(0);
  });
});

describe.each([
  ['rotate', []],
  ['set-limit', ['--limit', '1', '--window', '1']],
])('keys %s', (command, flags) => {
  test('of an unknown id is told in one sentence', async () => {
    const ended = await keys(command, '0'.repeat(64), ...flags);
    expect(ended.exitCode).toBe(1);
    expectSentence(ended, /No key/);
  });

  test('of an API key instead of its id is refused, and the key is not repeated', async () => {
    const { apiKey } = await issueKey();
    const ended = await keys(command, apiKey, ...flags);
    expect(ended.exitCode).toBe(1);
    expectSentence(ended, /key id/);
    expect(ended.stderr).not.toContain(apiKey);
  });
});
