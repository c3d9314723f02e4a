import { TrueClock } from './true-clock.ts';

/** The one clock of this process. Every client of a function corrects it, and so does the local stage at its start. */
export const processClock = new TrueClock({
  machineNow: () => Date.now(),
  monotonicNow: () => performance.now(),
});
