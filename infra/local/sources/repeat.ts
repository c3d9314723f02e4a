import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Repeats work, with a pause after each end. A failure is reported, and the next repetition tries again.
 *
 * @returns a function that ends the repetitions and waits for the last one
 */
export const repeat = (
  pauseMs: number,
  work: (signal: AbortSignal) => Promise<unknown>,
  reportFailure: (error: unknown) => void,
): (() => Promise<void>) => {
  const controller = new AbortController();
  const { signal } = controller;
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      try {
        await work(signal);
      } catch (error) {
        if (!signal.aborted) reportFailure(error);
      }
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  };
  const ended = run();
  return async () => {
    controller.abort();
    await ended;
  };
};
