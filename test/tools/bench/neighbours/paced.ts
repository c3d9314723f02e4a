import { setTimeout as sleep } from 'node:timers/promises';

/** The most requests in flight, also at a stage that responds slowly. */
const IN_FLIGHT_MAX = 20;

/**
 * Starts work at a rate until the signal aborts, then waits for what it started. It skips a turn while 20 are in flight.
 *
 * @param work gets the number of its turn, from 0. It may not throw
 */
export const paced = async (
  perSecond: number,
  signal: AbortSignal,
  work: (turn: number) => Promise<void>,
): Promise<void> => {
  const inFlight = new Set<Promise<void>>();
  const startMs = performance.now();
  for (let turn = 0; !signal.aborted; turn += 1) {
    if (inFlight.size < IN_FLIGHT_MAX) {
      const run = work(turn).finally(() => inFlight.delete(run));
      inFlight.add(run);
    }
    const nextMs = startMs + (1_000 * (turn + 1)) / perSecond;
    await sleep(Math.max(0, nextMs - performance.now()), undefined, { signal }).catch(() => undefined);
  }
  await Promise.all(inFlight);
};

/** Waits until a condition holds, but no longer than this. */
export const waitUntil = async (holds: () => boolean, maxMs: number): Promise<void> => {
  const endMs = performance.now() + maxMs;
  while (!holds() && performance.now() < endMs) await sleep(100);
};
