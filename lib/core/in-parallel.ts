/** The writes of a piece of background work that are in flight at the same time. */
export const WRITES_AT_ONCE = 10;

/** Processes items, at most so many at the same time. Starts no further item once one has failed, and throws its error. */
export const inParallel = async <Item>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<unknown>,
): Promise<void> => {
  const queue = items.values();
  let isFailed = false;
  const worker = async (): Promise<void> => {
    for (const item of queue) {
      if (isFailed) return;
      try {
        // oxlint-disable-next-line no-await-in-loop -- a worker has one item in flight
        await work(item);
      } catch (error) {
        isFailed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
};
