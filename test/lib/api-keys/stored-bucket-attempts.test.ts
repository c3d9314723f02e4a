import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { describe, expect, it } from 'vitest';
import { createStoredBucket } from '../../../lib/api-keys/stored-bucket.ts';
import { createDocumentClient, DatabaseContentionError } from '../../../lib/dynamodb.ts';
import { givenStoredBuckets } from '../../support/bucket.ts';
import { manualClock } from '../../support/clock.ts';

const START_MS = manualClock().now();

const KEY = {
  keyId: 'key',
  storeId: 'store-1',
  mode: 'test',
  limit: 1,
  windowSeconds: 1,
  createdAtMs: 0,
  tatMicros: 0,
  emissionIntervalMicros: 1_000_000,
};

/** A clock that tells these times in turn, then the last of them. */
const clockOf = (...timesMs: number[]) => {
  let told = 0;
  return () => timesMs[Math.min(told++, timesMs.length - 1)] ?? 0;
};

/** A database where another writer always comes first; each attempt is answered by the key as that one left it. */
const givenContention = (keyAt: (attempt: number) => object) => {
  const documents = createDocumentClient({ region: 'local' });
  const mock = mockClient(documents);
  let attempts = 0;
  mock.on(UpdateCommand).callsFake(() => {
    attempts += 1;
    const Item = marshall({ ...KEY, ...keyAt(attempts) });
    throw new ConditionalCheckFailedException({ message: 'no', $metadata: {}, Item });
  });
  return { bucket: createStoredBucket(documents, 'api-keys'), attempts: () => attempts };
};

describe('an attempt that fails', () => {
  it.each([
    ['unknown', undefined],
    ['thought full', { limit: 1, windowSeconds: 1, tatMicros: 0 }],
  ])(
    'is judged by the time of the verdict: a token that came back meanwhile is taken, %s',
    async (_, known) => {
      const buckets = await givenStoredBuckets();
      const key = await buckets.givenKey(
        { limit: 1, windowSeconds: 1 },
        { tatMicros: (START_MS + 400) * 1_000 },
      );
      const { result, calls } = await buckets.countCalls(() =>
        buckets.bucket.take({ keyId: key.keyId, now: clockOf(START_MS, START_MS + 400), known }),
      );
      expect(result).toMatchObject({
        outcome: 'taken',
        atMs: START_MS + 400,
        key: { tatMicros: (START_MS + 1_400) * 1_000 },
      });
      expect(calls).toBe(2);
    },
  );

  it('is judged by the time of the verdict: a request that came later may have been first', async () => {
    const buckets = await givenStoredBuckets();
    const key = await buckets.givenKey({ limit: 3, windowSeconds: 3 });
    const other = { keyId: key.keyId, now: () => START_MS + 500 };
    for (let i = 0; i < 2; i += 1) await buckets.bucket.take(other);
    // At its own start the bucket seems empty, since the other's tokens count from half a second later.
    const result = await buckets.bucket.take({ keyId: key.keyId, now: clockOf(START_MS, START_MS + 500) });
    expect(result).toMatchObject({ outcome: 'taken', key: { tatMicros: (START_MS + 3_500) * 1_000 } });
  });

  it('tells when its denial was true', async () => {
    const { bucket, attempts } = givenContention(() => ({ tatMicros: (START_MS + 900) * 1_000 }));
    const result = await bucket.take({ keyId: 'key', now: clockOf(START_MS, START_MS + 70) });
    expect(result).toMatchObject({ outcome: 'denied', atMs: START_MS + 70 });
    expect(attempts()).toBe(1);
  });
});

describe('a bucket that is known to be empty', () => {
  const LIMITS = { limit: 1, windowSeconds: 1 };
  const EMPTY_UNTIL_MS = START_MS + 400;

  /** A key whose token comes back after 400 ms, asked by a writer that knows it so. */
  const givenEmptyKey = async () => {
    const buckets = await givenStoredBuckets();
    const known = { ...LIMITS, tatMicros: EMPTY_UNTIL_MS * 1_000 };
    const key = await buckets.givenKey(LIMITS, { tatMicros: known.tatMicros });
    const take = (...timesMs: number[]) =>
      buckets.countCalls(() => buckets.bucket.take({ keyId: key.keyId, now: clockOf(...timesMs), known }));
    return { buckets, key, take };
  };

  it('is asked in one call: for a verdict while it is empty, for its token from the very moment it is back', async () => {
    const { take } = await givenEmptyKey();
    expect(await take(EMPTY_UNTIL_MS - 1)).toMatchObject({ calls: 1, result: { outcome: 'denied' } });
    expect(await take(EMPTY_UNTIL_MS)).toMatchObject({ calls: 1, result: { outcome: 'taken' } });
  });

  it('denies as of the verdict', async () => {
    const { take } = await givenEmptyKey();
    const { result } = await take(START_MS, EMPTY_UNTIL_MS - 1);
    expect(result).toMatchObject({ outcome: 'denied', atMs: EMPTY_UNTIL_MS - 1 });
  });

  it('denies as of the arrival where a token comes back during the call: nobody overtook that request', async () => {
    const { take } = await givenEmptyKey();
    expect(await take(START_MS, EMPTY_UNTIL_MS)).toMatchObject({
      calls: 1,
      result: { outcome: 'denied', atMs: START_MS },
    });
  });

  it.each([
    ['limit', { limit: 2, windowSeconds: 1 }],
    ['window', { limit: 1, windowSeconds: 2 }],
  ])('gives a token that came back during the call where its %s has changed meanwhile', async (_, limits) => {
    const { buckets, key, take } = await givenEmptyKey();
    await buckets.changeLimits(key, limits);
    await buckets.change(key, { tatMicros: (START_MS + 1_700) * 1_000 });
    // By either of the new limits there is no token at the start, and one two seconds later.
    expect(await take(START_MS, START_MS + 2_000)).toMatchObject({
      calls: 2,
      result: { outcome: 'taken', atMs: START_MS + 2_000 },
    });
  });
});

describe('an attempt that succeeds', () => {
  it('tells the time that its token was taken at, not when the answer came', async () => {
    const buckets = await givenStoredBuckets();
    const { keyId } = await buckets.givenKey({ limit: 3, windowSeconds: 3 });
    const result = await buckets.bucket.take({ keyId, now: clockOf(START_MS, START_MS + 700) });
    expect(result).toMatchObject({
      outcome: 'taken',
      atMs: START_MS,
      key: { tatMicros: (START_MS + 1_000) * 1_000 },
    });
  });
});

describe('attempts that fail', () => {
  it('end after the fourth in a DatabaseContentionError where the limits changed under each', async () => {
    const { bucket, attempts } = givenContention((attempt) => ({
      limit: 10 + attempt,
      windowSeconds: 60,
      tatMicros: START_MS * 1_000 + 1,
    }));
    const taking = bucket.take({ keyId: 'key', now: () => START_MS });
    await expect(taking).rejects.toBeInstanceOf(DatabaseContentionError);
    expect(attempts()).toBe(4);
  });

  it('end after the second in a denial where others took each token as it came back', async () => {
    // One token a second; each attempt takes a second, and finds the token of that second gone.
    const { bucket, attempts } = givenContention((attempt) => ({
      tatMicros: (START_MS + attempt * 1_000) * 1_000,
    }));
    // Asked at the start and at the end of each attempt.
    let asked = 0;
    const now = () => START_MS + asked++ * 1_000;
    expect(await bucket.take({ keyId: 'key', now })).toMatchObject({
      outcome: 'denied',
      atMs: START_MS + 1_000,
    });
    expect(attempts()).toBe(2);
  });
});
