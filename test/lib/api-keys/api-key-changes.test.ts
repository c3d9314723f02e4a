import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { createApiKeyChanges } from '../../../lib/api-keys/api-key-changes.ts';
import { DatabaseContentionError } from '../../../lib/dynamodb.ts';
import { type GivenKey, givenStoredBuckets, type StoredBuckets } from '../../support/bucket.ts';
import { givenDatabase } from '../../support/database.ts';

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
  it('are stored with the emission interval that follows from them, in one call', async () => {
    const key = await buckets.givenKey({ limit: 60, windowSeconds: 60 });

    const { result, calls } = await buckets.countCalls(() =>
      buckets.apiKeys.setLimits(key.keyId, { limit: 7, windowSeconds: 60 }, NOW_MS),
    );

    expect(result).toStrictEqual(await buckets.stored(key));
    expect(result).toMatchObject({ limit: 7, windowSeconds: 60, emissionIntervalMicros: 8_571_429 });
    expect(calls).toBe(1);
  });

  it('leave a bucket that is in use where it stands', async () => {
    const key = await buckets.givenKey({ limit: 60, windowSeconds: 60 });
    await buckets.change(key, { tatMicros: NOW_MICROS + 30_000_000 });

    await buckets.apiKeys.setLimits(key.keyId, { limit: 120, windowSeconds: 60 }, NOW_MS);

    expect(await buckets.stored(key)).toMatchObject({ tatMicros: NOW_MICROS + 30_000_000 });
    expect(await countTokens(key, NOW_MS)).toBe(60);
  });

  it('of a shorter window do not keep an empty bucket waiting for the longer one', async () => {
    const key = await buckets.givenKey({ limit: 2, windowSeconds: 30 * 86_400 });
    expect(await countTokens(key, NOW_MS)).toBe(2);

    await buckets.apiKeys.setLimits(key.keyId, { limit: 60, windowSeconds: 60 }, NOW_MS);

    expect(await buckets.stored(key)).toMatchObject({ tatMicros: NOW_MICROS + 60_000_000 });
    expect(await countTokens(key, NOW_MS)).toBe(0);
    expect(await countTokens(key, NOW_MS + 1_000)).toBe(1);
    expect(await countTokens(key, NOW_MS + 61_000)).toBe(60);
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

  it('are given up on where the bucket keeps changing under every attempt', async () => {
    const { documents } = await givenDatabase();
    const item = { keyId: UNKNOWN, storeId: 's', mode: 'test', limit: 1, windowSeconds: 1, createdAtMs: 0 };
    const failure = new ConditionalCheckFailedException({
      $metadata: {},
      message: 'The conditional request failed',
      Item: marshall({ ...item, tatMicros: 0, emissionIntervalMicros: 1_000_000 }),
    });
    const mock = mockClient(documents).on(UpdateCommand).rejects(failure);

    const setting = createApiKeyChanges(documents, 't').setLimits(
      UNKNOWN,
      { limit: 1, windowSeconds: 1 },
      NOW_MS,
    );

    await expect(setting).rejects.toThrow(DatabaseContentionError);
    expect(mock.calls()).toHaveLength(4);
  });
});

describe('an end to come', () => {
  const limits = { limit: 5, windowSeconds: 60 };
  const endAt = (key: GivenKey, endsAtMs: number) => buckets.apiKeys.endAt(key.keyId, endsAtMs, NOW_MS);

  it.each<[string, object]>([
    ['without one', {}],
    ['with a later one', { expiresAtMs: NOW_MS + 9_000 }],
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
