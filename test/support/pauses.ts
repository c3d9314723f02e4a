import type { Pauses } from '../../lib/core/retry.ts';

/** Pauses that take no time, and their lengths. Half of each longest pause. */
export const givenPauses = (onSleep: (count: number) => void = () => undefined) => {
  const waitsMs: number[] = [];
  const pauses: Pauses = {
    sleep: (ms) => {
      waitsMs.push(ms);
      onSleep(waitsMs.length);
      return Promise.resolve();
    },
    random: () => 0.5,
  };
  return { pauses, waitsMs };
};
