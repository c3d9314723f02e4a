import type { Clock } from '../core/clock.ts';

/**
 * The clock of a request: the time at which the gateway received it, plus the time since.
 *
 * @param requestTimeMs when the gateway received it
 * @param now the machine's clock
 */
export const requestClock = (requestTimeMs: number, now: Clock): Clock => {
  const startedAtMs = now();
  return () => requestTimeMs + now() - startedAtMs;
};
