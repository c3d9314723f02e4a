import { TrueClock, type TrueClockOptions } from './true-clock.ts';

/** The clocks of the machine. Code of the service reads {@link processClock} instead: lint rejects all others. */
export const machineClocks: TrueClockOptions = {
  machineNow: () => Date.now(),
  monotonicNow: () => performance.now(),
};

/** The one clock of this process. Every client of a function corrects it, and so does the local stage at its start. */
export const processClock = new TrueClock(machineClocks);
