import { setTimeout } from 'node:timers/promises';
import type { ReceiverResponse } from '../../support/http/webhook-receiver.ts';
import type { EventsWorld } from './events/world.ts';
import {
  type Fate,
  isWrite,
  type NetworkFault,
  type RecordedCall,
} from '../../support/database/dynamodb-proxy.ts';
import type { World } from './world/world.ts';

/** Causes a fault and removes its cause. The service must then recover by itself. */
type Strike<Struck> = (world: Struck) => Promise<void>;

/** Load with a fault. The fault is repeated until enough requests were in flight during it. */
export interface Scenario {
  readonly name: string;
  /** The least number of requests: during the fault, or in all if there is none. */
  readonly requests: number;
  readonly strike?: Strike<World>;
  /** The service process that fails. Default: the database fails */
  readonly stage?: number;
}

/** A part of the changes, with a fault that is repeated meanwhile. */
export interface EventsScenario {
  readonly name: string;
  readonly strike?: Strike<EventsWorld>;
  /** The breakers are open afterwards. */
  readonly opensBreaker?: boolean;
}

const killedDatabase: Strike<World> = async ({ database, network }) => {
  await database.kill();
  network.reject();
  await setTimeout(1_500);
  await database.start();
  await network.accept();
};

const frozenDatabase: Strike<World> = async ({ database }) => {
  database.freeze();
  await setTimeout(5_000);
  database.thaw();
};

const failingNetwork =
  (fault: NetworkFault, durationMs: number): Strike<World> =>
  async ({ network }) => {
    network.setFault(fault);
    await setTimeout(durationMs);
    network.setFault();
  };

/** These shares of the responses, from 0 to 1, fail. */
const failing =
  ({ cut = 0, lost = 0, silent = 0 }: Partial<Record<Fate, number>>) =>
  (): Fate => {
    // Not by the seed: the number of calls depends on time.
    const drawn = Math.random();
    if (drawn < cut) return 'cut';
    if (drawn < cut + lost) return 'lost';
    return drawn < cut + lost + silent ? 'silent' : 'forwarded';
  };

/**
 * Loses the first response to one of ten writes, so each is repeated once. A write that recognizes its own effect gives the SDK no
 * retry token back: if more were lost, the SDK would stop to retry.
 */
const repeatingWrites = (call: RecordedCall): Fate =>
  isWrite(call) && call.attempt === 1 && Math.random() < 0.1 ? 'lost' : 'forwarded';

const killedStage =
  (stage: number): Strike<World> =>
  async (world) => {
    await world.killStage(stage);
    await setTimeout(1_000);
    await world.restartStage(stage);
  };

/** Longer than the lease of an attempt. */
const frozenStage =
  (stage: number): Strike<World> =>
  async ({ stages }) => {
    const { child } = stages[stage]!;
    child.kill('SIGSTOP');
    await setTimeout(17_000);
    child.kill('SIGCONT');
  };

const failingReceiver =
  (response: ReceiverResponse, durationMs: number): Strike<EventsWorld> =>
  async ({ receiver }) => {
    receiver.respond(response);
    await setTimeout(durationMs);
    receiver.respond(204);
  };

/** It responds to what waits when it thaws. */
const frozenReceiver: Strike<EventsWorld> = (world) => {
  const thawed = setTimeout(12_000, 204);
  return failingReceiver(() => thawed, 12_000)(world);
};

const killedReceiver: Strike<EventsWorld> = async ({ receiver }) => {
  await receiver.close();
  await setTimeout(3_000);
  await receiver.reopen();
};

/** The faults that requests must survive. */
export const SCENARIOS: readonly Scenario[] = [
  { name: 'no fault', requests: 10_000 },
  { name: 'database killed', requests: 6_000, strike: killedDatabase },
  { name: 'database frozen for 5 s', requests: 600, strike: frozenDatabase },
  {
    name: 'database slower by 2 s',
    requests: 1_200,
    strike: failingNetwork({ delayMs: 2_000 }, 15_000),
  },
  {
    name: 'connections cut mid-response',
    requests: 50_000,
    strike: failingNetwork({ fateOf: failing({ cut: 0.2 }) }, 30_000),
  },
  {
    name: 'responses lost after a write',
    requests: 40_000,
    strike: failingNetwork({ fateOf: failing({ lost: 0.2, silent: 0.005 }) }, 30_000),
  },
  {
    name: 'one of ten writes repeated',
    requests: 6_000,
    strike: failingNetwork({ fateOf: repeatingWrites }, 30_000),
  },
  { name: 'service process 0 killed', requests: 1_500, strike: killedStage(0), stage: 0 },
  { name: 'service process 1 killed', requests: 1_500, strike: killedStage(1), stage: 1 },
];

/** The faults that every event must survive. */
export const EVENTS_SCENARIOS: readonly EventsScenario[] = [
  { name: 'events without a fault' },
  { name: 'events, database killed', strike: killedDatabase },
  { name: 'events, database frozen for 5 s', strike: frozenDatabase },
  { name: 'events, database slower by 500 ms', strike: failingNetwork({ delayMs: 500 }, 6_000) },
  {
    name: 'events, connections cut mid-response',
    strike: failingNetwork({ fateOf: failing({ cut: 0.1 }) }, 5_000),
  },
  {
    name: 'events, responses lost after a write',
    strike: failingNetwork({ fateOf: failing({ lost: 0.1, silent: 0.005 }) }, 5_000),
  },
  { name: 'events, one of ten writes repeated', strike: failingNetwork({ fateOf: repeatingWrites }, 5_000) },
  { name: 'events, service process 0 killed', strike: killedStage(0) },
  { name: 'events, service process 1 killed', strike: killedStage(1) },
  { name: 'events, service process 0 frozen for 17 s', strike: frozenStage(0) },
  {
    name: 'events, receiver slower by 2 s',
    strike: failingReceiver(() => setTimeout(2_000, 204), 6_000),
  },
  {
    name: 'events, receiver fails 30 %',
    strike: failingReceiver(() => (Math.random() < 0.3 ? 500 : 204), 6_000),
    opensBreaker: true,
  },
  { name: 'events, receiver frozen for 12 s', strike: frozenReceiver, opensBreaker: true },
  { name: 'events, receiver killed', strike: killedReceiver, opensBreaker: true },
];
