import { describe, expect, it } from 'vitest';
import { KeyMemory } from '../../../lib/api-keys/key-memory.ts';
import { NOW_MS } from '../../support/clock.ts';

/** A bucket whose next token comes so many milliseconds after it was seen. */
const emptyFor = (waitMs: number) => ({
  storeId: 'store-1',
  limit: 2,
  windowSeconds: 60,
  tatMicros: (NOW_MS + waitMs) * 1_000 + 30_000_000,
});

const remember = (bucket: ReturnType<typeof emptyFor> | undefined): KeyMemory => {
  const memory = new KeyMemory();
  memory.set('key', { bucket, seenAtMs: NOW_MS });
  return memory;
};

describe('a remembered key', () => {
  it.each([
    ['for less than a second', 30_000, [0, 999, -999], [1_000, -1_000]],
    ['until its next token comes', 500, [0, 499], [500]],
    ['not while it has a token', 0, [], [0]],
  ])('counts as empty %s', (_, waitMs, empty, unsure) => {
    const memory = remember(emptyFor(waitMs));
    const emptyAt = (afterMs: number) => memory.emptyBucket('key', NOW_MS + afterMs);
    for (const afterMs of empty) expect(emptyAt(afterMs)).toStrictEqual(emptyFor(waitMs));
    for (const afterMs of unsure) expect(emptyAt(afterMs)).toBeUndefined();
    expect(memory.isUnusable('key', NOW_MS)).toBe(false);
  });

  it('counts as unusable for less than five seconds, or until its bucket is seen', () => {
    const memory = remember(undefined);
    const unusable = [0, 4_999, 5_000, -5_000].map((afterMs) => memory.isUnusable('key', NOW_MS + afterMs));
    expect(unusable).toStrictEqual([true, true, false, false]);
    expect(memory.emptyBucket('key', NOW_MS)).toBeUndefined();
    memory.set('key', { bucket: emptyFor(0), seenAtMs: NOW_MS });
    expect(memory.isUnusable('key', NOW_MS)).toBe(false);
    expect(memory.get('key')).toStrictEqual({ bucket: emptyFor(0), seenAtMs: NOW_MS });
  });
});

describe('the memory', () => {
  it('knows nothing of a key that was never seen', () => {
    const memory = remember(undefined);
    const facts = [memory.isUnusable('b', NOW_MS), memory.emptyBucket('b', NOW_MS), memory.get('__proto__')];
    expect(facts).toStrictEqual([false, undefined, undefined]);
  });

  it('holds 10,000 keys and forgets the one that was seen least recently', () => {
    const memory = new KeyMemory();
    const see = (index: number) => memory.set(`key-${index}`, { bucket: undefined, seenAtMs: NOW_MS });
    const isKnown = (index: number) => memory.get(`key-${index}`) !== undefined;
    for (let index = 0; index < 10_000; index += 1) see(index);
    see(0);
    see(10_000);
    expect([0, 1, 2, 10_000].map(isKnown)).toStrictEqual([true, false, true, true]);
    for (let index = 20_000; index < 29_999; index += 1) see(index);
    expect([0, 10_000].map(isKnown)).toStrictEqual([false, true]);
  });
});
