import { ConditionalCheckFailedException, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { describe, expect, it } from 'vitest';
import type { StoredApiKey } from '../../../lib/api-keys/stored-api-key.ts';
import { createStoredBucket } from '../../../lib/api-keys/stored-bucket.ts';
import { createDocumentClient } from '../../../lib/aws/clients.ts';
import { ContentionError } from '../../../lib/aws/errors.ts';
import type { Bucket } from '../../../lib/token-bucket/token-bucket.ts';
import { clockOf, NOW_MS } from '../../support/clock.ts';
import { beforeCalls, mockDocuments } from '../../support/database/client-calls.ts';
import { givenStoredBuckets, storedKey } from '../../support/domain/bucket.ts';

const UNKNOWN_KEY = { keyText: '', keyId: '0'.repeat(64) };

const buckets = await givenStoredBuckets();

/** A bucket that is full again so many milliseconds after {@link NOW_MS}. */
const bucketOf = (limit: number, windowSeconds: number, fullAfterMs: number): Bucket => ({
  limit,
  windowSeconds,
  tatMicros: (NOW_MS + fullAfterMs) * 1_000,
});

const given = (bucket: Bucket, changes: Partial<StoredApiKey> = {}) =>
  buckets.givenKey(bucket, { tatMicros: bucket.tatMicros, ...changes });

/** Takes a token at times after {@link NOW_MS}. */
const take = ({ keyId }: { keyId: string }, timesMs = [0], known?: Bucket) => {
  const now = clockOf(...timesMs.map((timeMs) => NOW_MS + timeMs));
  return buckets.countCalls(() => buckets.bucket.take({ keyId, now, known }));
};

/** Outcome, its time, the stored bucket's next full time (both in ms after {@link NOW_MS}), and the calls made. */
type Expected = readonly ['taken' | 'limited', number, number, number];
type Row = readonly [string, stored: Bucket, known: Bucket | undefined, timesMs: number[], Expected];

const NEW: Bucket = { limit: 3, windowSeconds: 60, tatMicros: 0 };
const FULL = bucketOf(3, 60, 0);
const BUSY = bucketOf(3, 60, 20_000);
const EMPTY = bucketOf(3, 60, 60_000);
/** One token a second; the next one is back after 400 ms. */
const BACK_SOON = bucketOf(1, 1, 400);

describe('a token', () => {
  it.each<Row>([
    ['new bucket', NEW, undefined, [0], ['taken', 0, 20_000, 1]],
    ['full bucket', FULL, undefined, [0], ['taken', 0, 20_000, 1]],
    ['busy bucket, known', BUSY, BUSY, [0], ['taken', 0, 40_000, 1]],
    ['last token, known', bucketOf(3, 60, 40_000), BUSY, [0], ['taken', 0, 60_000, 1]],
    ['empty bucket, known', EMPTY, EMPTY, [0], ['limited', 0, 60_000, 1]],
    ['empty bucket', EMPTY, undefined, [0], ['limited', 0, 60_000, 1]],
    ['empty bucket, thought full', EMPTY, FULL, [0], ['limited', 0, 60_000, 1]],
    ['empty bucket, thought busy', EMPTY, BUSY, [0], ['limited', 0, 60_000, 1]],
    ['idle again', EMPTY, EMPTY, [90_000], ['taken', 90_000, 110_000, 1]],
    ['busy bucket', BUSY, undefined, [0], ['taken', 0, 40_000, 2]],
    ['busy bucket, thought full', BUSY, FULL, [0], ['taken', 0, 40_000, 2]],
    ['busy bucket, wrong limit', BUSY, bucketOf(4, 60, 1), [0], ['taken', 0, 40_000, 2]],
    ['busy bucket, wrong window', BUSY, bucketOf(3, 61, 1), [0], ['taken', 0, 40_000, 2]],
    ['new bucket, thought busy', NEW, bucketOf(3, 60, 1), [0], ['taken', 0, 20_000, 2]],
    ['full bucket, thought busy', FULL, bucketOf(3, 60, 1), [0], ['taken', 0, 20_000, 2]],
    ['by a clock that is behind', bucketOf(2, 60, 40_000), undefined, [0], ['limited', 0, 40_000, 1]],
  ])('is taken or denied in as few calls as the hint allows: %s', checkRow);

  it.each<Row>([
    ['raised limit', bucketOf(4, 60, 30_000), bucketOf(2, 60, 30_000), [0], ['taken', 0, 45_000, 2]],
    ['raised limit, empty', bucketOf(4, 120, 60_000), bucketOf(1, 60, 60_000), [0], ['taken', 0, 90_000, 2]],
    ['lowered limit', bucketOf(1, 60, 12_000), bucketOf(5, 60, 12_000), [0], ['limited', 0, 12_000, 1]],
    [
      'shorter window, empty',
      bucketOf(2, 1, 4_000),
      bucketOf(2, 3_600, 4_000),
      [0],
      ['limited', 0, 4_000, 1],
    ],
    ['shorter window', bucketOf(2, 1, 500), bucketOf(2, 3_600, 500), [0], ['taken', 0, 1_000, 2]],
  ])('obeys changed limits at once, whatever the hint: %s', checkRow);

  it.each<Row>([
    ['success at its own time', bucketOf(3, 3, 0), undefined, [0, 700], ['taken', 0, 1_000, 1]],
    ['denial at the verdict', bucketOf(1, 1, 900), undefined, [0, 70], ['limited', 70, 900, 1]],
    ['retry with the original timestamp', bucketOf(3, 3, 500), undefined, [0, 700], ['taken', 0, 1_500, 2]],
    ['a later request was first', bucketOf(3, 3, 2_500), undefined, [0, 500], ['taken', 500, 3_500, 2]],
    ['back during the write', BACK_SOON, undefined, [0, 400], ['taken', 400, 1_400, 2]],
    ['back, thought full', BACK_SOON, bucketOf(1, 1, 0), [0, 400], ['taken', 400, 1_400, 2]],
    ['known empty until the last moment', BACK_SOON, BACK_SOON, [399], ['limited', 399, 400, 1]],
    ['known to be back', BACK_SOON, BACK_SOON, [400], ['taken', 400, 1_400, 1]],
    ['known empty, denial at the verdict', BACK_SOON, BACK_SOON, [0, 399], ['limited', 399, 400, 1]],
    ['back during the read', BACK_SOON, BACK_SOON, [0, 400], ['limited', 0, 400, 1]],
    ['back by another limit', bucketOf(2, 1, 1_700), BACK_SOON, [0, 2_000], ['limited', 0, 1_700, 1]],
    ['back by another window', bucketOf(1, 2, 1_700), BACK_SOON, [0, 2_000], ['limited', 0, 1_700, 1]],
  ])('is judged at the right time when the call takes long: %s', checkRow);
});

const hasFilled = ({ tatMicros }: Bucket, atMs: number): boolean => tatMicros <= (NOW_MS + atMs) * 1_000;

async function checkRow(...[, bucket, known, timesMs, [outcome, atMs, fullAfterMs, calls]]: Row) {
  const key = await given(bucket);
  const before = await buckets.stored(key);
  const taking = await take(key, timesMs, known);
  const after = {
    ...before,
    tatMicros: (NOW_MS + fullAfterMs) * 1_000,
    ...(outcome === 'taken' && { lastUsedAtMs: NOW_MS + atMs }),
    // The bucket was full until this request.
    ...(outcome === 'taken' && hasFilled(bucket, atMs) && { busySinceMs: NOW_MS + atMs }),
  };
  expect(taking).toStrictEqual({ result: { outcome, atMs: NOW_MS + atMs, key: after }, calls });
  expect(await buckets.stored(key)).toStrictEqual(after);
}

describe('a token that a request takes after a later one', () => {
  it.each<[string, busySinceMs: number | undefined, atMs: number, expectedMs: number]>([
    ['as of the time at which the later one found the bucket full', 3, 0, 3],
    ['as of its own time if the bucket was full before', 0, 3, 3],
    ['as of its own time if no write has stored when the bucket was full', undefined, 0, 0],
  ])('counts %s', async (_, busySinceMs, atMs, expectedMs) => {
    const changes = busySinceMs === undefined ? {} : { busySinceMs: NOW_MS + busySinceMs };
    const key = await given(bucketOf(3, 60, 20_003), changes);
    const { result } = await take(key, [atMs]);
    expect(result).toMatchObject({ outcome: 'taken', atMs: NOW_MS + expectedMs });
  });
});

describe('a poisoned bucket', () => {
  /** Full again a millisecond later than a writer with a right clock can leave it. */
  const POISONED = bucketOf(3, 60, 65_001);
  const takeBy = (key: { keyId: string }, known?: Bucket, nowMs = NOW_MS) =>
    buckets.countCalls(() => buckets.bucket.take({ keyId: key.keyId, now: () => nowMs, known }));

  it.each([
    ['by a write that fails', undefined],
    ['by a read', POISONED],
  ])('is emptied by the first request that sees it %s', async (_, known) => {
    const key = await given(POISONED);
    const { result, calls } = await takeBy(key, known);
    expect(result).toMatchObject({ outcome: 'limited', atMs: NOW_MS, key: EMPTY });
    expect(await buckets.stored(key)).toMatchObject({ ...EMPTY, busySinceMs: NOW_MS });
    expect(calls).toBe(2);
    // Its tokens return as those of any empty bucket.
    expect(await takeBy(key, EMPTY, NOW_MS + 20_000)).toMatchObject({ result: { outcome: 'taken' } });
  });

  it('does not include one that a writer with a right clock can have left', async () => {
    const key = await given(bucketOf(3, 60, 65_000));
    const before = await buckets.stored(key);
    expect(await takeBy(key)).toMatchObject({ result: { outcome: 'limited' }, calls: 1 });
    expect(await buckets.stored(key)).toStrictEqual(before);
  });

  it('stays as another request healed it or a command refilled it meanwhile', async () => {
    const own = await givenStoredBuckets();
    const key = await own.givenKey(POISONED, POISONED);
    beforeCalls(own.documents, async (input) => {
      if (JSON.stringify(input).includes(':readMicros')) await own.apiKeys.refill(key.keyId, NOW_MS);
    });
    expect(await own.bucket.take({ keyId: key.keyId, now: () => NOW_MS })).toMatchObject({
      outcome: 'limited',
    });
    expect(await own.stored(key)).toMatchObject({ tatMicros: 0 });
  });
});

describe('an unusable key', () => {
  it.each<[string, Bucket, Partial<StoredApiKey> | undefined]>([
    ['unknown', FULL, undefined],
    ['revoked', FULL, { revokedAtMs: NOW_MS }],
    ['revoked and busy', BUSY, { revokedAtMs: NOW_MS }],
    ['revoked and empty', EMPTY, { revokedAtMs: NOW_MS }],
    ['revoked by a clock that is ahead', FULL, { revokedAtMs: NOW_MS + 60_000 }],
    ['expired', FULL, { expiresAtMs: NOW_MS }],
  ])('has no tokens, in one call, and stays unusable, whatever the hint: %s', async (_, bucket, changes) => {
    const key = changes ? await given(bucket, changes) : UNKNOWN_KEY;
    for (const known of [undefined, FULL, BUSY, EMPTY]) {
      expect(await take(key, [0], known)).toStrictEqual({ result: { outcome: 'unknown' }, calls: 1 });
    }
    const { revokedAtMs, expiresAtMs } = (await buckets.stored(key)) ?? {};
    expect({ revokedAtMs, expiresAtMs }).toStrictEqual({
      revokedAtMs: changes?.revokedAtMs,
      expiresAtMs: changes?.expiresAtMs,
    });
  });

  it('is usable until the moment of its expiry', async () => {
    const key = await given(FULL, { expiresAtMs: NOW_MS });
    expect(await take(key, [-1])).toMatchObject({ result: { outcome: 'taken' } });
  });
});

/** A database where another writer always comes first: each attempt sees the key as that writer left it. */
const givenContention = (bucketAt: (attempt: number) => Bucket) => {
  const documents = createDocumentClient({ region: 'local' });
  let attempts = 0;
  const fail = () => {
    const Item = marshall(storedKey(bucketAt((attempts += 1))));
    throw new ConditionalCheckFailedException({ message: 'no', $metadata: {}, Item });
  };
  mockDocuments(documents).on(UpdateItemCommand).callsFake(fail);
  return { bucket: createStoredBucket(documents, 'api-keys'), attempts: () => attempts };
};

describe('under contention, attempts end', () => {
  it('after the fourth in an ContentionError if the limits change under each', async () => {
    const { bucket, attempts } = givenContention((attempt) => bucketOf(10 + attempt, 60, 1));
    const taking = bucket.take({ keyId: 'key', now: () => NOW_MS });
    await expect(taking).rejects.toBeInstanceOf(ContentionError);
    expect(attempts()).toBe(4);
  });

  it('after the second in a denial if others take each token as it comes back', async () => {
    // One token a second. Each attempt takes a second, and another writer takes the token of that second.
    const { bucket, attempts } = givenContention((attempt) => bucketOf(1, 1, attempt * 1_000));
    const now = clockOf(NOW_MS, NOW_MS + 1_000, NOW_MS + 2_000);
    const atMs = NOW_MS + 1_000;
    expect(await bucket.take({ keyId: 'key', now })).toMatchObject({
      outcome: 'limited',
      atMs,
    });
    expect(attempts()).toBe(2);
  });
});

describe('a signal', () => {
  it.each([
    ['write', undefined],
    ['read', EMPTY],
  ])('ends the %s', async (_, known) => {
    const { keyId } = await given(NEW);
    const taking = buckets.bucket.take({
      keyId,
      now: () => NOW_MS,
      known,
      signal: AbortSignal.abort(),
    });
    await expect(taking).rejects.toMatchObject({ name: 'AbortError' });
    expect(await buckets.stored({ keyText: '', keyId })).toMatchObject({ tatMicros: 0 });
  });
});
