import { describe, expect, it } from 'vitest';
import { createBackOff } from '../../../lib/core/back-off.ts';
import { DatabaseContentionError } from '../../../lib/dynamodb.ts';

describe('a back-off', () => {
  it('waits for a random part of a time that doubles up to its maximum', async () => {
    const waits: number[] = [];
    const wait = (ms: number): Promise<void> => {
      waits.push(ms);
      return Promise.resolve();
    };
    const backOff = createBackOff({ firstMs: 20, maxMs: 100, random: () => 0.5, wait });
    for (const failed of [1, 2, 3, 4, 50]) await backOff(failed);
    expect(waits).toStrictEqual([10, 20, 40, 50, 50]);
  });

  it('ends with the signal', async () => {
    const backOff = createBackOff({ firstMs: 60_000, maxMs: 60_000, random: () => 0.99 });
    const budget = new AbortController();
    const waiting = backOff(1, budget.signal);
    budget.abort();
    await expect(waiting).rejects.toBeInstanceOf(DatabaseContentionError);
  });
});
