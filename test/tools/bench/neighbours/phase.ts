import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Mode, MODES } from '../../../../lib/stores/mode.ts';
import { type LocalStage, startLocalStage } from '../http/stage.ts';
import { cpuSeconds, machineMs } from '../support/cpu-time.ts';
import { type BenchDatabase, startBenchDatabase } from '../support/database.ts';
import { makeTemporaryFolder } from '../support/environment.ts';
import { type SlowReceiver, startSlowReceiver } from '../webhooks/slow-receiver.ts';
import { type Attack, type AttackName, ATTACKS } from './attacks.ts';
import { type HealthyStore, type SentEvent, startHealthyStore } from './healthy-store.ts';
import { waitUntil } from './paced.ts';

/** An attack by a store, or by stores, with keys of this mode. */
export interface AttackInMode {
  readonly name: AttackName;
  readonly mode: Mode;
}

/** The events of each healthy store. */
export interface HealthyLoad {
  readonly perSecond: number;
  /** The events before the measurement. */
  readonly warmUpEvents: number;
  readonly events: number;
  readonly isQuick: boolean;
}

/** The events of a healthy store, in the order of their requests. */
export interface StoreEvents {
  readonly mode: Mode;
  readonly events: readonly SentEvent[];
  /** When the attack and the load began. */
  readonly startMs: number;
  /** The end of the load and 30 s: an event that arrived later is late. */
  readonly graceEndMs: number;
}

export interface Phase {
  /** Absent: no attack. */
  readonly attack?: AttackInMode | undefined;
  readonly stores: readonly StoreEvents[];
  /** The attempts to the attacking endpoints. */
  readonly attempts: number;
  /** The most attempts that waited for a response at the same time. */
  readonly hangingMax: number;
  /** How often the attack had each outcome. */
  readonly outcomes: ReadonlyMap<number | string, number>;
  /** The share of one processor that the stage used. */
  readonly stageCpuShare: number;
  /** The share of all processors that all programs used. */
  readonly machineCpuShare: number;
}

/** An event that has not arrived by then is late. */
export const GRACE_MS = 30_000;

/** How long a phase waits for late events. A message waits up to five minutes until its next attempt. */
export const WAIT_MS_MAX = 330_000;

/** Begins a measurement. The returned function ends it. */
const measureCpu = (stage: LocalStage) => {
  const startMs = performance.now();
  const startSeconds = cpuSeconds(stage.processId);
  const start = machineMs();
  return (): Pick<Phase, 'stageCpuShare' | 'machineCpuShare'> => {
    const { total, idle } = machineMs();
    return {
      stageCpuShare: (1_000 * (cpuSeconds(stage.processId) - startSeconds)) / (performance.now() - startMs),
      machineCpuShare: 1 - (idle - start.idle) / (total - start.total),
    };
  };
};

/** Sends the load of all healthy stores, in turns. */
const sendLoad = (
  stores: readonly HealthyStore[],
  perSecond: number,
  count: number,
): Promise<(readonly SentEvent[])[]> =>
  Promise.all(
    stores.map(async (store, index) => {
      await sleep((index * 1_000) / perSecond / stores.length);
      return store.send(perSecond, count);
    }),
  );

const haveArrived = (sent: readonly (readonly SentEvent[])[]): boolean =>
  sent.every((events) => events.every(({ arrivedAtMs }) => arrivedAtMs < Infinity));

/** Sends the load beside the attack. Then waits for the events that have not arrived. */
const measure = async (
  { perSecond, events }: HealthyLoad,
  stores: readonly HealthyStore[],
  stage: LocalStage,
  attack: (signal: AbortSignal) => Promise<unknown>,
): Promise<Pick<Phase, 'stores' | 'stageCpuShare' | 'machineCpuShare'>> => {
  const controller = new AbortController();
  const startMs = performance.now();
  const endOfCpu = measureCpu(stage);
  const attacking = attack(controller.signal);
  const sent = await sendLoad(stores, perSecond, events);
  const shares = endOfCpu();
  controller.abort();
  await attacking;
  const graceEndMs = performance.now() + GRACE_MS;
  await waitUntil(() => haveArrived(sent), WAIT_MS_MAX);
  return {
    ...shares,
    stores: sent.map((ofStore, index) => ({
      mode: stores[index]!.mode,
      events: ofStore,
      startMs,
      graceEndMs,
    })),
  };
};

/** Runs a phase on a stage that has started. */
const runOn = async (
  stage: LocalStage,
  { documents }: BenchDatabase,
  receiver: SlowReceiver,
  attack: AttackInMode | undefined,
  load: HealthyLoad,
): Promise<Phase> => {
  const started = MODES.map((mode) =>
    startHealthyStore(stage, documents, mode, load.warmUpEvents + load.events),
  );
  const stores = await Promise.all(started);
  const warmUp = await sendLoad(stores, load.perSecond, load.warmUpEvents);
  await waitUntil(() => haveArrived(warmUp), GRACE_MS);
  const outcomes = new Map<number | string, number>();
  const prepared =
    attack &&
    (await ATTACKS[attack.name].prepare({
      stage,
      documents,
      mode: attack.mode,
      receiver,
      isQuick: load.isQuick,
      count: (outcome) => outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1),
    }));
  // The figures leave out the preparation.
  outcomes.clear();
  const measured = await measure(load, stores, stage, prepared ?? (async () => undefined));
  for (const store of stores) store.close();
  const { attempts, inFlightMax: hangingMax } = receiver.counts();
  return { attack, ...measured, attempts, hangingMax, outcomes };
};

/** Measures two healthy stores, one in each mode, beside an attack. Each phase has a stage of its own. */
export const runPhase = async (attack: AttackInMode | undefined, load: HealthyLoad): Promise<Phase> => {
  const database = await startBenchDatabase();
  const stage = await startLocalStage(database, join(makeTemporaryFolder(), 'stage.log'));
  const attacking: Attack | undefined = attack && ATTACKS[attack.name];
  const receiver = await startSlowReceiver(attacking?.responseMs, attacking?.isQuickAtFirst);
  const phase = await runOn(stage, database, receiver, attack, load);
  receiver.close();
  await stage.stop();
  await database.close();
  return phase;
};
