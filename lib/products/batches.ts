import { isThrottle } from '../dynamodb.ts';

/** What waits between two attempts; passed in, so that tests need not wait. */
export interface Pauses {
  readonly sleep: (ms: number) => Promise<unknown>;
  /** From 0 to below 1. */
  readonly random: () => number;
}

/** Sends items as one batch, and tells which of them DynamoDB left unprocessed. */
export type SendBatch<Item> = (items: readonly Item[]) => Promise<readonly Item[]>;

/** With pauses that grow from 50 ms to 5 s, and are half as long on average, a batch has about 15 s to pass. */
export const ATTEMPTS_MAX = 12;
const PAUSE_MIN_MS = 50;
const PAUSE_MAX_MS = 5_000;

/** Hides the network's latency; more would only be throttled sooner. */
const BATCHES_AT_ONCE = 4;

/** Exponential backoff with full jitter, so that several writers spread out. */
const pauseMs = (retry: number, random: () => number): number =>
  random() * Math.min(PAUSE_MAX_MS, PAUSE_MIN_MS * 2 ** retry);

/**
 * Sends a batch, and what it left over again after a pause, up to {@link ATTEMPTS_MAX} times.
 *
 * @returns how many items are left over in the end
 * @throws whatever the SDK throws, but for throttling
 */
export const sendBatch = async <Item>(
  items: readonly Item[],
  send: SendBatch<Item>,
  { sleep, random }: Pauses,
): Promise<number> => {
  let left = items;
  for (let attempt = 0; attempt < ATTEMPTS_MAX && left.length > 0; attempt += 1) {
    // oxlint-disable no-await-in-loop -- each attempt sends what the one before it left over
    if (attempt > 0) await sleep(pauseMs(attempt - 1, random));
    try {
      left = await send(left);
    } catch (error) {
      // DynamoDB throws where it could process nothing of a batch.
      if (!isThrottle(error)) throw error;
    }
    // oxlint-enable no-await-in-loop
  }
  return left.length;
};

/**
 * Cuts items into batches and works on a few of them at a time, until one says or throws that it is over.
 *
 * @param work returns whether to go on
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
