import { isThrottle } from '../dynamodb.ts';
import type { Pauses } from '../core/pauses.ts';

/** Sends items as one batch. Returns those that DynamoDB left unprocessed. */
export type SendBatch<Item> = (items: readonly Item[]) => Promise<readonly Item[]>;

/** Pauses grow from at most 50 ms to at most 5 s, so a batch has about 15 s on average. */
const ATTEMPTS_MAX = 12;
const PAUSE_MIN_MS = 50;
const PAUSE_MAX_MS = 5_000;

/** Enough to hide the network's latency. With more batches, DynamoDB would throttle sooner. */
const BATCHES_AT_ONCE = 4;

/** Exponential backoff with full jitter, which spreads concurrent writers. */
const pauseMs = (retry: number, random: () => number): number =>
  random() * Math.min(PAUSE_MAX_MS, PAUSE_MIN_MS * 2 ** retry);

/**
 * Sends a batch, in up to 12 attempts. Each attempt sends the items that the one before left unprocessed.
 *
 * @returns the number of items that are still unprocessed
 * @throws any error of the SDK except throttling
 */
export const sendBatch = async <Item>(
  items: readonly Item[],
  send: SendBatch<Item>,
  { sleep, random }: Pauses,
): Promise<number> => {
  let left = items;
  for (let attempt = 0; attempt < ATTEMPTS_MAX && left.length > 0; attempt += 1) {
    // oxlint-disable no-await-in-loop -- each attempt sends the rest of the one before
    if (attempt > 0) await sleep(pauseMs(attempt - 1, random));
    try {
      left = await send(left);
    } catch (error) {
      // DynamoDB throws if it throttles a whole batch.
      if (!isThrottle(error)) throw error;
    }
    // oxlint-enable no-await-in-loop
  }
  return left.length;
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
