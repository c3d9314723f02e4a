import { loadavg } from 'node:os';
import type { Mode } from '../../../../lib/stores/mode.ts';
import { alignRows, atMost, type Effort, goal, quantile, type Report, type Verdict } from '../../report.ts';
import { ATTACK_NAMES, ATTACKS } from './attacks.ts';
import type { SentEvent } from './healthy-store.ts';
import {
  type AttackInMode,
  GRACE_MS,
  type HealthyLoad,
  type Phase,
  runPhase,
  type StoreEvents,
  WAIT_MS_MAX,
} from './phase.ts';

const P99_MAX_MS = 2_000;

/** The bound in the first minute beside many stores. Afterwards, the breakers of their endpoints are open. */
const FIRST_MINUTE_P99_MAX_MS = 15_000;
const FIRST_MINUTE_MS = 60_000;

/** The p50 of a live store beside an attack in test mode may exceed the quiet one by the larger of these two. */
const LIVE_P50_RATIO_MAX = 1.2;
const LIVE_P50_MORE_MS_MAX = 50;

const EVENTS = 1_000;
const FULL_LOAD: HealthyLoad = { perSecond: 12, warmUpEvents: 60, events: EVENTS, isQuick: false };
const QUICK_LOAD: HealthyLoad = { perSecond: 10, warmUpEvents: 5, events: 10, isQuick: true };

/** The load beside an attack. Beside many stores, it lasts a minute longer. */
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
  /** How many arrived later than 30 s after the load, or not at all. */
  readonly late: number;
  /** How many had not arrived at the end of the wait for them. */
  readonly missing: number;
}

const partOf = (phase: Phase, { mode, graceEndMs }: StoreEvents, events: readonly SentEvent[]): Part => ({
  phase,
  mode,
  events,
  delaysMs: events.map(({ sentAtMs, arrivedAtMs }) => arrivedAtMs - sentAtMs),
  late: events.filter(({ arrivedAtMs }) => arrivedAtMs > graceEndMs).length,
  missing: events.filter(({ arrivedAtMs }) => arrivedAtMs === Infinity).length,
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
  'missing',
  'hanging',
  'attempts',
  'stage CPU',
  'machine CPU',
];

/** The attack of a row, with the part of the phase. */
const nameOf = ({ phase: { attack }, time }: Part): string =>
  `${attack?.name ?? 'none'}${time ? `, ${time}` : ''}`;

const milliseconds = (ms: number): string => (ms === Infinity ? 'missing' : ms.toFixed(0));

const percent = (share: number): string => `${(100 * share).toFixed(0)} %`;

const rowOf = (part: Part): readonly string[] => {
  const { phase, mode, events, delaysMs, late, missing } = part;
  const requestsMs = events.map(({ requestMs }) => requestMs);
  return [
    nameOf(part),
    phase.attack?.mode ?? '',
    mode,
    String(events.length),
    ...[0.5, 0.99, 1].map((share) => milliseconds(quantile(delaysMs, share))),
    quantile(requestsMs, 0.99).toFixed(0),
    ...[late, missing, phase.hangingMax, phase.attempts].map(String),
    percent(phase.stageCpuShare),
    percent(phase.machineCpuShare),
  ];
};

/** The goal of a row: the p99 in the mode of the attack, or the p50 in live mode beside an attack in test mode. */
const verdictOf = (part: Part, quietMs: number): readonly Verdict[] => {
  const { phase, mode, time, delaysMs } = part;
  if (!phase.attack) return [];
  const verdict = (share: number, maxMs: number): readonly Verdict[] => {
    const ms = quantile(delaysMs, share);
    const figure = `p${100 * share} of the ${mode} store at most ${maxMs.toFixed(0)} ms`;
    const bound = `${nameOf(part)} in ${phase.attack?.mode} mode: ${figure}`;
    return [goal(atMost(bound, ms, maxMs, milliseconds(ms)))];
  };
  if (phase.attack.mode === mode) {
    return verdict(0.99, time === 'first minute' ? FIRST_MINUTE_P99_MAX_MS : P99_MAX_MS);
  }
  if (mode === 'test') return [];
  return verdict(0.5, Math.max(LIVE_P50_RATIO_MAX * quietMs, quietMs + LIVE_P50_MORE_MS_MAX));
};

const verdictsOf = (parts: readonly Part[]): readonly Verdict[] => {
  const quiet = parts.find(({ phase, mode }) => !phase.attack && mode === 'live');
  const quietMs = quantile(quiet?.delaysMs ?? [], 0.5);
  const missing = parts.reduce((sum, part) => sum + part.missing, 0);
  const bound = `events missing ${WAIT_MS_MAX / 1_000} s after the load, at most 0`;
  return [...parts.flatMap((part) => verdictOf(part, quietMs)), atMost(bound, missing, 0, String(missing))];
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
    const phase = await runPhase(attack, loadOf(attack, effort.isQuick));
    phases.push(phase);
    // The whole takes 20 minutes.
    process.stderr.write(`${alignRows([COLUMNS, ...partsOf(phase).map(rowOf)]).join('\n')}\n`);
  }
  const parts = phases.flatMap(partsOf);
  const { perSecond } = loadOf(undefined, effort.isQuick);
  return {
    title: 'Neighbours: webhooks of healthy stores beside attacks by others, on the local stage',
    method:
      `From the request that lets a payment fail to its webhook. One store in each mode, with ${perSecond} payments a second.\n` +
      `Late: more than ${GRACE_MS / 1_000} s after the load. Missing: not even ${WAIT_MS_MAX / 1_000} s after it.\nHanging: the most attempts at the same time that wait for the attacking endpoints.\n` +
      'Stage, database, attacks and receivers share the processors. If the stage used one fully, that causes the delays.\n' +
      `Load average at the end: ${loadavg()[0]!.toFixed(1)}.${phases.map(attackLine).join('')}`,
    columns: COLUMNS,
    rows: parts.map(rowOf),
    verdicts: verdictsOf(parts),
  };
};
