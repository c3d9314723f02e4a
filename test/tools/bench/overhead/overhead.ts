import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { LOCAL_TABLE_NAMES } from '../../../../infra/local/local-database.ts';
import { createApiKeyStore } from '../../../../lib/api-keys/api-key-store.ts';
import { createProductStore } from '../../../../lib/products/product-store.ts';
import { seedDemoStores } from '../../../../infra/local/demo-stores.ts';
import { AMPLE_LIMITS, type BenchDatabase, issueKey, startBenchDatabase } from '../support/database.ts';
import { functionEnvironment } from '../support/environment.ts';
import type { Effort, Report } from '../support/report.ts';
import { type BenchRequest, createRequest, retrieveRequest } from '../support/requests.ts';
import { median, medianRatio } from '../support/statistics.ts';
import { startWorker, type Worker } from '../support/worker.ts';
import { type ApiFunction, type BundlePair, makeBundlePairs } from './bundles.ts';
import { seededCart } from '../growth/seed-items.ts';
import type { Round } from './worker.ts';

const RATIO_MAX = 1.25;

interface Pair {
  readonly functionName: ApiFunction;
  readonly deployed: Worker;
  readonly bare: Worker;
  /** CPU milliseconds of one request, by round. */
  readonly times: { readonly deployed: number[]; readonly bare: number[] };
}

const startPair = async (
  { functionName, files, nodeOptions }: BundlePair,
  endpoint: string,
): Promise<Pair> => {
  const env = { ...functionEnvironment(endpoint), NODE_OPTIONS: nodeOptions };
  const start = (file: string): Promise<Worker> =>
    startWorker(join(import.meta.dirname, 'worker.ts'), [file, functionName], env);
  const [deployed, bare] = await Promise.all([start(files.deployed), start(files.bare)]);
  return { functionName, deployed, bare, times: { deployed: [], bare: [] } };
};

/** The same request for both functions of a pair. */
const requestsOn = async ({ documents }: BenchDatabase): Promise<Record<ApiFunction, BenchRequest>> => {
  const apiKeys = createApiKeyStore(documents, LOCAL_TABLE_NAMES.apiKeys);
  await seedDemoStores(apiKeys, createProductStore(documents, LOCAL_TABLE_NAMES.products), Date.now());
  const apiKey = await issueKey(documents, AMPLE_LIMITS, AMPLE_LIMITS.limit / 2);
  const id = randomUUID();
  await documents.send(
    new PutCommand({ TableName: LOCAL_TABLE_NAMES.carts, Item: seededCart(id, Date.now()) }),
  );
  return { 'create-cart-checkout': createRequest(apiKey), 'get-cart': retrieveRequest(apiKey, id) };
};

const measureAll = async (
  pairs: readonly Pair[],
  database: BenchDatabase,
  { isQuick }: Effort,
): Promise<void> => {
  const requests = await requestsOn(database);
  const askOne = (worker: Worker, name: ApiFunction, count: number): Promise<number> => {
    const round: Round = { request: requests[name], count };
    return worker.ask<number>(round);
  };
  for (const { functionName, deployed, bare } of pairs) {
    for (const worker of [deployed, bare]) await askOne(worker, functionName, isQuick ? 50 : 2_000);
  }
  for (let round = 0; round < (isQuick ? 3 : 31); round += 1) {
    for (const { functionName, deployed, bare, times } of pairs) {
      const turns = [
        async () => times.deployed.push(await askOne(deployed, functionName, isQuick ? 20 : 200)),
        async () => times.bare.push(await askOne(bare, functionName, isQuick ? 20 : 200)),
      ];
      for (const turn of round % 2 === 0 ? turns : turns.toReversed()) await turn();
    }
  }
};

/** CPU time of the deployed bundles over functions that make the same calls and do nothing else. */
export const benchOverhead = async (effort: Effort): Promise<Report> => {
  const database = await startBenchDatabase();
  const pairs = await Promise.all(makeBundlePairs().map((bundle) => startPair(bundle, database.endpoint)));
  await measureAll(pairs, database, effort);
  await Promise.all(pairs.flatMap(({ deployed, bare }) => [deployed.stop(), bare.stop()]));
  await database.close();

  const ratioOf = ({ times }: Pair): number => medianRatio(times.deployed, times.bare);
  return {
    title: 'Handler overhead: CPU time of a request, deployed bundle and bare function',
    method:
      'Medians of alternating rounds of processes of their own, one request at a time; logs go to a pipe, as in Lambda.\n' +
      'The bare function makes the same SDK calls through the same client: no Middy, no zod, no logs.',
    columns: ['function', 'deployed ms', 'bare ms', 'ratio', 'lowest', 'highest', 'rounds'],
    rows: pairs.map((pair) => {
      const { deployed, bare } = pair.times;
      const ratios = deployed.map((value, round) => value / (bare[round] ?? Number.NaN));
      return [
        pair.functionName,
        ...[median(deployed), median(bare), ratioOf(pair), Math.min(...ratios), Math.max(...ratios)].map(
          (value) => value.toFixed(3),
        ),
        String(ratios.length),
      ];
    }),
    verdicts: pairs.map((pair) => ({
      bound: `${pair.functionName}: at most ${RATIO_MAX} of the bare function's CPU time`,
      measured: ratioOf(pair).toFixed(3),
      ok: ratioOf(pair) <= RATIO_MAX,
    })),
  };
};
