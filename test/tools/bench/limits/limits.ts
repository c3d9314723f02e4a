import { join } from 'node:path';
import { CreateTableCommand } from '@aws-sdk/client-dynamodb';
import { startBenchDatabase } from '../support/database.ts';
import type { Effort, Report, Verdict } from '../support/report.ts';
import { median, medianRatio } from '../support/statistics.ts';
import { startWorker } from '../support/worker.ts';
import { type Cell, CELLS, contendersOf, isExhausted, issueIdleKeys, measure, type Sample } from './cells.ts';
import { type ContenderName, RLF_TABLE } from './contenders.ts';

const CALLS_PER_DECISION_MAX = 1.05;
const RATIO_WITHOUT_MEMORY_MIN = 1.5;
const RATIO_WITH_MEMORY_MIN = 10;

interface Outcome {
  readonly cell: Cell;
  readonly contender: ContenderName;
  readonly samples: readonly Sample[];
  /** Decisions a second, as a ratio to rate-limiter-flexible's without its block in memory. */
  readonly ratio: number;
  readonly callsPerDecision: number;
  /** The sample with the least distance between admitted and allowed. */
  readonly tightest: Sample;
}

const createFlexibleTable = (): CreateTableCommand =>
  new CreateTableCommand({
    TableName: RLF_TABLE,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [{ AttributeName: 'key', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'key', KeyType: 'HASH' }],
  });

const nameOf = ({ state, callers, processes }: Cell, contender: ContenderName): string =>
  [state, callers, processes, contender].join('/');

/** All samples by cell and contender; the contenders of a cell take turns, forth and back. */
const measureAll = async ({ isQuick }: Effort): Promise<Map<string, Sample[]>> => {
  const database = await startBenchDatabase();
  await database.documents.send(createFlexibleTable());
  const start = () => startWorker(join(import.meta.dirname, 'worker.ts'), [database.endpoint]);
  const workers = await Promise.all([start(), start()]);
  const idleKeys = await issueIdleKeys(database, isQuick ? 512 : 8_192);
  const bench = { database, workers, idleKeys, durationMs: isQuick ? 100 : 400 };
  const samples = new Map<string, Sample[]>();
  for (let round = isQuick ? 0 : -1; round < (isQuick ? 1 : 9); round += 1) {
    for (const cell of CELLS) {
      const contenders = contendersOf(cell);
      for (const contender of round % 2 === 0 ? contenders : contenders.toReversed()) {
        const sample = await measure(cell, contender, bench);
        // The first round warms up.
        if (round < 0) continue;
        const name = nameOf(cell, contender);
        samples.set(name, [...(samples.get(name) ?? []), sample]);
      }
    }
  }
  await Promise.all(workers.map((worker) => worker.stop()));
  await database.close();
  return samples;
};

const total = (samples: readonly Sample[], of: (sample: Sample) => number): number =>
  samples.reduce((sum, sample) => sum + of(sample), 0);

const outcomesOf = (all: ReadonlyMap<string, readonly Sample[]>): Outcome[] =>
  CELLS.flatMap((cell) =>
    contendersOf(cell).map((contender) => {
      const samples = all.get(nameOf(cell, contender)) ?? [];
      const speeds = (name: ContenderName): number[] =>
        (all.get(nameOf(cell, name)) ?? []).map(({ decisionsPerSecond }) => decisionsPerSecond);
      const margin = ({ allowed, admittedInAll }: Sample): number => allowed - admittedInAll;
      return {
        cell,
        contender,
        samples,
        ratio: medianRatio(speeds(contender), speeds('rlf')),
        callsPerDecision: total(samples, ({ calls }) => calls) / total(samples, ({ decisions }) => decisions),
        tightest: samples.toSorted((a, b) => margin(a) - margin(b))[0]!,
      };
    }),
  );

const cellName = ({ cell, contender }: Outcome): string =>
  `${contender}, ${cell.state}, ${cell.callers} callers, ${cell.processes} processes`;

/** Some outcomes, told against their bound. */
const judge = (
  bound: string,
  outcomes: readonly Outcome[],
  figure: (outcome: Outcome) => number,
  isOk: (value: number) => boolean,
): Verdict => {
  const missed = outcomes.filter((outcome) => !isOk(figure(outcome)));
  const values = outcomes.map(figure);
  const range = `${Math.min(...values).toFixed(3)} to ${Math.max(...values).toFixed(3)}`;
  const measured = [range, ...missed.map((outcome) => `missed: ${cellName(outcome)}`)].join('; ');
  return { bound, measured, ok: missed.length === 0 };
};

const judgeAdmissions = (outcomes: readonly Outcome[]): Verdict => {
  const margin = Math.min(...outcomes.map(({ tightest }) => tightest.allowed - tightest.admittedInAll));
  return {
    bound: `never one admission too many, in ${outcomes.length} cells`,
    measured: margin < 0 ? `${-margin} too many` : `at the closest ${margin} below what was allowed`,
    ok: margin >= 0,
  };
};

const verdictsOf = (outcomes: readonly Outcome[]): Verdict[] => {
  const ours = outcomes.filter(({ contender }) => contender.startsWith('ours'));
  const exhausted = (name: ContenderName): Outcome[] =>
    outcomes.filter(({ cell, contender }) => isExhausted(cell) && contender === name);
  const remembered = exhausted('ours + memory').filter(({ cell }) => cell.callers === 1);
  const ratio = ({ ratio: value }: Outcome): number => value;
  return [
    judge(
      `one environment: at most ${CALLS_PER_DECISION_MAX} calls a decision`,
      ours.filter(({ cell }) => cell.processes === 1),
      ({ callsPerDecision }) => callsPerDecision,
      (calls) => calls <= CALLS_PER_DECISION_MAX,
    ),
    judge(
      `no call for ${total(
        remembered.flatMap(({ samples }) => samples),
        (sample) => sample.remembered,
      )} remembered denials`,
      remembered,
      ({ samples }) => total(samples, ({ callsOfRemembered }) => callsOfRemembered),
      (calls) => calls === 0,
    ),
    judge(
      `exhausted, without memory: at least ${RATIO_WITHOUT_MEMORY_MIN} of rate-limiter-flexible`,
      exhausted('ours'),
      ratio,
      (value) => value >= RATIO_WITHOUT_MEMORY_MIN,
    ),
    judge(
      `exhausted, with memory: at least ${RATIO_WITH_MEMORY_MIN} times rate-limiter-flexible`,
      exhausted('ours + memory'),
      ratio,
      (value) => value >= RATIO_WITH_MEMORY_MIN,
    ),
    judgeAdmissions(ours),
  ];
};

const toRow = (outcome: Outcome): string[] => {
  const { cell, contender, samples, ratio, callsPerDecision, tightest } = outcome;
  return [
    cell.state,
    String(cell.callers),
    String(cell.processes),
    contender,
    median(samples.map(({ decisionsPerSecond }) => decisionsPerSecond)).toFixed(0),
    ratio.toFixed(2),
    callsPerDecision.toFixed(4),
    String(tightest.admittedInAll),
    String(tightest.allowed),
  ];
};

/** Our stored bucket against rate-limiter-flexible's DynamoDB limiter. */
export const benchLimits = async (effort: Effort): Promise<Report> => {
  const outcomes = outcomesOf(await measureAll(effort));
  return {
    title: 'Rate limiting: decisions on one embedded DynamoDB in memory',
    method:
      'Medians of alternating rounds; admitted and allowed of the round in which they come closest. "ours" asks the\n' +
      'database each time, "rlf" is rate-limiter-flexible as it comes, "rlf + block" with its inMemoryBlockOnConsumed.\n' +
      'Ours reads a bucket that it knows to be empty, and writes any other; rlf always writes.\n' +
      "An environment's first decision on a key is not counted as calls: a busy key costs it one more, once.",
    columns: [
      'key',
      'callers',
      'processes',
      'limiter',
      'decisions/s',
      'of rlf',
      'calls/decision',
      'admitted',
      'allowed',
    ],
    rows: outcomes.map(toRow),
    verdicts: verdictsOf(outcomes),
  };
};
