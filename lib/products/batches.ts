import { isThrottle } from '../core/errors.ts';
import { type Pauses, retryRest } from '../core/retry.ts';

/** Sends items as one batch. Returns those that DynamoDB left unprocessed. */
export type SendBatch<Item> = (items: readonly Item[]) => Promise<readonly Item[]>;

/** A batch has about 15 s on average. */
const RETRIES = { attemptsMax: 12, firstMs: 50, maxMs: 5_000 };

/** Enough to hide the network's latency. With more batches, DynamoDB would throttle sooner. */
const BATCHES_AT_ONCE = 4;

/**
 * Sends a batch, in up to 12 attempts. Each attempt sends the items that the one before left unprocessed.
 *
 * @returns the number of items that are still unprocessed
 * @throws any error of the SDK except throttling
 */
export const sendBatch = async <Item>(
  items: readonly Item[],
  send: SendBatch<Item>,
  pauses?: Pauses,
): Promise<number> => {
  // DynamoDB throws if it throttles a whole batch.
  const sendUnlessThrottled = async (left: readonly Item[]): Promise<readonly Item[]> => {
    try {
      return await send(left);
    } catch (error) {
      if (isThrottle(error)) return left;
      throw error;
    }
  };
  return (await retryRest(items, sendUnlessThrottled, { ...RETRIES, pauses })).length;
};

/**
 * Splits items into batches and processes four at a time. Starts no more batches once one returns `false` or throws.
 */
export const forEachBatch = async <Item>(
  items: readonly Item[],
  sizeMax: number,
  work: (batch: readonly Item[]) => Promise<boolean>,
): Promise<void> => {
  let nextIndex = 0;
  let isOver = false;
  const worker = async (): Promise<void> => {
    while (!isOver && nextIndex < items.length) {
      const batch = items.slice(nextIndex, nextIndex + sizeMax);
      nextIndex += sizeMax;
      try {
        // oxlint-disable-next-line no-await-in-loop -- a worker has one batch in flight
        isOver = !(await work(batch)) || isOver;
      } catch (error) {
        isOver = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: BATCHES_AT_ONCE }, worker));
};
