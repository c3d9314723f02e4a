import { isUnavailable } from '../../lib/core/errors.ts';
import { type Pauses, retry } from '../../lib/core/retry.ts';

/**
 * Repeats a call of a database that may still be slow, until the signal aborts.
 *
 * @throws the error of the last call, and at once one that a retry cannot mend
 */
export const onceAvailable = async (
  call: () => Promise<void>,
  signal: AbortSignal,
  pauses?: Pauses,
): Promise<void> => {
  const attempt = async (): Promise<true | undefined> => {
    try {
      await call();
      return true;
    } catch (error) {
      if (signal.aborted || !isUnavailable(error)) throw error;
      return undefined;
    }
  };
  await retry(attempt, { firstMs: 100, maxMs: 1_000, signal, pauses });
};
