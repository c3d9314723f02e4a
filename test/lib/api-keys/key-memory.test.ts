import { describe, expect, it } from 'vitest';
import { KeyMemory } from '../../../lib/api-keys/key-memory.ts';
import { manualClock } from '../../support/clock.ts';

const LIMITS = { limit: 2, windowSeconds: 60 };
const SEEN_AT_MS = manualClock().now();

/** A bucket whose next token comes so many milliseconds after it was seen. */
const emptyFor = (waitMs: number) => ({ ...LIMITS, tatMicros: (SEEN_AT_MS + waitMs) * 1_000 + 30_000_000 });

const remember = (bucket: ReturnType<typeof emptyFor> | undefined): KeyMemory => {
  const memory = new KeyMemory();
  memory.set('key', { bucket, seenAtMs: SEEN_AT_MS });
  return memory;
};

describe('an empty bucket', () => {
  it('is believed for less than one second', () => {
    const memory = remember(emptyFor(30_000));
    expect(memory.emptyBucket('key', SEEN_AT_MS)).toStrictEqual(emptyFor(30_000));
    expect(memory.emptyBucket('key', SEEN_AT_MS + 999)).toStrictEqual(emptyFor(30_000));
    expect(memory.emptyBucket('key', SEEN_AT_MS + 1_000)).toBeUndefined();
  });

  it('is believed only until its next token comes', () => {
    const memory = remember(emptyFor(500));
    expect(memory.emptyBucket('key', SEEN_AT_MS + 499)).toBeDefined();
    expect(memory.emptyBucket('key', SEEN_AT_MS + 500)).toBeUndefined();
  });

  it('is not believed by a clock that was set back by a second', () => {
    const memory = remember(emptyFor(30_000));
    expect(memory.emptyBucket('key', SEEN_AT_MS - 999)).toBeDefined();
    expect(memory.emptyBucket('key', SEEN_AT_MS - 1_000)).toBeUndefined();
  });

  it('is not what a bucket with a token is taken for', () => {
    expect(remember(emptyFor(0)).emptyBucket('key', SEEN_AT_MS)).toBeUndefined();
  });

  it('does not make its key unusable', () => {
    expect(remember(emptyFor(30_000)).isUnusable('key', SEEN_AT_MS)).toBe(false);
  });
});

describe('an unusable key', () => {
  it('is believed for less than five seconds', () => {
    const memory = remember(undefined);
    expect(memory.isUnusable('key', SEEN_AT_MS)).toBe(true);
    expect(memory.isUnusable('key', SEEN_AT_MS + 4_999)).toBe(true);
    expect(memory.isUnusable('key', SEEN_AT_MS + 5_000)).toBe(false);
    expect(memory.isUnusable('key', SEEN_AT_MS - 5_000)).toBe(false);
  });

  it('has no bucket to be empty', () => {
    expect(remember(undefined).emptyBucket('key', SEEN_AT_MS)).toBeUndefined();
  });

  it('is usable again as soon as its bucket is seen', () => {
    const memory = remember(undefined);
    memory.set('key', { bucket: emptyFor(0), seenAtMs: SEEN_AT_MS });
    expect(memory.isUnusable('key', SEEN_AT_MS)).toBe(false);
  });
});

describe('a key that was never seen', () => {
  it('is neither unusable nor empty, and gives no hint', () => {
    const memory = remember(undefined);
    expect(memory.isUnusable('other', SEEN_AT_MS)).toBe(false);
    expect(memory.emptyBucket('other', SEEN_AT_MS)).toBeUndefined();
    expect(memory.get('other')).toBeUndefined();
    expect(memory.get('__proto__')).toBeUndefined();
  });
});

describe('a hint', () => {
  it('is kept however old it is', () => {
    expect(remember(emptyFor(0)).get('key')).toStrictEqual({ bucket: emptyFor(0), seenAtMs: SEEN_AT_MS });
  });
});

describe('the memory', () => {
  it('holds 10,000 keys and forgets the one that was seen least recently', () => {
    const memory = new KeyMemory();
    const see = (index: number) => memory.set(`key-${index}`, { bucket: undefined, seenAtMs: SEEN_AT_MS });
    for (let index = 0; index < 10_000; index += 1) see(index);
    see(0);
    see(10_000);
    expect(memory.get('key-0')).toBeDefined();
    expect(memory.get('key-1')).toBeUndefined();
    expect(memory.get('key-2')).toBeDefined();
    expect(memory.get('key-10000')).toBeDefined();
    for (let index = 20_000; index < 29_999; index += 1) see(index);
    expect(memory.get('key-0')).toBeUndefined();
    expect(memory.get('key-10000')).toBeDefined();
  });
});
