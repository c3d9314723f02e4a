import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Bucket } from '../../../lib/api-keys/token-bucket.ts';
import { type GivenKey, givenStoredBuckets, type StoredBuckets } from '../../support/bucket.ts';

const NOW_MS = Date.UTC(2026, 0, 15, 12, 30, 0, 250);
const NOW_MICROS = NOW_MS * 1_000;

let buckets: StoredBuckets;
beforeAll(async () => {
  buckets = await givenStoredBuckets();
});

const take = (
  { keyId }: { keyId: string },
  { nowMs = NOW_MS, known }: { nowMs?: number; known?: Bucket | undefined } = {},
) => buckets.bucket.take({ keyId, now: () => nowMs, known });

const outcomeOf = async (...args: Parameters<typeof take>) => (await take(...args)).outcome;

/** Takes so many tokens one after the other: the outcomes. */
const takeTimes = async (times: number, key: GivenKey) => {
  const outcomes = [];
  for (let i = 0; i < times; i += 1) outcomes.push(await outcomeOf(key));
  return outcomes;
};

describe('a taken token', () => {
  it('moves the TAT one interval on and answers the key as it then is', async () => {
    const key = await buckets.givenKey({ limit: 7, windowSeconds: 60 });
    const first = await take(key);
    const second = await take(key);
    expect(first).toMatchObject({
      outcome: 'taken',
      key: { keyId: key.keyId, storeId: 'store-1', mode: 'test', limit: 7, windowSeconds: 60 },
    });
    expect(first).toMatchObject({ key: { tatMicros: NOW_MICROS + 8_571_429 } });
    expect(second).toMatchObject({ outcome: 'taken', key: { tatMicros: NOW_MICROS + 17_142_858 } });
    expect(await buckets.stored(key)).toMatchObject({ tatMicros: NOW_MICROS + 17_142_858 });
  });

  it('leaves its time behind, idle bucket or busy, in the same call', async () => {
    const key = await buckets.givenKey({ limit: 7, windowSeconds: 60 });
    for (const nowMs of [NOW_MS, NOW_MS + 1_000, NOW_MS + 90_000]) {
      const known = (await buckets.stored(key)) as Bucket;
      const { calls } = await buckets.countCalls(() => take(key, { nowMs, known }));
      expect(calls).toBe(1);
      expect(await buckets.stored(key)).toMatchObject({ lastUsedAtMs: nowMs });
    }
  });

  it('is there n times at one moment, and again once an interval has passed', async () => {
    const key = await buckets.givenKey({ limit: 3, windowSeconds: 60 });
    expect(await takeTimes(5, key)).toStrictEqual(['taken', 'taken', 'taken', 'denied', 'denied']);
    expect(await outcomeOf(key, { nowMs: NOW_MS + 19_999 })).toBe('denied');
    expect(await outcomeOf(key, { nowMs: NOW_MS + 20_000 })).toBe('taken');
    expect(await outcomeOf(key, { nowMs: NOW_MS + 20_000 })).toBe('denied');
  });

  it('is given by the writer of a clock that lags behind as that clock sees the bucket', async () => {
    const key = await buckets.givenKey({ limit: 2, windowSeconds: 60 });
    await take(key, { nowMs: NOW_MS + 10_000 });
    expect(await take(key)).toMatchObject({ outcome: 'denied', key: { tatMicros: NOW_MICROS + 40_000_000 } });
    expect(await outcomeOf(key, { nowMs: NOW_MS + 10_000 })).toBe('taken');
  });
});

describe('a denied token', () => {
  it('costs nothing and tells the key as it is', async () => {
    const key = await buckets.givenKey({ limit: 1, windowSeconds: 60 });
    await take(key);
    const before = await buckets.stored(key);
    expect(await take(key)).toStrictEqual({ outcome: 'denied', key: before, atMs: NOW_MS });
    expect(await buckets.stored(key)).toStrictEqual(before);
  });
});

describe('an unusable key', () => {
  const revoked = () => buckets.givenKey({ limit: 5, windowSeconds: 60 }, { revokedAtMs: NOW_MS });
  const expired = () => buckets.givenKey({ limit: 5, windowSeconds: 60 }, { expiresAtMs: NOW_MS });
  const unknown = () => Promise.resolve({ keyId: '0'.repeat(64) });
  const busy: Bucket = { limit: 5, windowSeconds: 60, tatMicros: NOW_MICROS + 1 };
  const idle: Bucket = { limit: 5, windowSeconds: 60, tatMicros: 0 };
  const empty: Bucket = { limit: 5, windowSeconds: 60, tatMicros: NOW_MICROS + 60_000_000 };

  it.each([
    ['unknown', unknown],
    ['revoked', revoked],
    ['expired', expired],
  ])('has no tokens and learns nothing, in one call, whatever is thought of it: %s', async (_, given) => {
    const key = await given();
    for (const known of [undefined, idle, busy, empty]) {
      const { result, calls } = await buckets.countCalls(() => take(key, { known }));
      expect(result).toStrictEqual({ outcome: 'unusable' });
      expect(calls).toBe(1);
    }
  });

  it('is left as it is, and an unknown one is not created', async () => {
    const lone = await givenStoredBuckets();
    const key = await lone.givenKey({ limit: 5, windowSeconds: 60 }, { revokedAtMs: NOW_MS });
    const before = await lone.stored(key);
    for (const keyId of [key.keyId, '0'.repeat(64)]) await lone.bucket.take({ keyId, now: () => NOW_MS });
    const { Items } = await lone.documents.send(new ScanCommand({ TableName: lone.tableName }));
    expect(Items).toStrictEqual([before]);
  });

  it('is one whose bucket is busy or empty too', async () => {
    const key = await buckets.givenKey({ limit: 2, windowSeconds: 60 });
    await take(key);
    await buckets.change(key, { revokedAtMs: NOW_MS });
    expect(await outcomeOf(key)).toBe('unusable');
    await buckets.change(key, { tatMicros: NOW_MICROS + 60_000_000 });
    expect(await outcomeOf(key)).toBe('unusable');
  });

  it('is one from the very moment of its expiry on', async () => {
    const key = await expired();
    expect(await outcomeOf(key, { nowMs: NOW_MS - 1 })).toBe('taken');
    expect(await outcomeOf(key, { nowMs: NOW_MS })).toBe('unusable');
  });

  it('is one however far ahead its revocation was written', async () => {
    const key = await buckets.givenKey({ limit: 2, windowSeconds: 60 }, { revokedAtMs: NOW_MS + 60_000 });
    expect(await outcomeOf(key)).toBe('unusable');
  });
});

describe('changed limits', () => {
  const seen = async (key: GivenKey): Promise<Bucket> => {
    const result = await take(key);
    if (result.outcome === 'unusable') throw new Error('The key is unusable');
    return result.key;
  };

  it('are obeyed at once where they were raised, even by a writer that knows the old ones', async () => {
    const key = await buckets.givenKey({ limit: 2, windowSeconds: 60 });
    const known = await seen(key);
    await buckets.changeLimits(key, { limit: 4, windowSeconds: 60 });
    const { result, calls } = await buckets.countCalls(() => take(key, { known }));
    // The token taken before still costs its 30 s, one of now 15 s.
    expect(result).toMatchObject({ outcome: 'taken', key: { limit: 4, tatMicros: NOW_MICROS + 45_000_000 } });
    expect(calls).toBe(2);
    expect(await outcomeOf(key, { known })).toBe('taken');
    expect(await outcomeOf(key, { known })).toBe('denied');
  });

  it('are obeyed at once where they were raised, even by a writer that knows the bucket to be empty', async () => {
    const key = await buckets.givenKey({ limit: 1, windowSeconds: 60 });
    const known = await seen(key);
    await buckets.changeLimits(key, { limit: 4, windowSeconds: 120 });
    const { result, calls } = await buckets.countCalls(() => take(key, { known }));
    expect(result).toMatchObject({ outcome: 'taken', key: { limit: 4, tatMicros: NOW_MICROS + 90_000_000 } });
    expect(calls).toBe(2);
  });

  it('are obeyed at once where they were lowered, even by a writer that knows the old ones', async () => {
    const key = await buckets.givenKey({ limit: 5, windowSeconds: 60 });
    const known = await seen(key);
    await buckets.changeLimits(key, { limit: 1, windowSeconds: 60 });
    expect(await take(key, { known })).toMatchObject({ outcome: 'denied', key: { limit: 1 } });
  });

  it('are obeyed at once where the window alone changed', async () => {
    const key = await buckets.givenKey({ limit: 2, windowSeconds: 3_600 });
    const known = await seen(key);
    await buckets.changeLimits(key, { limit: 2, windowSeconds: 1 });
    expect(await outcomeOf(key, { known })).toBe('denied');
    await buckets.change(key, { tatMicros: NOW_MICROS + 500_000 });
    expect(await take(key, { known })).toMatchObject({
      outcome: 'taken',
      key: { tatMicros: NOW_MICROS + 1_000_000 },
    });
  });
});

describe('a take costs', () => {
  it('one call in the steady state: new, busy, empty and idle again', async () => {
    const key = await buckets.givenKey({ limit: 3, windowSeconds: 60 });
    let known: Bucket | undefined;
    const seen = [];
    for (const nowMs of [NOW_MS, NOW_MS, NOW_MS + 1_000, NOW_MS + 1_000, NOW_MS + 90_000, NOW_MS + 90_001]) {
      const { result, calls } = await buckets.countCalls(() => take(key, { nowMs, known }));
      known = result.outcome === 'unusable' ? undefined : result.key;
      seen.push([result.outcome, calls]);
    }
    expect(seen).toStrictEqual([
      ['taken', 1],
      ['taken', 1],
      ['taken', 1],
      ['denied', 1],
      ['taken', 1],
      ['taken', 1],
    ]);
  });

  it.each<[string, Bucket | undefined]>([
    ['no hint', undefined],
    ['a hint that is idle', { limit: 3, windowSeconds: 60, tatMicros: NOW_MICROS }],
    ['a hint of other limits', { limit: 4, windowSeconds: 60, tatMicros: NOW_MICROS + 1 }],
    ['a hint of another window', { limit: 3, windowSeconds: 61, tatMicros: NOW_MICROS + 1 }],
  ])('two calls on a busy bucket with %s', async (_, known) => {
    const key = await buckets.givenKey({ limit: 3, windowSeconds: 60 });
    await take(key);
    const { result, calls } = await buckets.countCalls(() => take(key, { known }));
    expect([result.outcome, calls]).toStrictEqual(['taken', 2]);
  });

  it.each([
    ['for long', 0],
    ['as of now', NOW_MICROS],
  ])('two calls on a bucket that was thought busy and is idle %s', async (_, tatMicros) => {
    const key = await buckets.givenKey({ limit: 3, windowSeconds: 60 }, { tatMicros });
    const known = { limit: 3, windowSeconds: 60, tatMicros: NOW_MICROS + 1 };
    const { result, calls } = await buckets.countCalls(() => take(key, { known }));
    expect(result).toMatchObject({ outcome: 'taken', key: { tatMicros: NOW_MICROS + 20_000_000 } });
    expect(calls).toBe(2);
  });
});

describe('contention', () => {
  it('alone refuses nobody, even where tokens come back faster than an attempt takes', async () => {
    const { keyId } = await buckets.givenKey({ limit: 60_000, windowSeconds: 60 });
    const takeMany = async (): Promise<string[]> => {
      const outcomes: string[] = [];
      for (let i = 0; i < 250; i += 1) {
        const { outcome } = await buckets.bucket.take({ keyId, now: Date.now });
        outcomes.push(outcome);
      }
      return outcomes;
    };
    const outcomes = (await Promise.all(Array.from({ length: 8 }, takeMany))).flat();
    expect(new Set(outcomes)).toStrictEqual(new Set(['taken']));
  });
});

describe('a signal', () => {
  it.each([
    ['write', undefined],
    ['read', { limit: 3, windowSeconds: 60, tatMicros: NOW_MICROS + 60_000_000 }],
  ])('gives the %s up', async (_, known) => {
    const key = await buckets.givenKey({ limit: 3, windowSeconds: 60 });
    const { keyId } = key;
    const taking = buckets.bucket.take({ keyId, now: () => NOW_MS, known, signal: AbortSignal.abort() });
    await expect(taking).rejects.toMatchObject({ name: 'AbortError' });
    expect(await buckets.stored(key)).toMatchObject({ tatMicros: 0 });
  });
});
