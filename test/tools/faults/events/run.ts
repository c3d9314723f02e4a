import { setTimeout } from 'node:timers/promises';
import { logKey } from '../../../../lib/events/logged-event.ts';
import type { Random } from '../world/random.ts';
import type { EventsHistory } from './history.ts';
import { LOGS, makePlans, type Plan } from './plan.ts';
import { type FeedFollower, followFeed } from './reader.ts';
import { EVENTS_SCENARIOS, type EventsScenario } from './scenarios.ts';
import { isFannedOut, readWorkTimes, storedCarts, storedEvents } from './stored.ts';
import { type EventsWorld, startEventsWorld } from './world.ts';
import { createWriters, type Written } from './writers.ts';

export interface EventsOptions {
  /** The number of changes, about. */
  readonly changes: number;
  readonly only: string;
  readonly random: Random;
  readonly print: (line: string) => void;
}

/** The commands take a second each. */
const CHANGES_PER_COMMAND = 500;

/** Carts that expire do so during the load, which handles about so many changes a second. */
const CHANGES_PER_SECOND = 60;

/** The remaining changes have no fault, so that the run ends in time. */
const STRIKES_MAX = 3;

const CALM_BEFORE_MS = 300;
const CALM_AFTER_MS = 1_500;

/** The pause of the first probe, and the time in which the service notices. */
const PROBE_AFTER_MS = 65_000;
const NOTICED_AFTER_MS = 4_000;

/** Waiting deliveries of one endpoint drain at ten a second. */
const settleMaxMs = (changes: number): number => 120_000 + 60 * changes;

const SETTLE_POLL_MS = 500;
/** The work that the processes have before the clock jumps. More work keeps them busy. */
const READY_MIN = 50;
const RELEASED_PER_JUMP = 250;

/** A message that a function returned is visible again within this time. */
const RETURNED_WITHIN_MS = 60_000;

/** Carries out plans under a fault, which is repeated meanwhile. */
const runScenario = async (
  { name, strike, opensBreaker = false }: EventsScenario,
  plans: readonly Plan[],
  write: (plans: readonly Plan[]) => Promise<void>,
  world: EventsWorld,
  print: EventsOptions['print'],
): Promise<void> => {
  const startMs = performance.now();
  const written = new AbortController();
  const writing = write(plans).finally(() => written.abort());
  let strikes = 0;
  do {
    await setTimeout(CALM_BEFORE_MS);
    if (strike && strikes < STRIKES_MAX) {
      await strike(world);
      strikes += 1;
      await setTimeout(CALM_AFTER_MS);
    }
  } while (!written.signal.aborted);
  await writing;
  if (opensBreaker) {
    await world.clock.advance(world.stages, PROBE_AFTER_MS);
    await setTimeout(NOTICED_AFTER_MS);
  }
  const seconds = ((performance.now() - startMs) / 1_000).toFixed(0);
  print(`${name}: ${plans.length} carts, ${strikes} times, ${seconds} s`);
};

/**
 * Waits until all work is done. When little is left that can be done now, the clocks jump to the time of the next work.
 *
 * @returns whether all work is done
 */
const settle = async (
  { documents, clock, stages }: EventsWorld,
  maxMs: number,
  print: EventsOptions['print'],
): Promise<boolean> => {
  const startMs = performance.now();
  const simulatedMs = clock.now();
  let isDone = false;
  let quietPolls = 0;
  while (!isDone && performance.now() - startMs < maxMs) {
    await setTimeout(SETTLE_POLL_MS);
    const times = await readWorkTimes(documents);
    const fannedOut = (await Promise.all(LOGS.map((log) => isFannedOut(documents, log)))).every(Boolean);
    const nowMs = clock.now();
    const ready = times.filter((atMs) => atMs <= nowMs).length;
    quietPolls = fannedOut && ready < READY_MIN ? quietPolls + 1 : 0;
    isDone = fannedOut && times.length === 0;
    const later = times.filter((atMs) => atMs > nowMs && atMs < Infinity);
    const target = later[Math.min(RELEASED_PER_JUMP, later.length) - 1] ?? nowMs + RETURNED_WITHIN_MS;
    // Two polls, so that a message in flight causes no jump.
    if (quietPolls >= 2 && !isDone) {
      await clock.advance(stages, target - nowMs + 1_000);
      quietPolls = 0;
    }
  }
  const seconds = ((performance.now() - startMs) / 1_000).toFixed(0);
  const minutes = Math.round((clock.now() - simulatedMs) / 60_000);
  print(`settled in ${seconds} s, ${minutes} simulated minutes`);
  return isDone;
};

const collect = async (
  { documents, endpoints, receiver, clock }: EventsWorld,
  written: readonly Written[],
  followers: ReadonlyMap<string, FeedFollower>,
  isSettled: boolean,
): Promise<EventsHistory> => ({
  carts: await storedCarts(documents),
  written,
  logs: await Promise.all(
    LOGS.map(async (log) => ({
      log,
      stored: await storedEvents(documents, log),
      followed: followers.get(logKey(log))!.events,
    })),
  ),
  endpoints,
  received: receiver.received,
  endedAtMs: clock.now(),
  isSettled,
});

/** Runs the events' part: changes under faults, then the end of all work. Returns what there is to check. */
export const runEvents = async (
  cleanUp: AsyncDisposableStack,
  { changes, only, random, print }: EventsOptions,
): Promise<EventsHistory> => {
  const scenarios = EVENTS_SCENARIOS.filter(({ name }) => name.includes(only));
  const commands = Math.ceil(changes / CHANGES_PER_COMMAND);
  const plans = makePlans(random, changes, commands, Date.now(), 10 + changes / CHANGES_PER_SECOND);
  const world = await startEventsWorld(cleanUp, plans);
  const followers = new Map(
    [...world.keys].map(([key, apiKey]) => [key, followFeed(world.baseUrls, apiKey, random)]),
  );
  const written: Written[] = [];
  const write = createWriters(world, random, written);
  const share = Math.ceil(plans.length / scenarios.length);
  for (const [index, scenario] of scenarios.entries()) {
    const part = plans.slice(index * share, (index + 1) * share);
    await runScenario(scenario, part, write, world, print);
  }
  const isSettled = await settle(world, settleMaxMs(changes), print);
  await Promise.all([...followers.values()].map((follower) => follower.stop()));
  return collect(world, written, followers, isSettled);
};
