import type { Clock } from '../../lib/core/clock.ts';

/** A time between two whole seconds, which makes rounding visible. */
export const NOW_MS = Date.UTC(2026, 0, 15, 12, 30, 0, 250);

/** A clock that stands still until a test advances it. */
export interface ManualClock {
  readonly now: Clock;
  advance(seconds: number): void;
}

/** A clock at {@link NOW_MS}, or another start. */
export const manualClock = (startMs = NOW_MS): ManualClock => {
  let timeMs = startMs;
  return {
    now: () => timeMs,
    advance: (seconds) => {
      timeMs += seconds * 1_000;
    },
  };
};

/** A clock that returns these times in turn, then the last of them. */
export const clockOf = (...timesMs: readonly number[]): Clock => {
  let read = 0;
  return () => timesMs[Math.min(read++, timesMs.length - 1)] ?? 0;
};
