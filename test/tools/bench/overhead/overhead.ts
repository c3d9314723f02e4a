import { join } from 'node:path';
import { type OperationName, OPERATIONS } from '../../../../functions/operations.ts';
import { BUNDLE_FORMAT } from '../../../../infra/stack/bundling.ts';
import { BundleStack } from '../../../support/bundle-stack.ts';
import { startBenchDatabase } from '../support/database.ts';
import { functionEnvironment, makeTemporaryFolder } from '../support/environment.ts';
import { bareFileOf, BENCH_OPERATIONS, givenRequests } from '../support/operations.ts';
import {
  atMost,
  type Effort,
  measureInTurn,
  median,
  medianRatio,
  ratios,
  type Report,
} from '../support/report.ts';
import { startWorker, type Worker } from '../support/worker.ts';
import type { Round } from './worker.ts';

/** The bound of an operation's CPU time, relative to that of its bare function. */
const RATIO_MAX = 1;

/** An operation's function and its bare counterpart, each in a process of its own. */
interface Pair {
  readonly operation: OperationName;
  readonly deployed: Worker;
  readonly bare: Worker;
}

/** Bundles each operation's function and its bare counterpart, and starts both. */
const startPairs = async (endpoint: string): Promise<Pair[]> => {
  const stack = new BundleStack(makeTemporaryFolder());
  const lambdas = BENCH_OPERATIONS.map((operation) => {
    const { functionName } = OPERATIONS[operation];
    const deployed = stack.addFunction(functionName);
    const bare = stack.addFile(`bare-${functionName}`, bareFileOf(functionName), BUNDLE_FORMAT, deployed);
    return { operation, deployed, bare };
  });
  const written = stack.write();
  return Promise.all(
    lambdas.map(async ({ operation, deployed, bare }): Promise<Pair> => {
      const env = functionEnvironment(endpoint);
      const start = (lambda: typeof bare): Promise<Worker> =>
        startWorker(join(import.meta.dirname, 'worker.ts'), [written(lambda).file], env);
      return { operation, deployed: await start(deployed), bare: await start(bare) };
    }),
  );
};

/** Compares the CPU time of the deployed bundles with functions that make the same calls and do nothing else. */
export const benchOverhead = async (effort: Effort): Promise<Report> => {
  const database = await startBenchDatabase();
  const pairs = await startPairs(database.endpoint);
  const requestOf = await givenRequests(database);
  const results = [];
  for (const { operation, deployed, bare } of pairs) {
    const request = requestOf(operation);
    const run = (worker: Worker, count: number): Promise<number> =>
      worker.ask<number>({ operation, request, count } satisfies Round);
    for (const worker of [deployed, bare]) await run(worker, effort.isQuick ? 50 : 1_500);
    const times = await measureInTurn([deployed, bare], effort.isQuick ? 3 : 21, (worker) =>
      run(worker, effort.isQuick ? 20 : 150),
    );
    results.push({ operation, deployed: times.get(deployed)!, bare: times.get(bare)! });
    await Promise.all([deployed.stop(), bare.stop()]);
  }
  await database.close();
  return {
    title: 'Handler overhead: CPU time of a request, deployed bundle and bare function',
    method:
      'Medians of alternating rounds, each function in its own process, one request at a time. Logs go to a pipe, as in Lambda.\n' +
      "The bare function makes the same calls through the SDK's document client as it comes, without checks and logs.",
    columns: ['operation', 'deployed ms', 'bare ms', 'ratio', 'lowest', 'highest', 'rounds'],
    rows: results.map(({ operation, deployed, bare }) => {
      const all = ratios(deployed, bare);
      const figures = [median(deployed), median(bare), median(all), Math.min(...all), Math.max(...all)];
      return [operation, ...figures.map((figure) => figure.toFixed(3)), String(all.length)];
    }),
    verdicts: results.map(({ operation, deployed, bare }) => {
      return atMost(
        `${operation}: at most ${RATIO_MAX} of the bare function's CPU time`,
        medianRatio(deployed, bare),
        RATIO_MAX,
      );
    }),
  };
};
