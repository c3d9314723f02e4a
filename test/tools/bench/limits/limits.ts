import { join } from 'node:path';
import { CreateTableCommand } from '@aws-sdk/client-dynamodb';
import { startBenchDatabase } from '../support/database.ts';
import {
  type Effort,
  measureInTurn,
  median,
  medianRatio,
  type Report,
  type Verdict,
} from '../support/report.ts';
import { startWorker } from '../support/worker.ts';
import { type Cell, CELLS, contendersOf, isExhausted, issueIdleKeys, measure, type Sample } from './cells.ts';
import { type ContenderName, createContenders, RLF_TABLE } from './contenders.ts';

const CALLS_PER_DECISION_MAX = 1.05;
const RATIO_WITHOUT_MEMORY_MIN = 1.5;
const RATIO_WITH_MEMORY_MIN = 10;
const RATIO_IDLE_MIN = 0.95;

type Samples = ReadonlyMap<Cell, ReadonlyMap<ContenderName, readonly Sample[]>>;

interface Outcome {
  readonly cell: Cell;
  readonly contender: ContenderName;
  readonly samples: readonly Sample[];
  /** Decisions a second, divided by those of rate-limiter-flexible without its block in memory. */
  readonly ratio: number;
  readonly callsPerDecision: number;
  /** The sample in which admitted comes closest to allowed. */
  readonly tightest: Sample;
}

const measureAll = async ({ isQuick }: Effort): Promise<Samples> => {
  const database = await startBenchDatabase();
  const createFlexibleTable = new CreateTableCommand({
    TableName: RLF_TABLE,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [{ AttributeName: 'key', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'key', KeyType: 'HASH' }],
  });
  await database.documents.send(createFlexibleTable);
  const start = () => startWorker(join(import.meta.dirname, 'worker.ts'), [database.endpoint]);
  const workers = await Promise.all([start(), start()]);
  const idleKeys = await issueIdleKeys(database, isQuick ? 512 : 8_192);
  const contenders = createContenders(database.endpoint);
  const bench = { database, contenders, workers, idleKeys, durationMs: isQuick ? 100 : 400 };
  const samples = new Map<Cell, ReadonlyMap<ContenderName, readonly Sample[]>>();
  for (const cell of CELLS) {
    const rounds = isQuick ? 1 : 9;
    samples.set(cell, await measureInTurn(contendersOf(cell), rounds, (name) => measure(cell, name, bench)));
  }
  await Promise.all(workers.map((worker) => worker.stop()));
  await database.close();
  return samples;
};

const total = (samples: readonly Sample[], count: keyof Sample): number =>
  samples.reduce((sum, sample) => sum + sample[count], 0);

const marginOf = ({ allowed, admittedInAll }: Sample): number => allowed - admittedInAll;
const speedOf = ({ decisionsPerSecond }: Sample): number => decisionsPerSecond;

const outcomesOf = (all: Samples): Outcome[] =>
  [...all].flatMap(([cell, byContender]) =>
    [...byContender].map(([contender, samples]) => ({
      cell,
      contender,
      samples,
      ratio: medianRatio(samples.map(speedOf), byContender.get('rlf')!.map(speedOf)),
      callsPerDecision: total(samples, 'calls') / total(samples, 'decisions'),
      tightest: samples.toSorted((a, b) => marginOf(a) - marginOf(b))[0]!,
    })),
  );

const nameOf = ({ cell, contender }: Outcome): string =>
  `${contender}, ${cell.state}, ${cell.callers} callers, ${cell.processes} processes`;

const judge = (
  bound: string,
  outcomes: readonly Outcome[],
  figure: (outcome: Outcome) => number,
  isOk: (value: number) => boolean,
): Verdict => {
  const missed = outcomes.filter((outcome) => !isOk(figure(outcome)));
  const values = outcomes.map(figure);
  const range = `${Math.min(...values).toFixed(3)} to ${Math.max(...values).toFixed(3)}`;
  const measured = [range, ...missed.map((outcome) => `missed: ${nameOf(outcome)}`)].join('; ');
  return { bound, measured, ok: missed.length === 0 };
};

const verdictsOf = (outcomes: readonly Outcome[]): Verdict[] => {
  const ours = outcomes.filter(({ contender }) => contender.startsWith('ours'));
  const exhausted = (name: ContenderName): Outcome[] =>
    outcomes.filter(({ cell, contender }) => isExhausted(cell) && contender === name);
  const remembered = exhausted('ours + memory').filter(({ cell }) => cell.callers === 1);
  const denials = remembered.reduce((sum, { samples }) => sum + total(samples, 'remembered'), 0);
  const isAtLeast = (min: number, compared: readonly Outcome[], words: string): Verdict =>
    judge(
      `${words} rate-limiter-flexible`,
      compared,
      ({ ratio }) => ratio,
      (ratio) => ratio >= min,
    );
  return [
    judge(
      `one environment: at most ${CALLS_PER_DECISION_MAX} calls a decision`,
      ours.filter(({ cell }) => cell.processes === 1),
      ({ callsPerDecision }) => callsPerDecision,
      (calls) => calls <= CALLS_PER_DECISION_MAX,
    ),
    judge(
      `no call for ${denials} remembered denials`,
      remembered,
      ({ samples }) => total(samples, 'callsOfRemembered'),
      (calls) => calls === 0,
    ),
    isAtLeast(
      RATIO_WITHOUT_MEMORY_MIN,
      exhausted('ours'),
      `exhausted, without memory: at least ${RATIO_WITHOUT_MEMORY_MIN} of`,
    ),
    isAtLeast(
      RATIO_WITH_MEMORY_MIN,
      exhausted('ours + memory'),
      `exhausted, with memory: at least ${RATIO_WITH_MEMORY_MIN} times`,
    ),
    isAtLeast(
      RATIO_IDLE_MIN,
      ours.filter(({ cell }) => cell.state === 'idle'),
      `idle, one call each: at least ${RATIO_IDLE_MIN} of`,
    ),
    judge(
      `never one admission too many, in ${ours.length} cells: the least distance below the allowed number`,
      ours,
      ({ tightest }) => marginOf(tightest),
      (margin) => margin >= 0,
    ),
  ];
};

const toRow = ({ cell, contender, samples, ratio, callsPerDecision, tightest }: Outcome): string[] => [
  cell.state,
  String(cell.callers),
  String(cell.processes),
  contender,
  median(samples.map(speedOf)).toFixed(0),
  ratio.toFixed(2),
  callsPerDecision.toFixed(4),
  String(tightest.admittedInAll),
  String(tightest.allowed),
];

/** Compares our stored bucket with rate-limiter-flexible's DynamoDB limiter. */
export const benchLimits = async (effort: Effort): Promise<Report> => {
  const outcomes = outcomesOf(await measureAll(effort));
  return {
    title: 'Rate limiting: decisions on one embedded DynamoDB in memory',
    method:
      'Medians of alternating rounds. "admitted" and "allowed" are from the round in which they come closest.\n' +
      '"ours" calls the database for each decision. "rlf" is rate-limiter-flexible with its defaults, on the SDK as it comes.\n' +
      '"rlf + block" has its inMemoryBlockOnConsumed. Ours reads a bucket that it knows to be empty, and writes any other.\n' +
      'rlf always writes. The first decision of an environment on a key is excluded: a busy key costs one more call, once.',
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
