import { beforeEach, describe, expect, it } from 'vitest';
import { apiKeyId, generateApiKey } from '../../../lib/api-keys/api-key.ts';
import { type Authenticator, createAuthenticator } from '../../../lib/api-keys/authenticator.ts';
import { manualClock, type ManualClock } from '../../support/clock.ts';
import { givenStoredBuckets, type StoredBuckets } from '../../support/domain/bucket.ts';

const TWO_A_MINUTE = { limit: 2, windowSeconds: 60 };

let buckets: StoredBuckets;
let clock: ManualClock;
let authenticator: Authenticator;

beforeEach(async () => {
  buckets = await givenStoredBuckets();
  clock = manualClock();
  authenticator = createAuthenticator(buckets.bucket);
});

/** Authenticates a request, from memory if possible. */
const ask = async (keyId: string, by = authenticator) =>
  by.recallRejection(keyId, clock.now()) ?? by.authenticate(keyId, clock.now);

/** The outcome of a request and the database calls that it made. */
const outcomeOf = async (keyId: string, by = authenticator): Promise<[string, number]> => {
  const { result, calls } = await buckets.countCalls(() => ask(keyId, by));
  return [result.outcome, calls];
};

/** A key with both tokens taken. */
const givenExhaustedKey = async () => {
  const key = await buckets.givenKey(TWO_A_MINUTE);
  await ask(key.keyId);
  await ask(key.keyId);
  return key;
};

describe('a good key', () => {
  it('is admitted with its store, its mode and its remaining tokens', async () => {
    const { keyId } = await buckets.givenKey(TWO_A_MINUTE, { lang: 'fr-CA' });
    expect(await ask(keyId)).toMatchObject({
      outcome: 'authenticated',
      apiKey: { keyId, storeId: 'store-1', mode: 'test', lang: 'fr-CA' },
      // 12:30:00.250 and half a minute, rounded up.
      rateLimit: {
        limit: 2,
        remaining: 1,
        resetAtSeconds: Date.UTC(2026, 0, 15, 12, 30, 31) / 1_000,
        retryAfterSeconds: 0,
      },
    });
  });

  it('costs one call a request, busy or idle', async () => {
    const { keyId } = await buckets.givenKey(TWO_A_MINUTE);
    const seen = [];
    for (const pauseSeconds of [0, 0, 31, 3_600, 0]) {
      clock.advance(pauseSeconds);
      seen.push(await outcomeOf(keyId));
    }
    expect(seen).toStrictEqual(Array.from({ length: 5 }, () => ['authenticated', 1]));
  });
});

describe('an exhausted key', () => {
  it('is limited with its own limit and the wait until the next token, also from memory', async () => {
    const { keyId } = await givenExhaustedKey();
    const rateLimit = {
      limit: 2,
      remaining: 0,
      resetAtSeconds: Date.UTC(2026, 0, 15, 12, 31, 1) / 1_000,
      retryAfterSeconds: 30,
    };
    expect(await authenticator.authenticate(keyId, clock.now)).toStrictEqual({
      outcome: 'limited',
      keyId,
      storeId: 'store-1',
      rateLimit,
    });
    clock.advance(28.5);
    await authenticator.authenticate(keyId, clock.now);
    clock.advance(0.6);
    // The wait as it is now, not as it was.
    const later = { ...rateLimit, retryAfterSeconds: 1 };
    expect(authenticator.recallRejection(keyId, clock.now())).toStrictEqual({
      outcome: 'limited',
      keyId,
      storeId: 'store-1',
      rateLimit: later,
    });
  });

  it('shows a raised limit and a revocation within a second', async () => {
    const raised = await givenExhaustedKey();
    const revoked = await givenExhaustedKey();
    await buckets.changeLimits(raised, { limit: 2, windowSeconds: 1 });
    await buckets.change(raised, { tatMicros: clock.now() * 1_000 });
    await buckets.apiKeys.revoke(revoked.keyId, clock.now());
    clock.advance(1);
    expect(await outcomeOf(raised.keyId)).toStrictEqual(['authenticated', 2]);
    expect(await outcomeOf(revoked.keyId)).toStrictEqual(['unknown', 1]);
  });
});

describe('an unknown key', () => {
  it('is rejected without a call for less than five seconds, then admitted once it is issued', async () => {
    const keyText = generateApiKey('test');
    const keyId = apiKeyId(keyText);
    expect(authenticator.recallRejection(keyId, clock.now())).toBeUndefined();
    expect(await outcomeOf(keyId)).toStrictEqual(['unknown', 1]);
    const key = { storeId: 'store-1', mode: 'test', ...TWO_A_MINUTE } as const;
    await buckets.apiKeys.issue({ keyText, ...key, nowMs: 0 });
    clock.advance(4.999);
    expect(await outcomeOf(keyId)).toStrictEqual(['unknown', 0]);
    clock.advance(0.001);
    expect(await outcomeOf(keyId)).toStrictEqual(['authenticated', 1]);
  });

  it('looks like a revoked or an expired one', async () => {
    const revoked = await buckets.givenKey(TWO_A_MINUTE, { revokedAtMs: clock.now() });
    const expired = await buckets.givenKey(TWO_A_MINUTE, { expiresAtMs: clock.now() });
    for (const keyId of [apiKeyId(generateApiKey('test')), revoked.keyId, expired.keyId]) {
      const verdicts = [await ask(keyId), await ask(keyId)];
      expect(verdicts).toStrictEqual([{ outcome: 'unknown' }, { outcome: 'unknown' }]);
    }
  });
});
