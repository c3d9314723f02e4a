import { join } from 'node:path';
import {
  atLeast,
  atMost,
  type Effort,
  goal,
  measureInTurn,
  median,
  medianRatio,
  ratios,
  type Report,
  type Verdict,
} from '../../report.ts';
import { startBenchDatabase } from '../support/database.ts';
import { makeTemporaryFolder } from '../support/environment.ts';
import type { Load, LoadResult } from '../support/load.ts';
import { BENCH_OPERATIONS, givenRequests } from '../support/operations.ts';
import { startBareStage, startLocalStage } from '../support/stage.ts';
import { startWorker } from '../support/worker.ts';

const STAGES = ['local', 'bare'] as const;
type StageName = (typeof STAGES)[number];

/** The results of one operation at one number of connections: for each stage, one result per round. */
interface Cell {
  readonly operation: string;
  readonly connections: number;
  readonly results: ReadonlyMap<StageName, readonly LoadResult[]>;
}

/** The least requests per second, relative to the bare stage. */
const THROUGHPUT_RATIO_MIN = 1;

/** The highest p99, relative to the p50 of the same round. A round includes the set-up of its connections. */
const TAIL_RATIO_MAX = 3;

/** The rounds of a number of connections, after one that warms up. A round at 64 has some thousand requests. */
const FULL_ROUNDS: Readonly<Record<number, { readonly rounds: number; readonly seconds: number }>> = {
  1: { rounds: 3, seconds: 1 },
  16: { rounds: 5, seconds: 2 },
  64: { rounds: 3, seconds: 6 },
};

const valuesOf = ({ results }: Cell, stage: StageName, figure: keyof LoadResult): number[] =>
  results.get(stage)!.map((result) => result[figure]);

/** The median ratio of a stage's figure to the bare stage's figure. */
const ratioOf = (cell: Cell, figure: keyof LoadResult, stage: StageName = 'local'): number =>
  medianRatio(valuesOf(cell, stage, figure), valuesOf(cell, 'bare', figure));

const rowsOf = (cell: Cell): string[][] =>
  STAGES.map((stage) => [
    cell.operation,
    String(cell.connections),
    stage,
    median(valuesOf(cell, stage, 'requestsPerSecond')).toFixed(0),
    ratioOf(cell, 'requestsPerSecond', stage).toFixed(2),
    median(valuesOf(cell, stage, 'p50Ms')).toFixed(2),
    median(valuesOf(cell, stage, 'p99Ms')).toFixed(2),
    ratioOf(cell, 'p50Ms', stage).toFixed(3),
  ]);

/** The goals of several connections. */
const verdictsOf = (cell: Cell): Verdict[] => {
  const { operation, connections } = cell;
  if (connections === 1) return [];
  const subject = `${operation}, ${connections} connections`;
  const rejections = valuesOf(cell, 'local', 'rejections').reduce((sum, count) => sum + count, 0);
  const tails = ratios(valuesOf(cell, 'local', 'p99Ms'), valuesOf(cell, 'local', 'p50Ms'));
  return [
    atLeast(
      `${subject}: requests/s at least ${THROUGHPUT_RATIO_MIN} of the bare stage's`,
      ratioOf(cell, 'requestsPerSecond'),
      THROUGHPUT_RATIO_MIN,
    ),
    atMost(`${subject}: no request rejected with 503`, rejections, 0, String(rejections)),
    ...(connections === 64
      ? [atMost(`${subject}: p99 at most ${TAIL_RATIO_MAX} times p50`, median(tails), TAIL_RATIO_MAX)]
      : []),
  ].map(goal);
};

/** Compares the local stage over HTTP with bare functions behind the same gateway. */
export const benchHttp = async ({ isQuick }: Effort): Promise<Report> => {
  const folder = makeTemporaryFolder();
  const database = await startBenchDatabase();
  const local = await startLocalStage(database, join(folder, 'local.log'));
  const bare = await startBareStage(database, join(folder, 'bare.log'));
  const worker = await startWorker(join(import.meta.dirname, '../support/load.ts'));
  const requestOf = await givenRequests(database);
  const cells: Cell[] = [];
  for (const operation of BENCH_OPERATIONS) {
    for (const connections of isQuick ? [1, 16] : Object.keys(FULL_ROUNDS).map(Number)) {
      const { rounds, seconds } = isQuick ? { rounds: 1, seconds: 1 } : FULL_ROUNDS[connections]!;
      const results = await measureInTurn(STAGES, rounds, (stage) => {
        const { baseUrl: url } = { local, bare }[stage];
        const requests = [[operation, requestOf(operation)]] as const;
        const load: Load = { url, connections, extent: { duration: seconds }, requests, mayReject: true };
        return worker.ask<LoadResult>(load);
      });
      cells.push({ operation, connections, results });
    }
  }
  await Promise.all([worker.stop(), local.stop(), bare.stop()]);
  await database.close();
  return {
    title: 'End to end: the local stage and bare functions behind the same gateway',
    method:
      'Medians of alternating rounds. Load, stages and the database in memory are processes of their own, which share the\n' +
      'processors of this machine. Logs go to a file. The local stage responds with 503 if the database calls of a request\n' +
      'would end later than 4.75 s after its arrival. The figures leave out rejected requests.',
    columns: [
      'operation',
      'connections',
      'stage',
      'requests/s',
      'of bare',
      'p50 ms',
      'p99 ms',
      'p50 of bare',
    ],
    rows: cells.flatMap(rowsOf),
    verdicts: cells.flatMap(verdictsOf),
  };
};
