import { join } from 'node:path';
import { CreateTableCommand } from '@aws-sdk/client-dynamodb';
import { startBenchDatabase } from '../support/database.ts';
import {
  atLeast,
  atMost,
  type Effort,
  goal,
  measureInTurn,
  median,
  ratios,
  type Report,
  type Verdict,
} from '../support/report.ts';
import { judgeSteady, STEADY } from '../support/steady.ts';
import { startWorker } from '../support/worker.ts';
import { type Cell, CELLS, isExhausted, issueIdleKeys, KEY_STATES, measure, type Sample } from './cells.ts';
import { FLEXIBLE_TABLE, type LimiterName, LIMITERS } from './limiters.ts';

/** A decision that finds a bucket with tokens. */
const CALLS_PER_DECISION_MAX = 1.05;

/** The least decisions per second, relative to rate-limiter-flexible. */
const SPEED_RATIO_MIN = 0.95;

interface Outcome {
  readonly cell: Cell;
  readonly samples: Readonly<Record<LimiterName, readonly Sample[]>>;
}

const measureAll = async ({ isQuick }: Effort): Promise<Outcome[]> => {
  const database = await startBenchDatabase();
  const createFlexibleTable = new CreateTableCommand({
    TableName: FLEXIBLE_TABLE,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [{ AttributeName: 'key', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'key', KeyType: 'HASH' }],
  });
  await database.documents.send(createFlexibleTable);
  const start = () => startWorker(join(import.meta.dirname, 'worker.ts'), [database.endpoint]);
  const workers = await Promise.all([start(), start()]);
  const idleKeys = await issueIdleKeys(database, isQuick ? 512 : 8_192);
  const bench = { database, workers, idleKeys, durationMs: isQuick ? 100 : 400 };
  const outcomes: Outcome[] = [];
  for (const cell of CELLS) {
    const results = await measureInTurn(LIMITERS, isQuick ? 1 : 9, (name) => measure(cell, name, bench));
    outcomes.push({ cell, samples: { ours: results.get('ours')!, flexible: results.get('flexible')! } });
  }
  await Promise.all(workers.map((worker) => worker.stop()));
  await database.close();
  return outcomes;
};

const valuesOf = ({ samples }: Outcome, name: LimiterName, figure: keyof Sample): number[] =>
  samples[name].map((sample) => sample[figure]);

const ratiosOf = (outcome: Outcome, figure: keyof Sample): number[] =>
  ratios(valuesOf(outcome, 'ours', figure), valuesOf(outcome, 'flexible', figure));

const callsPerDecision = (outcome: Outcome, name: LimiterName): number => {
  const total = (figure: keyof Sample): number =>
    valuesOf(outcome, name, figure).reduce((sum, value) => sum + value, 0);
  return total('calls') / total('decisions');
};

/** The verdict on the greatest value of our limiter in some cells. */
const judgeGreatest = (
  bound: string,
  outcomes: readonly Outcome[],
  max: number,
  valueOf: (sample: Sample, cell: Cell) => number,
): Verdict => {
  const values = outcomes.flatMap(({ cell, samples }) => samples.ours.map((sample) => valueOf(sample, cell)));
  return atMost(`${bound}, in ${outcomes.length} cells`, Math.max(...values), max);
};

/**
 * Judges both limiters on keys of one state, over all cells and rounds. While tokens return, the CPU time depends on how long the
 * database takes, so it has no bound.
 */
const judgeState = (state: string, outcomes: readonly Outcome[]): Verdict[] => {
  const ratio = (figure: keyof Sample): number =>
    median(
      outcomes.filter(({ cell }) => cell.state === state).flatMap((outcome) => ratiosOf(outcome, figure)),
    );
  return [
    ...(state in STEADY.limits.medians
      ? judgeSteady(STEADY.limits, state, ratio('cpuMicrosPerDecision'))
      : []),
    goal(
      atLeast(
        `${state}: decisions per second, at least ${SPEED_RATIO_MIN} of rate-limiter-flexible`,
        ratio('decisionsPerSecond'),
        SPEED_RATIO_MIN,
      ),
    ),
  ];
};

const verdictsOf = (outcomes: readonly Outcome[]): Verdict[] => {
  const inOneProcess = outcomes.filter(({ cell }) => cell.processes === 1);
  const exhausted = outcomes.filter(({ cell }) => isExhausted(cell));
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
      exhausted,
      0,
      ({ admitted, allowed }) => admitted - allowed,
    ),
    ...KEY_STATES.flatMap((state) => judgeState(state, outcomes)),
  ];
};

const rowsOf = (outcome: Outcome): string[][] =>
  LIMITERS.map((name) => [
    outcome.cell.state,
    String(outcome.cell.callers),
    String(outcome.cell.processes),
    name,
    median(valuesOf(outcome, name, 'decisionsPerSecond')).toFixed(0),
    name === 'ours' ? median(ratiosOf(outcome, 'decisionsPerSecond')).toFixed(2) : '',
    median(valuesOf(outcome, name, 'cpuMicrosPerDecision')).toFixed(1),
    name === 'ours' ? median(ratiosOf(outcome, 'cpuMicrosPerDecision')).toFixed(2) : '',
    callsPerDecision(outcome, name).toFixed(4),
  ]);

/** Compares our rate limiter with rate-limiter-flexible's DynamoDB limiter. */
export const benchLimits = async (effort: Effort): Promise<Report> => {
  const outcomes = await measureAll(effort);
  return {
    title: 'Rate limiting: our limiter and rate-limiter-flexible, on one embedded DynamoDB in memory',
    method:
      'Medians of alternating rounds. Both limiters share one client of the SDK, and have their memory of empty buckets.\n' +
      'Ours trusts its memory until the next token, at most a second. It also hashes and authenticates the key.\n' +
      'rate-limiter-flexible has a fixed window, and `inMemoryBlockOnConsumed` until its end. It makes two calls for a busy key.\n' +
      'All callers empty an exhausted bucket first. The CPU time is that of the processes which decide.',
    columns: [
      'key',
      'callers',
      'processes',
      'limiter',
      'decisions/s',
      'ratio',
      'CPU us',
      'ratio',
      'calls/decision',
    ],
    rows: outcomes.flatMap(rowsOf),
    verdicts: verdictsOf(outcomes),
  };
};
