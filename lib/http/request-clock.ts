import type { Clock } from '../core/clock.ts';

/** The time of one request. */
export interface RequestClock {
  /** The time at which the gateway received the request, plus the time since. */
  readonly now: Clock;
  /** The milliseconds since the function received the request. */
  readonly elapsedMs: () => number;
}

/**
 * Starts the clock of a request.
 *
 * @param requestTimeMs when the gateway received it
 * @param now the machine's clock
 */
export const requestClock = (requestTimeMs: number, now: Clock): RequestClock => {
  const startedAtMs = now();
  const elapsedMs = (): number => now() - startedAtMs;
  return { now: () => requestTimeMs + elapsedMs(), elapsedMs };
};
