import { setTimeout } from 'node:timers/promises';
import { NO_FAULT, type NetworkFault } from '../world/faulty-proxy.ts';
import { killedDatabase, frozenDatabase } from '../scenarios.ts';
import type { EventsWorld } from './world.ts';
import { NO_RECEIVER_FAULT, type ReceiverFault } from './received.ts';

/** A part of the changes, with a fault that is repeated meanwhile. */
export interface EventsScenario {
  readonly name: string;
  readonly strike?: (world: EventsWorld) => Promise<void>;
  /** The breakers are open afterwards. */
  readonly opensBreaker?: boolean;
}

const network =
  (fault: Partial<NetworkFault>, durationMs: number) =>
  async ({ world: { network: proxy } }: EventsWorld): Promise<void> => {
    proxy.setFault({ ...NO_FAULT, ...fault });
    await setTimeout(durationMs);
    proxy.setFault(NO_FAULT);
  };

const receiverFault =
  (fault: Partial<ReceiverFault>, durationMs: number) =>
  async ({ receiver }: EventsWorld): Promise<void> => {
    await receiver.setFault({ ...NO_RECEIVER_FAULT, ...fault });
    await setTimeout(durationMs);
    await receiver.setFault(NO_RECEIVER_FAULT);
  };

const killedStage =
  (stage: number) =>
  async ({ world, clock }: EventsWorld): Promise<void> => {
    await world.killStage(stage);
    await setTimeout(1_000);
    await world.restartStage(stage, clock.environment());
  };

/** Longer than the lease of an attempt. */
const frozenStage =
  (stage: number) =>
  async ({ world: { stages } }: EventsWorld): Promise<void> => {
    const { child } = stages[stage]!;
    child.kill('SIGSTOP');
    await setTimeout(17_000);
    child.kill('SIGCONT');
  };

/** The names of the checks of the part `schedule`. */
export const SCHEDULE_CHECKS = [
  'schedule, ten attempts',
  'schedule, open breaker',
  'schedule, timers of carts',
] as const;

export type ScheduleCheck = (typeof SCHEDULE_CHECKS)[number];

/** The faults that every event must survive. */
export const EVENTS_SCENARIOS: readonly EventsScenario[] = [
  { name: 'events without a fault' },
  { name: 'events, database killed', strike: ({ world }) => killedDatabase.strike(world) },
  { name: 'events, database frozen for 5 s', strike: ({ world }) => frozenDatabase.strike(world) },
  { name: 'events, database slower by 500 ms', strike: network({ delayMs: 500 }, 6_000) },
  { name: 'events, connections cut mid-response', strike: network({ cutShare: 0.1 }, 5_000) },
  {
    name: 'events, responses lost after a write',
    strike: network({ lostShare: 0.1, silentShare: 0.005 }, 5_000),
  },
  { name: 'events, service process 0 killed', strike: killedStage(0) },
  { name: 'events, service process 1 killed', strike: killedStage(1) },
  { name: 'events, service process 0 frozen for 17 s', strike: frozenStage(0) },
  { name: 'events, receiver slower by 2 s', strike: receiverFault({ delayMs: 2_000 }, 6_000) },
  {
    name: 'events, receiver fails 30 %',
    strike: receiverFault({ failedShare: 0.3 }, 6_000),
    opensBreaker: true,
  },
  {
    name: 'events, receiver frozen for 12 s',
    strike: async ({ receiver }) => {
      receiver.freeze();
      await setTimeout(12_000);
      receiver.thaw();
    },
    opensBreaker: true,
  },
  {
    name: 'events, receiver killed',
    strike: async ({ receiver }) => {
      await receiver.kill();
      await setTimeout(3_000);
      await receiver.start();
    },
    opensBreaker: true,
  },
];
