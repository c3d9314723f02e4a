import { describe, expect, it } from 'vitest';
import { apiKeyId, generateApiKey } from '../../../lib/api-keys/api-key.ts';
import { createAuthenticator } from '../../../lib/api-keys/authenticator.ts';
import type { StoredApiKey } from '../../../lib/api-keys/stored-api-key.ts';
import type { StoredBucket, TakeResult } from '../../../lib/api-keys/stored-bucket.ts';
import { manualClock } from '../../support/clock.ts';

const secret = generateApiKey('test');
const keyId = apiKeyId(secret);
const START_MS = manualClock().now();

/** Two a minute, of which one was taken at the start. */
const KEY: StoredApiKey = {
  keyId,
  storeId: 'store-1',
  mode: 'test',
  limit: 2,
  windowSeconds: 60,
  createdAtMs: 0,
  tatMicros: (START_MS + 30_000) * 1_000,
  emissionIntervalMicros: 30_000_000,
};

const failure = (name: string) => Object.assign(new Error('not for clients'), { name });

/** An environment whose database answers in turn as it is told; each answer takes some time. */
const given = (answers: readonly ((atMs: number) => TakeResult | Error)[], answerSeconds = 0) => {
  const clock = manualClock();
  let calls = 0;
  const bucket: StoredBucket = {
    take() {
      clock.advance(answerSeconds);
      const answer = answers[calls]?.(clock.now()) ?? new Error('No further answer');
      calls += 1;
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
    },
  };
  const authenticator = createAuthenticator({ bucket, now: clock.now });
  return {
    clock,
    authenticator,
    calls: () => calls,
    ask: async () => authenticator.recall(secret) ?? authenticator.admit(secret),
  };
};

const unusable = (): TakeResult => ({ outcome: 'unusable' });
const taken = (atMs: number): TakeResult => ({ outcome: 'taken', key: KEY, atMs });
const denied = (atMs: number): TakeResult => ({
  outcome: 'denied',
  key: { ...KEY, tatMicros: (START_MS + 60_000) * 1_000 },
  atMs,
});

describe('a hot key', () => {
  it.each(['ProvisionedThroughputExceededException', 'ThrottlingException', 'RequestLimitExceeded'])(
    "is denied by any item's limit where its own was never seen: %s",
    async (name) => {
      const { ask } = given([() => failure(name)]);
      expect(await ask()).toStrictEqual({
        outcome: 'limited',
        keyId,
        rateLimit: {
          limit: 1_000,
          remaining: 0,
          resetAtSeconds: Date.UTC(2026, 0, 15, 12, 30, 2) / 1_000,
          retryAfterSeconds: 1,
        },
      });
    },
  );

  it('is denied by its own limit, with nothing left of it, where that was seen', async () => {
    const { ask } = given([taken, () => failure('ThrottlingException')]);
    await ask();
    expect(await ask()).toStrictEqual({
      outcome: 'limited',
      keyId,
      rateLimit: {
        limit: 2,
        remaining: 0,
        resetAtSeconds: Date.UTC(2026, 0, 15, 12, 30, 31) / 1_000,
        retryAfterSeconds: 1,
      },
    });
  });

  it('is asked for again at the next request: a throttle is not remembered', async () => {
    const { ask, calls } = given([() => failure('ThrottlingException'), unusable]);
    await ask();
    expect(await ask()).toStrictEqual({ outcome: 'unknown' });
    expect(calls()).toBe(2);
  });
});

describe('any other failure', () => {
  it('is thrown on, and nothing is remembered', async () => {
    const { ask } = given([() => failure('InternalServerError'), unusable]);
    await expect(ask()).rejects.toMatchObject({ name: 'InternalServerError' });
    expect(await ask()).toStrictEqual({ outcome: 'unknown' });
  });
});

describe('a verdict of a slow database', () => {
  it('is told as of the time it is true at', async () => {
    const { ask } = given([denied], 3);
    // Three of the 30 seconds until the next token are over.
    expect(await ask()).toMatchObject({ rateLimit: { remaining: 0, retryAfterSeconds: 27 } });
  });

  it.each([
    ['denied', denied, 1],
    ['unusable', unusable, 5],
  ] as const)(
    'is believed from when it came, not from when it was asked for: %s',
    async (_, answer, seconds) => {
      const { ask, calls, clock } = given([answer, answer], 3);
      await ask();
      clock.advance(seconds - 0.001);
      await ask();
      expect(calls()).toBe(1);
      clock.advance(0.001);
      await ask();
      expect(calls()).toBe(2);
    },
  );
});

describe('the memory of an environment', () => {
  it('holds 10,000 keys: a flood of unknown ones makes it forget, not grow', async () => {
    const { authenticator, calls } = given(Array.from({ length: 10_002 }, () => unusable));
    const ask = async (key: string) => authenticator.recall(key) ?? authenticator.admit(key);
    for (let index = 0; index < 10_001; index += 1) await ask(`key-${index}`);
    expect(calls()).toBe(10_001);
    await ask('key-10000');
    await ask('key-1');
    expect(calls()).toBe(10_001);
    await ask('key-0');
    expect(calls()).toBe(10_002);
  });
});
