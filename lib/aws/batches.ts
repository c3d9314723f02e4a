import { retryRemaining } from '../core/retry-remaining.ts';
import type { Pauses } from '../core/retry.ts';
import { UnavailableError } from './errors.ts';

const BATCH_RETRIES = { attemptsMax: 3, firstMs: 200, maxMs: 400 };

/**
 * Sends a whole batch as {@link retryRemaining} does, in up to three attempts.
 *
 * @param receiver the name of the receiver, for the message of the error
 * @throws UnavailableError if items are left after the last attempt, or any error of `send`
 */
export const sendAll = async <Item>(
  batch: readonly Item[],
  send: (items: readonly Item[]) => Promise<readonly Item[]>,
  receiver: string,
  pauses?: Pauses,
): Promise<void> => {
  const left = await retryRemaining(batch, send, { ...BATCH_RETRIES, pauses });
  if (left.length > 0) throw new UnavailableError(`${receiver} did not accept the whole batch`);
};
