import { join } from 'node:path';
import { startBenchDatabase } from '../support/database.ts';
import { makeTemporaryFolder } from '../support/environment.ts';
import { type LoadCell, tableOf } from '../support/load-cell.ts';
import { BENCH_OPERATIONS, givenRequests } from '../support/operations.ts';
import { type Effort, measureInTurn, type Report } from '../support/report.ts';
import { startWorker } from '../support/worker.ts';
import type { Load, LoadResult } from './load.ts';
import { startBareStage, startLocalStage } from './stage.ts';

const STAGES = ['local', 'bare'] as const;

/** Compares the local stage over HTTP with bare functions behind the same gateway. */
export const benchHttp = async ({ isQuick }: Effort): Promise<Report> => {
  const folder = makeTemporaryFolder();
  const database = await startBenchDatabase();
  const local = await startLocalStage(database, join(folder, 'local.log'));
  const bare = await startBareStage(database, join(folder, 'bare.log'));
  const worker = await startWorker(join(import.meta.dirname, 'load.ts'));
  const requestOf = await givenRequests(database);
  const cells: LoadCell<(typeof STAGES)[number]>[] = [];
  for (const operation of BENCH_OPERATIONS) {
    for (const connections of isQuick ? [1, 16] : [1, 16, 64]) {
      const results = await measureInTurn(STAGES, isQuick ? 1 : 4, (stage) => {
        const url = { local, bare }[stage].baseUrl;
        const extent = { duration: isQuick ? 1 : 2 };
        const load: Load = { url, connections, extent, requests: [[operation, requestOf(operation)]] };
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
      'processors of this machine. Logs go to a file.',
    ...tableOf(cells, ['stage', (stage) => stage], ['bare', 'bare']),
    verdicts: [],
  };
};
