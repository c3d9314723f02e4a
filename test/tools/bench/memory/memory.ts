import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { LOCAL_TABLE_NAMES } from '../../../../infra/local-access/local-names.ts';
import { withChecksum } from '../../../../lib/api-keys/api-key.ts';
import { toCartItem } from '../../../../lib/carts/cart-item.ts';
import { inParallel } from '../../../../lib/core/in-parallel.ts';
import { atMost, type Effort, median, type Report } from '../../report.ts';
import { startBenchDatabase } from '../support/database.ts';
import { makeTemporaryFolder } from '../support/environment.ts';
import { AMPLE_LIMITS, benchCart, cartIdOf, keyItem } from '../support/items.ts';
import type { Load } from '../support/load.ts';
import { BENCH_OPERATIONS, benchRequest } from '../support/operations.ts';
import { startLocalStage } from '../support/stage.ts';
import { startWorker } from '../support/worker.ts';

const KEYS = 10_000;
const KEYS_QUICK = 100;
const CARTS = 1_000;
const CONNECTIONS = 16;
const SAMPLES = 20;
const QUARTER = SAMPLES / 4;

/** Requests before the first sample, in which V8 compiles the code and the heap grows to its working size. */
const WARM_UP_SHARE = 0.2;

/** The memory in the last quarter of the requests, relative to the first quarter. */
const RATIO_MAX = 1.1;

const secretOf = (index: number): string => withChecksum(`cck_test_${String(index).padStart(32, '0')}`);

const below = (count: number): number => Math.floor(Math.random() * count);

/** Requests with random keys for random carts. The operations take turns. */
const requestsOf = (count: number, keys: number): Load['requests'] =>
  Array.from({ length: count }, (_, index) => {
    const operation = BENCH_OPERATIONS[index % BENCH_OPERATIONS.length]!;
    return [operation, benchRequest(operation, secretOf(below(keys)), cartIdOf(below(CARTS)))];
  });

const residentMegabytes = (processId: number): number =>
  Number(execFileSync('ps', ['-o', 'rss=', '-p', String(processId)], { encoding: 'utf8' })) / 1_000;

/** Measures the memory of the local stage over many requests. */
export const benchMemory = async ({ isQuick }: Effort): Promise<Report> => {
  const [keys, count] = isQuick ? [KEYS_QUICK, 400] : [KEYS, 100_000];
  const nowMs = Date.now();
  const database = await startBenchDatabase();
  const { apiKeys, testCarts } = LOCAL_TABLE_NAMES;
  const items = [
    ...Array.from({ length: keys }, (_, index) => ({
      TableName: apiKeys,
      Item: keyItem(secretOf(index), AMPLE_LIMITS, nowMs),
    })),
    ...Array.from({ length: CARTS }, (_, index) => ({
      TableName: testCarts,
      Item: toCartItem(benchCart(cartIdOf(index), nowMs)),
    })),
  ];
  await inParallel(items, CONNECTIONS, (item) => database.documents.send(new PutCommand(item)));
  const stage = await startLocalStage(database, join(makeTemporaryFolder(), 'stage.log'));
  const worker = await startWorker(join(import.meta.dirname, '../support/load.ts'));
  const send = (amount: number) =>
    worker.ask({
      url: stage.baseUrl,
      connections: CONNECTIONS,
      extent: { amount },
      requests: requestsOf(amount, keys),
    } satisfies Load);
  await send(count * WARM_UP_SHARE);
  const megabytes: number[] = [];
  while (megabytes.length < SAMPLES) {
    await send(count / SAMPLES);
    megabytes.push(residentMegabytes(stage.processId));
  }
  await Promise.all([worker.stop(), stage.stop()]);
  await database.close();
  const ratio = median(megabytes.slice(-QUARTER)) / median(megabytes.slice(0, QUARTER));
  return {
    title: `The memory of the local stage over ${count} requests of ${keys} keys`,
    method: `Resident memory after each of ${SAMPLES} equal parts, with random keys and carts, after a warm-up.`,
    columns: ['part', 'MB'],
    rows: megabytes.map((value, index) => [String(index + 1), value.toFixed(0)]),
    verdicts: [atMost(`the last quarter at most ${RATIO_MAX} of the first`, ratio, RATIO_MAX)],
  };
};
