/** The writes of a piece of background work that are in flight at the same time. */
export const WRITES_AT_ONCE = 10;

/**
 * Processes items, at most so many at the same time. After an error it starts no further item, and waits for those in flight:
 * Lambda freezes a process that has returned, and a write would continue after its retry.
 *
 * @throws the first error
 */
export const inParallel = async <Item>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<unknown>,
): Promise<void> => {
  const queue = items.values();
  const errors: unknown[] = [];
  const worker = async (): Promise<void> => {
    for (const item of queue) {
      if (errors.length > 0) return;
      try {
        // oxlint-disable-next-line no-await-in-loop -- a worker has one item in flight
        await work(item);
      } catch (error) {
        errors.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
  if (errors.length > 0) throw errors[0];
};
