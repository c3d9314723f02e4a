import { loadavg } from 'node:os';
import type { Mode } from '../../../../lib/core/mode.ts';
import { atMost, type Effort, goal, quantile, type Report, type Verdict } from '../support/report.ts';
import { ATTACK_NAMES, ATTACKS } from './attacks.ts';
import type { SentEvent } from './healthy-store.ts';
import {
  type AttackInMode,
  GRACE_MS,
  type HealthyLoad,
  type Phase,
  runPhase,
  type StoreEvents,
} from './phase.ts';

const P99_MAX_MS = 2_000;

/** Of the first minute beside many stores: until the breakers of all their endpoints are open. */
const FIRST_MINUTE_P99_MAX_MS = 15_000;
const FIRST_MINUTE_MS = 60_000;

/** The p50 of a live store beside an attack in test mode may exceed the quiet one by the larger of these two. */
const LIVE_P50_RATIO_MAX = 1.2;
const LIVE_P50_MORE_MS_MAX = 50;

const EVENTS = 1_000;
const FULL_LOAD: HealthyLoad = { perSecond: 12, warmUpEvents: 60, events: EVENTS, isQuick: false };
const QUICK_LOAD: HealthyLoad = { perSecond: 10, warmUpEvents: 5, events: 10, isQuick: true };

/** The load beside an attack: that of many stores lasts a minute longer. */
const loadOf = (attack: AttackInMode | undefined, isQuick: boolean): HealthyLoad => {
  if (isQuick) return QUICK_LOAD;
  if (attack?.name !== 'many-stores') return FULL_LOAD;
  return { ...FULL_LOAD, events: EVENTS + (FULL_LOAD.perSecond * FIRST_MINUTE_MS) / 1_000 };
};

/** The events of one row of the table. */
interface Part {
  readonly phase: Phase;
  readonly mode: Mode;
  /** Absent: the whole phase. */
  readonly time?: 'first minute' | 'later';
  readonly events: readonly SentEvent[];
  readonly delaysMs: readonly number[];
  /** How many arrived later than 30 s after the phase, or never. */
  readonly late: number;
  /** How many never arrived. */
  readonly lost: number;
}

const partOf = (phase: Phase, { mode, graceEndMs }: StoreEvents, events: readonly SentEvent[]): Part => ({
  phase,
  mode,
  events,
  delaysMs: events.map(({ sentAtMs, arrivedAtMs }) => arrivedAtMs - sentAtMs),
  late: events.filter(({ arrivedAtMs }) => arrivedAtMs > graceEndMs).length,
  lost: events.filter(({ arrivedAtMs }) => arrivedAtMs === Infinity).length,
});

/** The rows of a phase. Beside many stores, the first minute and the time after it have a row each. */
const partsOf = (phase: Phase): readonly Part[] =>
  phase.stores.flatMap((store): readonly Part[] => {
    if (phase.attack?.name !== 'many-stores') return [partOf(phase, store, store.events)];
    const isFirst = ({ sentAtMs }: SentEvent): boolean => sentAtMs < store.startMs + FIRST_MINUTE_MS;
    const [first, later] = [store.events.filter(isFirst), store.events.filter((event) => !isFirst(event))];
    const parts: readonly Part[] = [
      { ...partOf(phase, store, first), time: 'first minute' },
      { ...partOf(phase, store, later), time: 'later' },
    ];
    // A quick run ends before.
    return parts.filter(({ events }) => events.length > 0);
  });

const COLUMNS = [
  'attack',
  'mode',
  'healthy store',
  'events',
  'p50 ms',
  'p99 ms',
  'max ms',
  'request p99',
  'late',
  'lost',
  'hanging',
  'attempts',
  'stage CPU',
  'machine CPU',
];

const percent = (share: number): string => `${(100 * share).toFixed(0)} %`;

const rowOf = ({ phase, mode, time, events, delaysMs, late, lost }: Part): readonly string[] => [
  `${phase.attack?.name ?? 'none'}${time ? `, ${time}` : ''}`,
  phase.attack?.mode ?? '',
  mode,
  String(events.length),
  ...[0.5, 0.99, 1].map((share) => quantile(delaysMs, share).toFixed(0)),
  quantile(
    events.map(({ requestMs }) => requestMs),
    0.99,
  ).toFixed(0),
  ...[late, lost, phase.hangingMax, phase.attempts].map(String),
  percent(phase.stageCpuShare),
  percent(phase.machineCpuShare),
];

const p99Verdict = ({ phase: { attack }, mode, time, delaysMs }: Part): readonly Verdict[] => {
  if (attack?.mode !== mode) return [];
  const maxMs = time === 'first minute' ? FIRST_MINUTE_P99_MAX_MS : P99_MAX_MS;
  const row = `${attack.name}${time ? `, ${time}` : ''} in ${mode} mode`;
  const p99Ms = quantile(delaysMs, 0.99);
  return [
    goal(atMost(`${row}: p99 of the ${mode} store at most ${maxMs} ms`, p99Ms, maxMs, p99Ms.toFixed(0))),
  ];
};

const p50Verdict = (
  { phase: { attack }, mode, time, delaysMs }: Part,
  quietMs: number,
): readonly Verdict[] => {
  if (attack?.mode !== 'test' || mode !== 'live') return [];
  const maxMs = Math.max(LIVE_P50_RATIO_MAX * quietMs, quietMs + LIVE_P50_MORE_MS_MAX);
  const row = `${attack.name}${time ? `, ${time}` : ''} in test mode`;
  const p50Ms = quantile(delaysMs, 0.5);
  const bound = `${row}: p50 of the live store at most ${maxMs.toFixed(0)} ms`;
  return [goal(atMost(bound, p50Ms, maxMs, p50Ms.toFixed(0)))];
};

const verdictsOf = (parts: readonly Part[]): readonly Verdict[] => {
  const quiet = parts.find(({ phase, mode }) => !phase.attack && mode === 'live')!;
  const quietMs = quantile(quiet.delaysMs, 0.5);
  const lost = parts.reduce((sum, part) => sum + part.lost, 0);
  return [
    ...parts.flatMap((part) => [...p99Verdict(part), ...p50Verdict(part, quietMs)]),
    atMost('lost events of healthy stores, at most 0', lost, 0, String(lost)),
  ];
};

/** A line about the attack of a phase, with the responses that it got. */
const attackLine = ({ attack, outcomes }: Phase): string => {
  if (!attack) return '';
  const counts = Array.from(outcomes, ([outcome, count]) => `${outcome}: ${count}`).join(', ');
  return `\n${attack.name}, ${attack.mode}: ${ATTACKS[attack.name].title} (${counts}).`;
};

/** The phases: one without an attack, then each attack in both modes. */
const phasesOf = ({ attacks }: Effort): readonly (AttackInMode | undefined)[] => {
  const names = ATTACK_NAMES.filter((name) => attacks?.includes(name) ?? true);
  return [undefined, ...names.flatMap((name) => (['test', 'live'] as const).map((mode) => ({ name, mode })))];
};

/** Measures the webhooks of healthy stores beside stores that attack, on the local stage. */
export const benchNeighbours = async (effort: Effort): Promise<Report> => {
  const phases: Phase[] = [];
  for (const attack of phasesOf(effort)) {
    process.stderr.write(`${attack ? `${attack.name} in ${attack.mode} mode` : 'no attack'} ...\n`);
    phases.push(await runPhase(attack, loadOf(attack, effort.isQuick)));
  }
  const parts = phases.flatMap(partsOf);
  const { perSecond } = loadOf(undefined, effort.isQuick);
  return {
    title: 'Neighbours: webhooks of healthy stores beside attacks by others, on the local stage',
    method:
      `From the request that lets a payment fail to its webhook. One store in each mode, with ${perSecond} payments a second.\n` +
      `Late: more than ${GRACE_MS / 1_000} s after the load. Hanging: the most attempts at the same time that wait for the attacking endpoints.\n` +
      'Stage, database, attacks and receivers share the processors. If the stage used one fully, delays show that alone.\n' +
      `Load average at the end: ${loadavg()[0]!.toFixed(1)}.${phases.map(attackLine).join('')}`,
    columns: COLUMNS,
    rows: parts.map(rowOf),
    verdicts: verdictsOf(parts),
  };
};
