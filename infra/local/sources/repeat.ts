import { setTimeout as sleep } from 'node:timers/promises';

/** Repeats work until a signal aborts, with a pause after each end. A failure is reported, and the work repeated. */
export const repeat = async (
  pauseMs: number,
  work: () => Promise<unknown>,
  signal: AbortSignal,
  reportFailure: (error: unknown) => void,
): Promise<void> => {
  while (!signal.aborted) {
    await work().catch(reportFailure);
    await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
  }
};
