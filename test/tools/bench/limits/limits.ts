import { join } from 'node:path';
import type { BucketLimits } from '../../../../lib/token-bucket/token-bucket.ts';
import { atMost, type Effort, type Report, type Verdict } from '../../report.ts';
import { type BenchDatabase, issueKey, startBenchDatabase } from '../support/database.ts';
import { AMPLE_LIMITS } from '../support/items.ts';
import { startWorker, type Worker } from '../support/worker.ts';
import type { Sampling, Tally } from './worker.ts';

/** A decision that finds a bucket with tokens. */
const CALLS_PER_DECISION_MAX = 1.05;

/** Idle keys are used in turn, and each is full again after a millisecond. The other states use one key. */
const LIMITS = {
  idle: { limit: 1_000, windowSeconds: 1 },
  busy: AMPLE_LIMITS,
  exhausted: { limit: 60, windowSeconds: 60 },
  // Ten tokens return each second.
  'exhausted, 10/s': { limit: 100, windowSeconds: 10 },
} as const satisfies Readonly<Record<string, BucketLimits>>;

interface Cell {
  readonly state: keyof typeof LIMITS;
  readonly callers: number;
  readonly processes: number;
}

const CELLS: readonly Cell[] = (Object.keys(LIMITS) as (keyof typeof LIMITS)[]).flatMap((state) =>
  [1, 32].flatMap((callers) => [1, 2].map((processes) => ({ state, callers, processes }))),
);

/** The counts of a cell in one round, all processes together. */
interface Sample extends Tally {
  /** The tokens that one bucket may have given: `limit + elapsed * limit / window`. */
  readonly allowed: number;
  /** The tokens that came back to one bucket. */
  readonly refilled: number;
}

interface Outcome {
  readonly cell: Cell;
  readonly samples: readonly Sample[];
}

/** Whether the load exceeds the bucket. */
const isExhausted = ({ state }: Cell): boolean => state.startsWith('exhausted');

const issueIdleKeys = async ({ documents }: BenchDatabase, count: number): Promise<string[]> => {
  const keys: string[] = [];
  while (keys.length < count) {
    const issued = Array.from({ length: 64 }, () => issueKey(documents, LIMITS.idle));
    keys.push(...(await Promise.all(issued)));
  }
  return keys;
};

const measureAll = async ({ isQuick }: Effort): Promise<Outcome[]> => {
  const database = await startBenchDatabase();
  const start = () => startWorker(join(import.meta.dirname, 'worker.ts'), [database.endpoint]);
  const workers: readonly Worker[] = await Promise.all([start(), start()]);
  const idleKeys = await issueIdleKeys(database, isQuick ? 512 : 8_192);
  const durationMs = isQuick ? 100 : 400;

  const measure = async (cell: Cell): Promise<Sample> => {
    const { callers, processes, state } = cell;
    const { limit, windowSeconds } = LIMITS[state];
    const fullAtMs = Date.now();
    const tokens = state === 'busy' ? limit / 2 : limit;
    const keys = state === 'idle' ? idleKeys : [await issueKey(database.documents, LIMITS[state], tokens)];
    const share = keys.length / processes;
    const tallies = await Promise.all(
      workers.slice(0, processes).map((worker, index) =>
        worker.ask<Tally>({
          keys: state === 'idle' ? keys.slice(index * share, (index + 1) * share) : keys,
          callers,
          durationMs,
          isDrained: isExhausted(cell),
        } satisfies Sampling),
      ),
    );
    const refilled = (((Date.now() - fullAtMs) / 1_000) * limit) / windowSeconds;
    const total = (figure: keyof Tally): number => tallies.reduce((sum, tally) => sum + tally[figure], 0);
    return {
      decisions: total('decisions'),
      calls: total('calls'),
      admitted: total('admitted'),
      allowed: Math.floor(limit + refilled),
      refilled,
    };
  };

  const outcomes: Outcome[] = [];
  for (const cell of CELLS) {
    const samples: Sample[] = [];
    while (samples.length < (isQuick ? 1 : 9)) samples.push(await measure(cell));
    outcomes.push({ cell, samples });
  }
  await Promise.all(workers.map((worker) => worker.stop()));
  await database.close();
  return outcomes;
};

/** The verdict on the greatest value in some cells. */
const judgeGreatest = (
  bound: string,
  outcomes: readonly Outcome[],
  max: number,
  valueOf: (sample: Sample, cell: Cell) => number,
): Verdict => {
  const values = outcomes.flatMap(({ cell, samples }) => samples.map((sample) => valueOf(sample, cell)));
  return atMost(`${bound}, in ${outcomes.length} cells`, Math.max(...values), max);
};

const verdictsOf = (outcomes: readonly Outcome[]): Verdict[] => {
  const inOneProcess = outcomes.filter(({ cell }) => cell.processes === 1);
  return [
    judgeGreatest(
      `bucket with tokens, one process: at most ${CALLS_PER_DECISION_MAX} calls a decision`,
      inOneProcess.filter(({ cell }) => !isExhausted(cell)),
      CALLS_PER_DECISION_MAX,
      ({ calls, decisions }) => calls / decisions,
    ),
    judgeGreatest(
      'empty bucket, one process: at most 2 calls of each caller for a returned token, and 2 more',
      inOneProcess.filter(({ cell }) => isExhausted(cell)),
      0,
      ({ calls, refilled }, { callers }) => calls - 2 * callers * (refilled + 1),
    ),
    judgeGreatest(
      'bucket emptied by all callers at once: no token beyond its limit and refill',
      outcomes.filter(({ cell }) => isExhausted(cell)),
      0,
      ({ admitted, allowed }) => admitted - allowed,
    ),
  ];
};

const rowOf = ({ cell, samples }: Outcome): string[] => {
  const [decisions, calls] = (['decisions', 'calls'] as const).map((figure) =>
    samples.reduce((sum, sample) => sum + sample[figure], 0),
  ) as [number, number];
  const { state, callers, processes } = cell;
  return [state, String(callers), String(processes), String(decisions), (calls / decisions).toFixed(4)];
};

/** Counts the calls of rate-limit decisions, and the tokens that they give. */
export const benchLimits = async (effort: Effort): Promise<Report> => {
  const outcomes = await measureAll(effort);
  return {
    title: 'Rate limiting: calls and tokens, on an embedded DynamoDB in memory',
    method:
      'As in the functions, a process remembers an empty bucket until its next token, and for at most a second.\n' +
      'All callers empty an exhausted bucket first.',
    columns: ['key', 'callers', 'processes', 'decisions', 'calls/decision'],
    rows: outcomes.map(rowOf),
    verdicts: verdictsOf(outcomes),
  };
};
