import { describe, expect, it } from 'vitest';
import { apiKeyId, generateApiKey } from '../../../lib/api-keys/api-key.ts';
import { createAuthenticator } from '../../../lib/api-keys/authenticator.ts';
import type { StoredBucket } from '../../../lib/api-keys/stored-bucket.ts';
import type { TakeResult } from '../../../lib/api-keys/take-verdict.ts';
import { manualClock, NOW_MS } from '../../support/clock.ts';
import { storedKey } from '../../support/domain/bucket.ts';
import { ITEM_THROTTLES, TABLE_THROTTLES } from '../../support/service/faulty-service.ts';

const keyId = apiKeyId(generateApiKey('test'));

/** Two tokens a minute, of which one was taken now. */
const ONE_LEFT = { limit: 2, windowSeconds: 60, tatMicros: (NOW_MS + 30_000) * 1_000 };
const EMPTY = { ...ONE_LEFT, tatMicros: (NOW_MS + 60_000) * 1_000 };

type Result = (atMs: number) => TakeResult | Error;

const failure = (name: string) => Object.assign(new Error('not for clients'), { name });
const unusable: Result = () => ({ outcome: 'unknown' });
const taken: Result = (atMs) => ({ outcome: 'taken', key: storedKey(ONE_LEFT), atMs });
const denied: Result = (atMs) => ({ outcome: 'limited', key: storedKey(EMPTY), atMs });

/** An environment whose database returns these results in turn, each after some time. */
const given = (results: readonly Result[], callSeconds = 0) => {
  const clock = manualClock();
  let calls = 0;
  const bucket: StoredBucket = {
    take() {
      clock.advance(callSeconds);
      const result = results[calls]?.(clock.now()) ?? new Error('No further result');
      calls += 1;
      return result instanceof Error ? Promise.reject(result) : Promise.resolve(result);
    },
  };
  const authenticator = createAuthenticator(bucket);
  return {
    clock,
    calls: () => calls,
    ask: async (key = keyId) =>
      authenticator.recallRejection(key, clock.now()) ?? authenticator.authenticate(key, clock.now),
  };
};

describe('a throttled key', () => {
  it.each<[string, Result[], storeId: string | undefined, limit: number, resetSecond: number]>([
    ["any item's limit if its own was never seen", [], undefined, 1_000, 2],
    ['its own limit if that was seen', [taken], 'store-1', 2, 31],
  ])('is limited by %s', async (_, before, storeId, limit, resetSecond) => {
    const { ask } = given([...before, ITEM_THROTTLES['hot item']]);
    for (let index = 0; index < before.length; index += 1) await ask();
    const resetAtSeconds = Date.UTC(2026, 0, 15, 12, 30, resetSecond) / 1_000;
    const rateLimit = { limit, remaining: 0, resetAtSeconds, retryAfterSeconds: 1 };
    expect(await ask()).toStrictEqual({ outcome: 'limited', keyId, storeId, rateLimit, isThrottled: true });
  });
});

describe('a failure', () => {
  it('is never remembered; it is thrown unless only the item is throttled', async () => {
    const { ask } = given([
      ITEM_THROTTLES['hot item'],
      TABLE_THROTTLES['throttled table'],
      () => failure('InternalServerError'),
      unusable,
    ]);
    expect(await ask()).toMatchObject({ outcome: 'limited' });
    await expect(ask()).rejects.toMatchObject({ name: 'ThrottlingException' });
    await expect(ask()).rejects.toMatchObject({ name: 'InternalServerError' });
    expect(await ask()).toStrictEqual({ outcome: 'unknown' });
  });
});

describe('the verdict of a slow database', () => {
  it('reports the wait that is left when it arrives', async () => {
    const { ask } = given([denied], 3);
    // Three of the 30 seconds until the next token are over.
    expect(await ask()).toMatchObject({ rateLimit: { remaining: 0, retryAfterSeconds: 27 } });
  });

  it.each([
    ['limited', denied, 1],
    ['unknown', unusable, 5],
  ] as const)('is remembered from its arrival on: %s', async (_, result, seconds) => {
    const { ask, calls, clock } = given([result, result], 3);
    await ask();
    clock.advance(seconds - 0.001);
    await ask();
    expect(calls()).toBe(1);
    clock.advance(0.001);
    await ask();
    expect(calls()).toBe(2);
  });
});
