import { join } from 'node:path';
import type { Load, LoadResult } from '../http/load.ts';
import type { Effort, Report, Verdict } from '../support/report.ts';
import { median, medianRatio } from '../support/statistics.ts';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';
import { startWorker, type Worker } from '../support/worker.ts';
import { measureMemory } from './memory.ts';
import { anyRequest, KEYS, type Operation, startTier, type Tier } from './tier.ts';

const CARTS = [1_000, 100_000, 1_000_000];
const CARTS_QUICK = [1_000, 10_000];
/**
 * By connections, the requests of a round: enough that connecting is a small part of them, and as few creations as will do,
 * since they make a small table grow.
 */
const REQUESTS: Readonly<Record<Operation, ReadonlyMap<number, number>>> = {
  // Retrievals first: creations change what they find.
  retrieve: new Map([
    [1, 200],
    [16, 768],
    [64, 2_048],
  ]),
  create: new Map([
    [1, 100],
    [16, 256],
    [64, 1_024],
  ]),
};
const ROUNDS = 9;
const P50_RATIO_MAX = 1.1;
/** Of the memory after a quarter of the requests, by which the code is compiled and all keys are remembered. */
const MEMORY_RATIO_MAX = 1.1;

/** One operation over so many connections, and what came of it on each tier, by round. */
interface Cell {
  readonly operation: Operation;
  readonly connections: number;
  readonly results: ReadonlyMap<Tier, LoadResult[]>;
}

const newCells = (tiers: readonly Tier[], { isQuick }: Effort): Cell[] =>
  (Object.keys(REQUESTS) as Operation[]).flatMap((operation) =>
    [...REQUESTS[operation].keys()].slice(0, isQuick ? 1 : undefined).map((connections) => ({
      operation,
      connections,
      results: new Map<Tier, LoadResult[]>(tiers.map((tier) => [tier, []])),
    })),
  );

const measure = async (
  { operation, connections, results }: Cell,
  load: Worker,
  rounds: number,
): Promise<void> => {
  const tiers = [...results.keys()];
  const count = REQUESTS[operation].get(connections)!;
  // The first round warms up.
  for (let round = -1; round < rounds; round += 1) {
    for (const tier of round % 2 === 0 ? tiers : tiers.toReversed()) {
      const requests = Array.from({ length: count }, () => anyRequest(operation, tier));
      const asked: Load = { url: tier.stage.baseUrl, connections, count, requests };
      const result = await load.ask<LoadResult>(asked);
      if (round >= 0) results.get(tier)?.push(result);
    }
  }
};

const p50s = ({ results }: Cell, tier: Tier): number[] => (results.get(tier) ?? []).map(({ p50Ms }) => p50Ms);

const judgeGrowth = (cell: Cell, smallest: Tier, largest: Tier): Verdict => {
  const ratio = medianRatio(p50s(cell, largest), p50s(cell, smallest));
  return {
    bound: `${cell.operation}, ${cell.connections} connections: p50 at ${largest.carts} carts at most ${P50_RATIO_MAX} of that at ${smallest.carts}`,
    measured: ratio.toFixed(3),
    ok: ratio <= P50_RATIO_MAX,
  };
};

const judgeMemory = (megabytes: readonly number[], requestCount: number): Verdict => {
  const warm = median(megabytes.slice(5, 10));
  const last = median(megabytes.slice(15));
  return {
    bound: `memory over ${requestCount} requests: flat to ${MEMORY_RATIO_MAX} after the first quarter`,
    measured: `${(last / warm).toFixed(3)} (MB: ${megabytes.map((value) => value.toFixed(0)).join(' ')})`,
    ok: last / warm <= MEMORY_RATIO_MAX,
  };
};

const toRow = (cell: Cell, tier: Tier, smallest: Tier): string[] => {
  const results = cell.results.get(tier) ?? [];
  return [
    cell.operation,
    String(cell.connections),
    String(tier.carts),
    median(results.map(({ requestsPerSecond }) => requestsPerSecond)).toFixed(0),
    median(p50s(cell, tier)).toFixed(2),
    median(results.map(({ p99Ms }) => p99Ms)).toFixed(2),
    medianRatio(p50s(cell, tier), p50s(cell, smallest)).toFixed(3),
  ];
};

/** The same requests on databases of different sizes, and the memory of a stage that runs on. */
export const benchGrowth = async (effort: Effort): Promise<Report> => {
  const folder = makeTemporaryFolder();
  const tiers: Tier[] = [];
  for (const carts of effort.isQuick ? CARTS_QUICK : CARTS) tiers.push(await startTier(folder, carts));
  const smallest = tiers[0]!;
  const largest = tiers.at(-1)!;
  const cells = newCells(tiers, effort);
  const load = await startWorker(join(import.meta.dirname, '../http/load.ts'));
  for (const cell of cells) await measure(cell, load, effort.isQuick ? 1 : ROUNDS);
  const requestCount = effort.isQuick ? 400 : 100_000;
  const megabytes = await measureMemory(smallest, load, requestCount);
  await load.stop();
  for (const { stage, database } of tiers) {
    await stage.stop();
    await database.close();
  }
  const created = [...REQUESTS.create.values()].reduce((sum, count) => sum + count * (ROUNDS + 1), 0);
  const seeded = tiers.map(({ carts, seededSeconds }) => `${carts} in ${seededSeconds.toFixed(0)} s`);
  return {
    title: `Growth: carts stored, with ${KEYS} keys, on the embedded DynamoDB in a file`,
    method:
      'Medians of alternating rounds, each request by any key and for any cart; a stage and a database of its own for each\n' +
      `size. Carts seeded: ${seeded.join(', ')}; creations come last, and add ${created} to each.`,
    columns: ['operation', 'connections', 'carts', 'requests/s', 'p50 ms', 'p99 ms', 'p50 of smallest'],
    rows: cells.flatMap((cell) => tiers.map((tier) => toRow(cell, tier, smallest))),
    verdicts: [
      ...cells.map((cell) => judgeGrowth(cell, smallest, largest)),
      judgeMemory(megabytes, requestCount),
    ],
  };
};
