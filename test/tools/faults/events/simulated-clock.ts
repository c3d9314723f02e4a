import type { ServiceProcess } from '../../../support/processes.ts';
import { setClock } from '../../../support/stage.ts';

/** The clock of the service processes. It runs as the machine's does, and jumps ahead when the tool says so. */
export const createSimulatedClock = () => {
  const jumps: { readonly fromMs: number; readonly offsetMs: number }[] = [{ fromMs: 0, offsetMs: 0 }];
  const offsetMs = (): number => jumps.at(-1)!.offsetMs;
  return {
    now: (): number => Date.now() + offsetMs(),
    /** The clock's time at a time of the machine. */
    at: (machineMs: number): number =>
      machineMs + jumps.findLast(({ fromMs }) => fromMs <= machineMs)!.offsetMs,
    /** The variables of a service process that starts now. */
    environment: (): Record<string, string> => ({ CLOCK_OFFSET_MS: String(offsetMs()) }),
    /** Lets the clocks of all service processes jump ahead. They must run. */
    advance: async (stages: readonly ServiceProcess[], byMs: number): Promise<void> => {
      const next = offsetMs() + byMs;
      jumps.push({ fromMs: Date.now(), offsetMs: next });
      await Promise.all(stages.map((stage) => setClock(stage, { offsetMs: next })));
    },
  };
};

export type SimulatedClock = ReturnType<typeof createSimulatedClock>;
