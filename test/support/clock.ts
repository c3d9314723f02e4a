import type { Clock } from '../../lib/clock.ts';

/** A clock that stands still until it is told to move. */
export interface ManualClock {
  readonly now: Clock;
  advance(seconds: number): void;
}

/** A clock at a moment that is no whole second, so that rounding shows. */
export const manualClock = (startMs = Date.UTC(2026, 0, 15, 12, 30, 0, 250)): ManualClock => {
  let timeMs = startMs;
  return {
    now: () => timeMs,
    advance: (seconds) => {
      timeMs += seconds * 1_000;
    },
  };
};
