import { setTimeout } from 'node:timers/promises';
import type { FaultWindow } from './history.ts';
import { NO_FAULT, type NetworkFault } from './world/faulty-proxy.ts';
import type { World } from './world/world.ts';

/** Load with a fault. The fault is repeated until enough requests were in flight during it. */
export interface Scenario {
  readonly name: string;
  /** The least number of requests: during the fault, or in all if there is none. */
  readonly requests: number;
  readonly fault?: Fault;
}

export interface Fault {
  readonly victim: FaultWindow['victim'];
  /** Causes the fault and removes its cause. The service must then recover by itself. */
  readonly strike: (world: World) => Promise<void>;
}

export const killedDatabase: Fault = {
  victim: 'database',
  strike: async ({ database, network }) => {
    await database.kill();
    network.reject();
    await setTimeout(1_500);
    await database.start();
    await network.accept();
  },
};

export const frozenDatabase: Fault = {
  victim: 'database',
  strike: async ({ database }) => {
    database.freeze();
    await setTimeout(5_000);
    database.thaw();
  },
};

const failingNetwork = (fault: Partial<NetworkFault>, durationMs: number): Fault => ({
  victim: 'database',
  strike: async ({ network }) => {
    network.setFault({ ...NO_FAULT, ...fault });
    await setTimeout(durationMs);
    network.setFault(NO_FAULT);
  },
});

const killedStage = (stage: number): Fault => ({
  victim: { stage },
  strike: async (world) => {
    await world.killStage(stage);
    await setTimeout(1_000);
    await world.restartStage(stage);
  },
});

/** The faults that the service must survive. */
export const SCENARIOS: readonly Scenario[] = [
  { name: 'no fault', requests: 10_000 },
  { name: 'database killed', requests: 6_000, fault: killedDatabase },
  { name: 'database frozen for 5 s', requests: 600, fault: frozenDatabase },
  { name: 'database slower by 2 s', requests: 1_200, fault: failingNetwork({ delayMs: 2_000 }, 15_000) },
  {
    name: 'connections cut mid-response',
    requests: 50_000,
    fault: failingNetwork({ cutShare: 0.2 }, 30_000),
  },
  {
    name: 'responses lost after a write',
    requests: 40_000,
    fault: failingNetwork({ lostShare: 0.2, silentShare: 0.005 }, 30_000),
  },
  { name: 'service process 0 killed', requests: 1_500, fault: killedStage(0) },
  { name: 'service process 1 killed', requests: 1_500, fault: killedStage(1) },
];
