import { describe, expect, it } from 'vitest';
import type { StoredApiKey } from '../../../lib/api-keys/stored-api-key.ts';
import type { BucketLimits } from '../../../lib/token-bucket/token-bucket.ts';
import { NOW_MS } from '../../support/clock.ts';
import { beforeCalls } from '../../support/database/client-calls.ts';
import { loseResponses } from '../../support/database/lose-responses.ts';
import { type GivenKey, givenStoredBuckets, type StoredBuckets } from '../../support/domain/bucket.ts';

const NOW_MICROS = NOW_MS * 1_000;
const UNKNOWN_KEY = { keyText: '', keyId: '0'.repeat(64) };
const LIMITS = { limit: 60, windowSeconds: 60 };

const buckets = await givenStoredBuckets();

const setLimits = ({ keyId }: GivenKey, limits: BucketLimits, nowMs = NOW_MS) =>
  buckets.apiKeys.setLimits(keyId, limits, nowMs);

describe('new limits', () => {
  it('are stored with the emission interval that follows from them', async () => {
    const key = await buckets.givenKey(LIMITS);
    const result = await setLimits(key, { limit: 7, windowSeconds: 60 });
    expect(result).toStrictEqual(await buckets.stored(key));
    expect(result).toMatchObject({ limit: 7, windowSeconds: 60, emissionIntervalMicros: 8_571_429 });
  });

  // `token-bucket.property.test.ts` has the rule for any bucket and any limits.
  it('keep the taken tokens taken', async () => {
    const key = await buckets.givenKey(LIMITS, { tatMicros: NOW_MICROS + 30_000_000 });
    const changed = await setLimits(key, { limit: 40, windowSeconds: 3_600 });
    // 30 tokens: each returns in 90 s, and no longer in 1 s.
    expect(changed).toMatchObject({ tatMicros: NOW_MICROS + 2_700_000_000 });
  });

  it('empty a bucket that a wrong clock has moved, whatever its last use', async () => {
    const nextYearMs = NOW_MS + 365 * 86_400_000;
    const poisoned = { tatMicros: nextYearMs * 1_000, lastUsedAtMs: nextYearMs, busySinceMs: nextYearMs };
    const key = await buckets.givenKey(LIMITS, poisoned);
    const emptied = { tatMicros: NOW_MICROS + 60_000_000, busySinceMs: NOW_MS };
    expect(await setLimits(key, { limit: 5, windowSeconds: 60 })).toMatchObject(emptied);
  });

  it.each<[string, Partial<StoredApiKey> | undefined]>([
    ['revoked', { revokedAtMs: NOW_MS - 1 }],
    ['expired', { expiresAtMs: NOW_MS }],
    ['unknown', undefined],
  ])('are not given to a key that is %s', async (_, changes) => {
    const key = changes ? await buckets.givenKey(LIMITS, changes) : UNKNOWN_KEY;
    const before = await buckets.stored(key);
    expect(await setLimits(key, { limit: 1, windowSeconds: 1 })).toBeUndefined();
    expect(await buckets.stored(key)).toStrictEqual(before);
  });

  /** A key that another writer changes just before each attempt to set its limits. */
  const givenRace = async (
    change: (race: StoredBuckets, key: GivenKey, attempt: number) => Promise<unknown>,
  ) => {
    const race = await givenStoredBuckets();
    const key = await race.givenKey(LIMITS);
    let attempts = 0;
    beforeCalls(race.documents, (input) => {
      const isAttempt = JSON.stringify(input).includes(':emissionIntervalMicros');
      return isAttempt && change(race, key, (attempts += 1));
    });
    const result = await race.apiKeys.setLimits(key.keyId, { limit: 7, windowSeconds: 70 }, NOW_MS);
    return { result, attempts, stored: await race.stored(key) };
  };

  it.each<[string, Parameters<typeof givenRace>[0]]>([
    ['a token is taken', (race, { keyId }) => race.bucket.take({ keyId, now: () => NOW_MS })],
    ['another limit is set', (race, key, attempt) => race.change(key, { limit: 100 + attempt })],
    ['another window is set', (race, key, attempt) => race.change(key, { windowSeconds: 100 + attempt })],
  ])('are set even if %s before every attempt: the last one empties the bucket', async (_, change) => {
    const { result, attempts, stored } = await givenRace(change);
    expect(result).toMatchObject({ limit: 7, windowSeconds: 70, tatMicros: NOW_MICROS + 70_000_000 });
    expect(result).toStrictEqual(stored);
    expect(attempts).toBe(4);
  });

  it('are not given to a key that is revoked before the last attempt', async () => {
    const { result, stored } = await givenRace((race, key, attempt) =>
      race.change(key, attempt < 4 ? { limit: 100 + attempt } : { revokedAtMs: NOW_MS }),
    );
    expect(result).toBeUndefined();
    expect(stored).toMatchObject({ limit: 103, revokedAtMs: NOW_MS });
  });

  it('are set once if the response is lost', async () => {
    const own = await givenStoredBuckets();
    const key = await own.givenKey(LIMITS, { tatMicros: NOW_MICROS + 10_000_000, lastUsedAtMs: NOW_MS });
    loseResponses(own.documents, 1);
    await own.apiKeys.setLimits(key.keyId, { limit: 30, windowSeconds: 300 }, NOW_MS);
    expect(await own.stored(key)).toMatchObject({ limit: 30, tatMicros: NOW_MICROS + 100_000_000 });
  });
});

describe('a refill', () => {
  it.each([
    ['an empty bucket', NOW_MICROS + 60_000_000],
    ['a poisoned bucket', NOW_MICROS + 86_400_000_000],
  ])('fills %s, at any time', async (_, tatMicros) => {
    const key = await buckets.givenKey(LIMITS, { tatMicros });
    expect(await buckets.apiKeys.refill(key.keyId, NOW_MS)).toMatchObject({ keyId: key.keyId, tatMicros: 0 });
    const taking = buckets.bucket.take({ keyId: key.keyId, now: () => 0 });
    expect(await taking).toMatchObject({ outcome: 'taken' });
  });

  it.each<[string, Partial<StoredApiKey> | undefined]>([
    ['revoked', { revokedAtMs: NOW_MS - 1 }],
    ['expired', { expiresAtMs: NOW_MS }],
    ['unknown', undefined],
  ])('does not revive a key that is %s', async (_, changes) => {
    const key = changes ? await buckets.givenKey(LIMITS, changes) : UNKNOWN_KEY;
    expect(await buckets.apiKeys.refill(key.keyId, NOW_MS)).toBeUndefined();
    expect((await buckets.stored(key)) ?? {}).toMatchObject(changes ?? {});
  });
});

describe('an end', () => {
  const endAt = ({ keyId }: GivenKey, endsAtMs: number) => buckets.apiKeys.endAt(keyId, endsAtMs, NOW_MS);

  it.each<[string, Partial<StoredApiKey>, endsAtMs: number]>([
    ['a key without one', {}, NOW_MS + 5_000],
    ['a key that ends later', { expiresAtMs: NOW_MS + 9_000 }, NOW_MS + 5_000],
    ['a key that ends then', { expiresAtMs: NOW_MS + 5_000 }, NOW_MS + 5_000],
    ['but not to a key that ends earlier', { expiresAtMs: NOW_MS + 1_000 }, NOW_MS + 1_000],
  ])('is given to %s', async (_, changes, endsAtMs) => {
    const key = await buckets.givenKey(LIMITS, changes);
    expect(await endAt(key, NOW_MS + 5_000)).toStrictEqual({ outcome: 'ending', endsAtMs });
    expect(await buckets.stored(key)).toMatchObject({ expiresAtMs: endsAtMs });
  });

  it('may be now, and is given if the response is lost', async () => {
    const own = await givenStoredBuckets();
    const { keyId } = await own.givenKey(LIMITS);
    loseResponses(own.documents, 1);
    const ending = await own.apiKeys.endAt(keyId, NOW_MS, NOW_MS);
    expect(ending).toStrictEqual({ outcome: 'ending', endsAtMs: NOW_MS });
  });

  it.each<[string, Partial<StoredApiKey> | undefined]>([
    ['revoked', { revokedAtMs: NOW_MS - 1 }],
    ['revoked before its end', { revokedAtMs: NOW_MS - 1, expiresAtMs: NOW_MS + 9_000 }],
    ['expired', { expiresAtMs: NOW_MS }],
    ['unknown', undefined],
  ])('is not given to a key that is %s', async (_, changes) => {
    const key = changes ? await buckets.givenKey(LIMITS, changes) : UNKNOWN_KEY;
    const before = await buckets.stored(key);
    expect(await endAt(key, NOW_MS + 5_000)).toStrictEqual({ outcome: 'unusable' });
    expect(await buckets.stored(key)).toStrictEqual(before);
  });
});
