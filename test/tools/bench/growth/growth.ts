import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { OperationName } from '../../../../functions/operations.ts';
import { apiKeyId, withChecksum } from '../../../../lib/api-keys/api-key.ts';
import { toItem } from '../../../../lib/carts/cart-item.ts';
import { atMost, type Effort, goal, measureInTurn, median, type Report, type Verdict } from '../../report.ts';
import type { Load } from '../http/load.ts';
import { type Stage, startLocalStage } from '../http/stage.ts';
import { type BenchDatabase, startBenchDatabase } from '../support/database.ts';
import { makeTemporaryFolder } from '../support/environment.ts';
import { AMPLE_LIMITS, benchCart, cartIdOf, keyItem } from '../support/items.ts';
import { type LoadCell, type LoadResult, ratioOf, tableOf } from '../support/load-cell.ts';
import { BENCH_OPERATIONS, benchRequest, isRead } from '../support/operations.ts';
import { seedDatabase } from '../support/seed.ts';
import { startWorker, type Worker } from '../support/worker.ts';

const CARTS = [1_000, 100_000, 1_000_000];
const CARTS_QUICK = [1_000, 10_000];
const KEYS = 10_000;
const ROUNDS = 9;
const P50_RATIO_MAX = 1.1;
/** The memory in the last quarter of the requests, relative to the first quarter. */
const MEMORY_RATIO_MAX = 1.1;
const MEMORY_SAMPLES = 20;
const MEMORY_CONNECTIONS = 16;

/** Connections, and the requests of a round. Writes are fewer, because they make a small table grow. */
const LOADS = [
  { connections: 1, reads: 200, writes: 100 },
  { connections: 16, reads: 768, writes: 256 },
  { connections: 64, reads: 2_048, writes: 1_024 },
];

/** A local stage on a database with this number of carts. */
interface Tier {
  readonly carts: number;
  readonly stage: Stage;
  readonly database: BenchDatabase;
}

const secretOf = (index: number): string => withChecksum(`cck_test_${String(index).padStart(32, '0')}`);

const startTier = async (folder: string, carts: number): Promise<Tier> => {
  const file = join(folder, `${carts}.sqlite`);
  const nowMs = Date.now();
  await seedDatabase(file, {
    apiKeys: {
      item: { ...keyItem(secretOf(0), AMPLE_LIMITS, nowMs) },
      count: KEYS,
      textsOf: (index) => [apiKeyId(secretOf(index))],
    },
    testCarts: {
      item: toItem(benchCart(cartIdOf(0), nowMs)),
      count: carts,
      textsOf: (index) => [cartIdOf(index)],
    },
  });
  const database = await startBenchDatabase(file);
  const stage = await startLocalStage(database, join(folder, `${carts}.log`));
  return { carts, stage, database };
};

const below = (count: number): number => Math.floor(Math.random() * count);

/** Sends requests of random keys for random carts. The operations take turns. */
const send = (
  worker: Worker,
  { stage, carts }: Tier,
  operations: readonly OperationName[],
  connections: number,
  count: number,
): Promise<LoadResult> => {
  const requests = Array.from({ length: count }, (_, index) => {
    const operation = operations[index % operations.length]!;
    return [operation, benchRequest(operation, secretOf(below(KEYS)), cartIdOf(below(carts)))] as const;
  });
  const load: Load = { url: stage.baseUrl, connections, extent: { amount: count }, requests };
  return worker.ask<LoadResult>(load);
};

/** Returns the resident megabytes of a stage's process after each of 20 equal parts of the requests. */
const measureMemory = async (tier: Tier, worker: Worker, requestCount: number): Promise<number[]> => {
  const megabytes: number[] = [];
  while (megabytes.length < MEMORY_SAMPLES) {
    await send(worker, tier, BENCH_OPERATIONS, MEMORY_CONNECTIONS, requestCount / MEMORY_SAMPLES);
    const kilobytes = execFileSync('ps', ['-o', 'rss=', '-p', String(tier.stage.processId)], {
      encoding: 'utf8',
    });
    megabytes.push(Number(kilobytes) / 1_000);
  }
  return megabytes;
};

const judgeGrowth = (cell: LoadCell<Tier>, smallest: Tier, largest: Tier): Verdict =>
  atMost(
    `${cell.operation}, ${cell.connections} connections: p50 at ${largest.carts} carts at most ${P50_RATIO_MAX} of that at ${smallest.carts}`,
    ratioOf(cell, 'p50Ms', largest, smallest),
    P50_RATIO_MAX,
  );

const judgeMemory = (megabytes: readonly number[], requestCount: number): Verdict => {
  const ratio = median(megabytes.slice(15)) / median(megabytes.slice(0, 5));
  return atMost(
    `memory over ${requestCount} requests: the last quarter at most ${MEMORY_RATIO_MAX} of the first`,
    ratio,
    MEMORY_RATIO_MAX,
    `${ratio.toFixed(3)} (MB: ${megabytes.map((value) => value.toFixed(0)).join(' ')})`,
  );
};

/** Sends the same requests to databases of different sizes, and watches the memory of a long-running stage. */
export const benchGrowth = async (effort: Effort): Promise<Report> => {
  const folder = makeTemporaryFolder();
  const tiers: Tier[] = [];
  for (const carts of effort.isQuick ? CARTS_QUICK : CARTS) tiers.push(await startTier(folder, carts));
  const smallest = tiers[0]!;
  const largest = tiers.at(-1)!;
  const worker = await startWorker(join(import.meta.dirname, '../http/load.ts'));
  const rounds = effort.isQuick ? 1 : ROUNDS;
  const cells: LoadCell<Tier>[] = [];
  let added = 0;
  for (const operation of BENCH_OPERATIONS) {
    for (const { connections, reads, writes } of effort.isQuick ? LOADS.slice(0, 1) : LOADS) {
      const count = isRead(operation) ? reads : writes;
      const results = await measureInTurn(tiers, rounds, (tier) =>
        send(worker, tier, [operation], connections, count),
      );
      cells.push({ operation, connections, results });
      if (!isRead(operation)) added += count * (rounds + 1);
    }
  }
  const requestCount = effort.isQuick ? 400 : 100_000;
  const megabytes = await measureMemory(smallest, worker, requestCount);
  await worker.stop();
  for (const { stage, database } of tiers) {
    await stage.stop();
    await database.close();
  }
  return {
    title: `Growth: carts stored, with ${KEYS} keys, on the embedded DynamoDB in a file`,
    method:
      'Medians of alternating rounds, with random keys and carts. Each size has a stage and a database of its own.\n' +
      `Operations that write come last, and add ${added} carts to each.`,
    ...tableOf(cells, ['carts', ({ carts }) => String(carts)], ['smallest', smallest]),
    verdicts: [
      ...cells.map((cell) => goal(judgeGrowth(cell, smallest, largest))),
      judgeMemory(megabytes, requestCount),
    ],
  };
};
