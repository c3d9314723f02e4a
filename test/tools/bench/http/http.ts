import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { LOCAL_TABLE_NAMES } from '../../../../infra/local/local-database.ts';
import { seededCart } from '../growth/seed-items.ts';
import { AMPLE_LIMITS, type BenchDatabase, issueKey, startBenchDatabase } from '../support/database.ts';
import type { Effort, Report } from '../support/report.ts';
import { type BenchRequest, createRequest, retrieveRequest } from '../support/requests.ts';
import { median, medianRatio } from '../support/statistics.ts';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';
import { startWorker, type Worker } from '../support/worker.ts';
import type { Load, LoadResult } from './load.ts';
import { type Stage, startBareStage, startLocalStage } from './stage.ts';

interface Cell {
  readonly operation: 'create' | 'retrieve';
  readonly connections: number;
  readonly results: { readonly local: LoadResult[]; readonly bare: LoadResult[] };
}

interface Bench {
  readonly stages: { readonly local: Stage; readonly bare: Stage };
  readonly requests: Readonly<Record<Cell['operation'], BenchRequest>>;
  readonly load: Worker;
}

const newCells = (isQuick: boolean): Cell[] =>
  (['create', 'retrieve'] as const).flatMap((operation) =>
    (isQuick ? [1, 16] : [1, 16, 64]).map((connections) => ({
      operation,
      connections,
      results: { local: [], bare: [] },
    })),
  );

const requestsOn = async ({ documents }: BenchDatabase): Promise<Bench['requests']> => {
  const apiKey = await issueKey(documents, AMPLE_LIMITS, AMPLE_LIMITS.limit / 2);
  const id = randomUUID();
  await documents.send(
    new PutCommand({ TableName: LOCAL_TABLE_NAMES.carts, Item: seededCart(id, Date.now()) }),
  );
  return { create: createRequest(apiKey), retrieve: retrieveRequest(apiKey, id) };
};

const measure = async ({ stages, requests, load }: Bench, { isQuick }: Effort): Promise<Cell[]> => {
  const cells = newCells(isQuick);
  const seconds = isQuick ? 1 : 2;
  for (let round = -1; round < (isQuick ? 0 : 4); round += 1) {
    for (const { operation, connections, results } of cells) {
      const kinds = round % 2 === 0 ? (['local', 'bare'] as const) : (['bare', 'local'] as const);
      for (const kind of kinds) {
        const url = stages[kind].baseUrl;
        const asked: Load = { url, connections, seconds, requests: [requests[operation]] };
        const result = await load.ask<LoadResult>(asked);
        // The first round warms up.
        if (round >= 0 || isQuick) results[kind].push(result);
      }
    }
  }
  return cells;
};

const toRows = ({ operation, connections, results }: Cell): string[][] =>
  (['local', 'bare'] as const).map((kind) => {
    const speeds = (of: LoadResult[]): number[] => of.map(({ requestsPerSecond }) => requestsPerSecond);
    const p50s = (of: LoadResult[]): number[] => of.map(({ p50Ms }) => p50Ms);
    return [
      operation,
      String(connections),
      kind,
      median(speeds(results[kind])).toFixed(0),
      medianRatio(speeds(results[kind]), speeds(results.bare)).toFixed(2),
      median(p50s(results[kind])).toFixed(2),
      median(results[kind].map(({ p99Ms }) => p99Ms)).toFixed(2),
      medianRatio(p50s(results[kind]), p50s(results.bare)).toFixed(2),
    ];
  });

/** Create and retrieve over HTTP: the local stage against bare functions behind the same gateway. */
export const benchHttp = async (effort: Effort): Promise<Report> => {
  const folder = makeTemporaryFolder();
  const database = await startBenchDatabase();
  const local = await startLocalStage(database, join(folder, 'local.log'));
  const bare = await startBareStage(database, join(folder, 'bare.log'));
  const load = await startWorker(join(import.meta.dirname, 'load.ts'));
  const cells = await measure(
    { stages: { local, bare }, requests: await requestsOn(database), load },
    effort,
  );
  await Promise.all([load.stop(), local.stop(), bare.stop()]);
  await database.close();
  return {
    title: 'End to end: the local stage and bare functions behind the same gateway',
    method:
      'Medians of alternating rounds; load, stages and the database in memory are processes of their own and share this\n' +
      "machine's processors; logs go to a file.",
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
    rows: cells.flatMap(toRows),
    verdicts: [],
  };
};
