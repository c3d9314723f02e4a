/**
 * Waits for works that run at the same time, for all of them even after an error, as `inParallel` does.
 *
 * @throws the error of the first work, in their order, that failed
 */
export const allEnded = async (works: readonly Promise<unknown>[]): Promise<void> => {
  await Promise.allSettled(works);
  await Promise.all(works);
};
