import { ContentionError } from '../aws/errors.ts';
import { type BackOff, retry } from '../core/retry.ts';

/** The pauses of a writer that loses to others: the time of a few transactions, of about 12 ms each. */
export const CONFLICT_PAUSES = { firstMs: 20, maxMs: 160 };

/**
 * Repeats a write until no other writer comes first.
 *
 * @param attempt gets its number, from 1. Returns `undefined` if another writer came first
 * @throws ContentionError when the signal aborts, or the error of an attempt
 */
export const retryConflicts = async <Result>(
  attempt: (nth: number) => Promise<Result | undefined>,
  options: Pick<BackOff, 'pauses'> & { readonly signal: AbortSignal },
): Promise<Result> => {
  const unlessLate = async (nth: number): Promise<Result | undefined> => {
    try {
      return await attempt(nth);
    } catch (error) {
      // Without the other writers, there would have been time.
      if (nth > 1 && options.signal.aborted) return undefined;
      throw error;
    }
  };
  const result = await retry(unlessLate, { ...CONFLICT_PAUSES, ...options });
  if (result === undefined) throw new ContentionError();
  return result;
};
