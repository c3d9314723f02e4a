import { join } from 'node:path';
import {
  atLeast,
  atMost,
  type Effort,
  goal,
  measureInTurn,
  median,
  type Report,
  type Verdict,
} from '../../report.ts';
import { startBenchDatabase } from '../support/database.ts';
import { makeTemporaryFolder } from '../support/environment.ts';
import { BENCH_OPERATIONS, givenRequests } from '../support/operations.ts';
import { startWorker } from '../support/worker.ts';
import { type LoadCell, ratioOf, type StageName, tableOf } from './load-cell.ts';
import type { Load, LoadResult } from './load.ts';
import { startBareStage, startLocalStage } from './stage.ts';

const STAGES: readonly StageName[] = ['local', 'bare'];

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

const throughputVerdict = (cell: LoadCell): Verdict => {
  const { operation, connections } = cell;
  return atLeast(
    `${operation}, ${connections} connections: requests/s at least ${THROUGHPUT_RATIO_MIN} of the bare stage's`,
    ratioOf(cell, 'requestsPerSecond'),
    THROUGHPUT_RATIO_MIN,
  );
};

const tailVerdict = ({ operation, connections, results }: LoadCell): Verdict =>
  atMost(
    `${operation}, ${connections} connections: p99 at most ${TAIL_RATIO_MAX} times p50`,
    median(results.get('local')!.map(({ p99Ms, p50Ms }) => p99Ms / p50Ms)),
    TAIL_RATIO_MAX,
  );

const rejectionsVerdict = ({ operation, connections, results }: LoadCell): Verdict => {
  const rejections = results.get('local')!.reduce((sum, round) => sum + round.rejections, 0);
  const title = `${operation}, ${connections} connections: no request rejected with 503`;
  return atMost(title, rejections, 0, String(rejections));
};

/** Compares the local stage over HTTP with bare functions behind the same gateway. */
export const benchHttp = async ({ isQuick }: Effort): Promise<Report> => {
  const folder = makeTemporaryFolder();
  const database = await startBenchDatabase();
  const local = await startLocalStage(database, join(folder, 'local.log'));
  const bare = await startBareStage(database, join(folder, 'bare.log'));
  const worker = await startWorker(join(import.meta.dirname, 'load.ts'));
  const requestOf = await givenRequests(database);
  const cells: LoadCell[] = [];
  for (const operation of BENCH_OPERATIONS) {
    for (const connections of isQuick ? [1, 16] : Object.keys(FULL_ROUNDS).map(Number)) {
      const { rounds, seconds } = isQuick ? { rounds: 1, seconds: 1 } : FULL_ROUNDS[connections]!;
      const results = await measureInTurn(STAGES, rounds, (stage) => {
        const url = { local, bare }[stage].baseUrl;
        const extent = { duration: seconds };
        const load: Load = {
          url,
          connections,
          extent,
          requests: [[operation, requestOf(operation)]],
          mayReject: true,
        };
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
    ...tableOf(cells),
    verdicts: cells
      .filter(({ connections }) => connections > 1)
      .flatMap((cell) => [
        throughputVerdict(cell),
        rejectionsVerdict(cell),
        ...(cell.connections === 64 ? [tailVerdict(cell)] : []),
      ])
      .map(goal),
  };
};
