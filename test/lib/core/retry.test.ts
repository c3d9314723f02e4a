import { describe, expect, it } from 'vitest';
import { retry } from '../../../lib/core/retry.ts';
import { givenPauses } from '../../support/pauses.ts';

const BACK_OFF = { firstMs: 20, maxMs: 100 };

/** An attempt that returns these results, one after the other and the last one forever. */
const givenAttempt = (...results: readonly (string | undefined)[]) => {
  let attempts = 0;
  const attempt = (): Promise<string | undefined> => {
    attempts += 1;
    return Promise.resolve(results[Math.min(attempts, results.length) - 1]);
  };
  return { attempt, attempts: () => attempts };
};

describe('an attempt', () => {
  it('is repeated until it has a result, after random parts of a time that doubles up to its maximum', async () => {
    const { pauses, waitsMs } = givenPauses();
    const { attempt, attempts } = givenAttempt(undefined, undefined, undefined, undefined, undefined, 'done');
    expect(await retry(attempt, { ...BACK_OFF, pauses })).toBe('done');
    expect(waitsMs).toStrictEqual([10, 20, 40, 50, 50]);
    expect(attempts()).toBe(6);
  });

  it('is not repeated after the last one, which no pause follows', async () => {
    const { pauses, waitsMs } = givenPauses();
    const { attempt, attempts } = givenAttempt(undefined);
    expect(await retry(attempt, { ...BACK_OFF, attemptsMax: 3, pauses })).toBeUndefined();
    expect({ attempts: attempts(), waitsMs }).toStrictEqual({ attempts: 3, waitsMs: [10, 20] });
  });

  it('is not repeated after an error', async () => {
    const { pauses, waitsMs } = givenPauses();
    const failing = () => Promise.reject(new Error('down'));
    await expect(retry(failing, { ...BACK_OFF, pauses })).rejects.toThrow('down');
    expect(waitsMs).toStrictEqual([]);
  });

  it('is not repeated once the signal has aborted, before or during a pause', async () => {
    const { attempt, attempts } = givenAttempt(undefined);
    const { pauses, waitsMs } = givenPauses();
    expect(await retry(attempt, { ...BACK_OFF, pauses, signal: AbortSignal.abort() })).toBeUndefined();
    expect({ attempts: attempts(), waitsMs }).toStrictEqual({ attempts: 1, waitsMs: [] });

    const budget = new AbortController();
    const retried = retry(attempt, { firstMs: 60_000_000, maxMs: 60_000_000, signal: budget.signal });
    budget.abort();
    expect(await retried).toBeUndefined();
    expect(attempts()).toBe(2);
  });

  it('shows an error of the pause itself', async () => {
    const pauses = { sleep: () => Promise.reject(new Error('no timer')), random: () => 0.5 };
    const retried = retry(givenAttempt(undefined).attempt, { ...BACK_OFF, pauses });
    await expect(retried).rejects.toThrow('no timer');
  });
});
