import { beforeAll, describe, expect, it } from 'vitest';
import type { StoredApiKey } from '../../../lib/api-keys/stored-api-key.ts';
import type { BucketLimits } from '../../../lib/api-keys/token-bucket.ts';
import { type GivenKey, givenStoredBuckets, type StoredBuckets } from '../../support/bucket.ts';
import { loseResponses } from '../../support/lost-responses.ts';

const NOW_MS = Date.UTC(2026, 0, 15, 12, 30, 0, 250);
const NOW_MICROS = NOW_MS * 1_000;
const UNKNOWN = '0'.repeat(64);

let buckets: StoredBuckets;
beforeAll(async () => {
  buckets = await givenStoredBuckets();
});

/** Takes tokens at one moment until there is none: how many there were. */
const countTokens = async ({ keyId }: GivenKey, nowMs: number): Promise<number> => {
  for (let taken = 0; ; taken += 1) {
    const { outcome } = await buckets.bucket.take({ keyId, now: () => nowMs });
    if (outcome !== 'taken') return taken;
  }
};

describe('other limits', () => {
  it('are stored with the emission interval that follows from them', async () => {
    const key = await buckets.givenKey({ limit: 60, windowSeconds: 60 });
    const result = await buckets.apiKeys.setLimits(key.keyId, { limit: 7, windowSeconds: 60 }, NOW_MS);
    expect(result).toStrictEqual(await buckets.stored(key));
    expect(result).toMatchObject({ limit: 7, windowSeconds: 60, emissionIntervalMicros: 8_571_429 });
  });

  it.each<[string, BucketLimits, BucketLimits]>([
    ['of a longer window', { limit: 60, windowSeconds: 60 }, { limit: 60, windowSeconds: 3_600 }],
    ['for a day', { limit: 1_000, windowSeconds: 1 }, { limit: 1_000, windowSeconds: 86_400 }],
    ['of fewer requests', { limit: 60, windowSeconds: 60 }, { limit: 7, windowSeconds: 60 }],
  ])('%s leave an empty bucket empty, and refill it at their own rate', async (_what, before, after) => {
    const key = await buckets.givenKey(before, { tatMicros: NOW_MICROS + before.windowSeconds * 1_000_000 });

    await buckets.apiKeys.setLimits(key.keyId, after, NOW_MS);

    expect(await countTokens(key, NOW_MS)).toBe(0);
    const intervalMs = Math.ceil((after.windowSeconds * 1_000) / after.limit);
    expect(await countTokens(key, NOW_MS + intervalMs - 1)).toBe(0);
    expect(await countTokens(key, NOW_MS + 3 * intervalMs)).toBe(3);
  });

  it.each<[string, number, number]>([
    ['more', 120, 90],
    ['fewer', 40, 10],
    ['fewer than are taken', 20, 0],
  ])('of %s requests take as many tokens for taken as were', async (_what, limit, left) => {
    const key = await buckets.givenKey(
      { limit: 60, windowSeconds: 60 },
      { tatMicros: NOW_MICROS + 30_000_000 },
    );
    await buckets.apiKeys.setLimits(key.keyId, { limit, windowSeconds: 3_600 }, NOW_MS);
    expect(await countTokens(key, NOW_MS)).toBe(left);
  });

  it('leave a full bucket full', async () => {
    const key = await buckets.givenKey({ limit: 3, windowSeconds: 60 }, { tatMicros: NOW_MICROS });
    await buckets.apiKeys.setLimits(key.keyId, { limit: 5, windowSeconds: 86_400 }, NOW_MS);
    expect(await countTokens(key, NOW_MS)).toBe(5);
  });

  it('of a shorter window do not keep an empty bucket waiting for the longer one', async () => {
    const key = await buckets.givenKey({ limit: 2, windowSeconds: 30 * 86_400 });
    expect(await countTokens(key, NOW_MS)).toBe(2);

    await buckets.apiKeys.setLimits(key.keyId, { limit: 2, windowSeconds: 60 }, NOW_MS);

    expect(await countTokens(key, NOW_MS)).toBe(0);
    expect(await countTokens(key, NOW_MS + 30_000)).toBe(1);
    expect(await countTokens(key, NOW_MS + 90_000)).toBe(2);
  });

  it('by a clock that is behind do not refill a bucket', async () => {
    const key = await buckets.givenKey({ limit: 5, windowSeconds: 60 });
    expect(await countTokens(key, NOW_MS)).toBe(5);

    await buckets.apiKeys.setLimits(key.keyId, { limit: 5, windowSeconds: 60 }, NOW_MS - 3_600_000);

    expect(await countTokens(key, NOW_MS)).toBe(0);
    expect(await countTokens(key, NOW_MS + 12_000)).toBe(1);
  });

  it.each<[string, Partial<StoredApiKey>]>([
    ['revoked', { revokedAtMs: NOW_MS - 1 }],
    ['expired', { expiresAtMs: NOW_MS }],
  ])('are not given to a key that is %s', async (_what, changes) => {
    const key = await buckets.givenKey({ limit: 5, windowSeconds: 60 }, changes);
    const before = await buckets.stored(key);
    expect(
      await buckets.apiKeys.setLimits(key.keyId, { limit: 1, windowSeconds: 1 }, NOW_MS),
    ).toBeUndefined();
    expect(await buckets.stored(key)).toStrictEqual(before);
  });

  it('of an unknown key create nothing', async () => {
    expect(await buckets.apiKeys.setLimits(UNKNOWN, { limit: 1, windowSeconds: 1 }, NOW_MS)).toBeUndefined();
    expect(await buckets.stored({ secret: '', keyId: UNKNOWN })).toBeUndefined();
  });

  it('never admit more than a bucket of either limit while tokens are taken beside', async () => {
    const key = await buckets.givenKey({ limit: 5, windowSeconds: 3_600 });
    const take = async () => (await buckets.bucket.take({ keyId: key.keyId, now: () => NOW_MS })).outcome;

    const [outcomes] = await Promise.all([
      Promise.all(Array.from({ length: 30 }, take)),
      buckets.apiKeys.setLimits(key.keyId, { limit: 10, windowSeconds: 3_600 }, NOW_MS),
    ]);

    expect(outcomes.filter((outcome) => outcome === 'taken').length).toBeLessThanOrEqual(10);
    expect(await buckets.stored(key)).toMatchObject({ limit: 10, emissionIntervalMicros: 360_000_000 });
  });

  it('are set even where a token is taken under every attempt: the last one leaves the bucket empty', async () => {
    const own = await givenStoredBuckets();
    const key = await own.givenKey({ limit: 60, windowSeconds: 60 });
    let isTaking = false;
    own.documents.middlewareStack.add(
      (next) => async (call) => {
        if ('UpdateExpression' in call.input && !isTaking) {
          isTaking = true;
          await own.bucket.take({ keyId: key.keyId, now: () => NOW_MS });
          isTaking = false;
        }
        return next(call);
      },
      { step: 'initialize', name: 'take-first' },
    );

    const limits = { limit: 7, windowSeconds: 70 };
    const { result, calls } = await own.countCalls(() => own.apiKeys.setLimits(key.keyId, limits, NOW_MS));

    expect(result).toMatchObject({ ...limits, tatMicros: NOW_MICROS + 70_000_000 });
    // One read, and four attempts with a take before each; every other take finds the bucket busy at its second call.
    expect(calls).toBeLessThanOrEqual(1 + 4 * 3);
  });

  it('whose answer is lost are set once: nothing is given back or taken twice', async () => {
    const own = await givenStoredBuckets();
    const key = await own.givenKey(
      { limit: 60, windowSeconds: 60 },
      { tatMicros: NOW_MICROS + 10_000_000, lastUsedAtMs: NOW_MS },
    );
    loseResponses(own.documents, 1);

    await own.apiKeys.setLimits(key.keyId, { limit: 30, windowSeconds: 300 }, NOW_MS);

    expect(await own.stored(key)).toMatchObject({ limit: 30, tatMicros: NOW_MICROS + 100_000_000 });
  });
});

describe('an end to come', () => {
  const limits = { limit: 5, windowSeconds: 60 };
  const endAt = (key: GivenKey, endsAtMs: number) => buckets.apiKeys.endAt(key.keyId, endsAtMs, NOW_MS);

  it.each<[string, object]>([
    ['without one', {}],
    ['with a later one', { expiresAtMs: NOW_MS + 9_000 }],
    ['with the same one', { expiresAtMs: NOW_MS + 5_000 }],
  ])('is given to a key %s', async (_what, changes) => {
    const key = await buckets.givenKey(limits, changes);
    expect(await endAt(key, NOW_MS + 5_000)).toStrictEqual({ outcome: 'ending', endsAtMs: NOW_MS + 5_000 });
    expect(await buckets.stored(key)).toMatchObject({ expiresAtMs: NOW_MS + 5_000 });
  });

  it('does not lengthen a key that ends earlier', async () => {
    const key = await buckets.givenKey(limits, { expiresAtMs: NOW_MS + 1_000 });
    expect(await endAt(key, NOW_MS + 5_000)).toStrictEqual({ outcome: 'ending', endsAtMs: NOW_MS + 1_000 });
    expect(await buckets.stored(key)).toMatchObject({ expiresAtMs: NOW_MS + 1_000 });
  });

  it('may be now, and is told as given where the answer was lost', async () => {
    const own = await givenStoredBuckets();
    const key = await own.givenKey(limits);
    loseResponses(own.documents, 1);
    expect(await own.apiKeys.endAt(key.keyId, NOW_MS, NOW_MS)).toStrictEqual({
      outcome: 'ending',
      endsAtMs: NOW_MS,
    });
  });

  it.each<[string, object]>([
    ['revoked', { revokedAtMs: NOW_MS - 1 }],
    ['revoked before it ends', { revokedAtMs: NOW_MS - 1, expiresAtMs: NOW_MS + 9_000 }],
    ['expired', { expiresAtMs: NOW_MS }],
  ])('is not given to a key that is %s', async (_what, changes) => {
    const key = await buckets.givenKey(limits, changes);
    const before = await buckets.stored(key);
    expect(await endAt(key, NOW_MS + 5_000)).toStrictEqual({ outcome: 'unusable' });
    expect(await buckets.stored(key)).toStrictEqual(before);
  });

  it('of an unknown key creates nothing', async () => {
    const unknown = { secret: '', keyId: UNKNOWN };
    expect(await endAt(unknown, NOW_MS + 5_000)).toStrictEqual({ outcome: 'unusable' });
    expect(await buckets.stored(unknown)).toBeUndefined();
  });
});

describe('a key that somebody edited into nonsense', () => {
  it('can be revoked nevertheless', async () => {
    const key = await buckets.givenKey({ limit: 5, windowSeconds: 60 });
    await buckets.change(key, { limit: 'many' } as object);
    expect(await buckets.apiKeys.revoke(key.keyId, NOW_MS)).toBe('revoked');
    expect(await buckets.stored(key)).toMatchObject({ revokedAtMs: NOW_MS });
  });
});
