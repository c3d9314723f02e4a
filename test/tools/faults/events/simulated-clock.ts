import type { ServiceProcess } from '../../../support/programs/processes.ts';
import { setClock } from '../../../support/programs/stage.ts';

/** The clock of the service processes. It runs as the machine's does, and jumps ahead when the tool says so. */
export const createSimulatedClock = () => {
  let offsetMs = 0;
  return {
    now: (): number => Date.now() + offsetMs,
    /** The variables of a service process that starts now. */
    environment: (): Record<string, string> => ({ CLOCK_OFFSET_MS: String(offsetMs) }),
    /** Lets the clocks of all service processes jump ahead. They must run. */
    advance: async (stages: readonly ServiceProcess[], byMs: number): Promise<void> => {
      offsetMs += byMs;
      await Promise.all(stages.map((stage) => setClock(stage, { offsetMs })));
    },
  };
};

export type SimulatedClock = ReturnType<typeof createSimulatedClock>;
