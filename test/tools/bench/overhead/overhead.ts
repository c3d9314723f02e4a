import { join } from 'node:path';
import { BASELINES } from '../../../../infra/bounds/bounds.ts';
import { type Effort, measureInTurn, median, medianRatio, ratios, type Report } from '../../report.ts';
import { checkBaseline } from '../support/baseline.ts';
import { bundlePairs } from '../support/bundles.ts';
import { startBenchDatabase } from '../support/database.ts';
import { functionEnvironment } from '../support/environment.ts';
import { givenRequests } from '../support/operations.ts';
import { startWorker, type Worker } from '../support/worker.ts';
import type { Round } from './worker.ts';

/** Two processes with the same program differ by up to 4 %. */
const PAIRS = 5;

/** Compares the CPU time of the deployed bundles with functions that make the same calls and do nothing else. */
export const benchOverhead = async (effort: Effort): Promise<Report> => {
  const database = await startBenchDatabase();
  const env = functionEnvironment(database.endpoint);
  const start = (file: string): Promise<Worker> =>
    startWorker(join(import.meta.dirname, 'worker.ts'), [file], env);
  const requestOf = await givenRequests(database);
  const results = [];
  for (const { operation, ...files } of bundlePairs()) {
    const request = requestOf(operation);
    const run = (worker: Worker, count: number): Promise<number> =>
      worker.ask<number>({ operation, request, count } satisfies Round);
    const times: Record<'deployed' | 'bare', number[]> = { deployed: [], bare: [] };
    for (let pair = 0; pair < (effort.isQuick ? 1 : PAIRS); pair += 1) {
      const [deployed, bare] = await Promise.all([start(files.deployed), start(files.bare)]);
      for (const worker of [deployed, bare]) await run(worker, effort.isQuick ? 50 : 1_000);
      const rounds = await measureInTurn([deployed, bare], effort.isQuick ? 3 : 5, (worker) =>
        run(worker, effort.isQuick ? 20 : 150),
      );
      times.deployed.push(...rounds.get(deployed)!);
      times.bare.push(...rounds.get(bare)!);
      await Promise.all([deployed.stop(), bare.stop()]);
    }
    results.push({ operation, ...times });
  }
  await database.close();
  return {
    title: 'Handler overhead: CPU time of a request, deployed bundle and bare function',
    method:
      `Medians of alternating rounds, in ${PAIRS} processes of each function, one request at a time. Logs go to a pipe, as in Lambda.\n` +
      "The bare function makes the same calls through the SDK's unmodified document client, without checks and logs.",
    columns: ['operation', 'deployed ms', 'bare ms', 'ratio', 'lowest', 'highest', 'rounds'],
    rows: results.map(({ operation, deployed, bare }) => {
      const all = ratios(deployed, bare);
      const figures = [median(deployed), median(bare), median(all), Math.min(...all), Math.max(...all)];
      return [operation, ...figures.map((figure) => figure.toFixed(3)), String(all.length)];
    }),
    verdicts: results.flatMap(({ operation, deployed, bare }) =>
      checkBaseline(BASELINES.overhead, operation, medianRatio(deployed, bare)),
    ),
  };
};
