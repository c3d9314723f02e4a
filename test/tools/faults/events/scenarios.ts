import { setTimeout } from 'node:timers/promises';
import type { ReceiverResponse } from '../../../support/http/webhook-receiver.ts';
import {
  failing,
  failingNetwork,
  frozenDatabase,
  killedDatabase,
  killedStage,
  repeatingWrites,
  type Strike,
} from '../world/strikes.ts';
import type { EventsWorld } from './world.ts';

/** A part of the changes, with a fault that is repeated meanwhile. */
export interface EventsScenario {
  readonly name: string;
  readonly strike?: Strike<EventsWorld>;
  /** The breakers are open afterwards. */
  readonly opensBreaker?: boolean;
}

/** Longer than the lease of an attempt. */
const frozenStage =
  (stage: number): Strike<EventsWorld> =>
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
