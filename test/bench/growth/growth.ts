import type { Effort, Report, Verdict } from '../support/report.ts';
import { median, medianRatio } from '../support/statistics.ts';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';
import { measureMemory } from './memory.ts';
import { KEYS, measureP50, startTier, type Tier } from './tier.ts';

const CARTS = [1_000, 100_000, 1_000_000];
const CARTS_QUICK = [1_000, 10_000];
const P50_RATIO_MAX = 1.1;
/** Of the memory after a quarter of the requests, by which the code is compiled and all keys are remembered. */
const MEMORY_RATIO_MAX = 1.1;
const OPERATIONS = ['create', 'retrieve'] as const;

const measureTiers = async (tiers: readonly Tier[], { isQuick }: Effort): Promise<void> => {
  const count = isQuick ? 20 : 100;
  for (let round = isQuick ? 0 : -3; round < (isQuick ? 2 : 15); round += 1) {
    for (const operation of OPERATIONS) {
      for (const tier of round % 2 === 0 ? tiers : tiers.toReversed()) {
        const p50 = await measureP50(tier, operation, count);
        // The first rounds warm up.
        if (round >= 0) tier.p50s[operation].push(p50);
      }
    }
  }
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

const judgeGrowth = (smallest: Tier, largest: Tier): Verdict[] =>
  OPERATIONS.map((operation) => {
    const ratio = medianRatio(largest.p50s[operation], smallest.p50s[operation]);
    return {
      bound: `${operation}: p50 at ${largest.carts} carts at most ${P50_RATIO_MAX} of that at ${smallest.carts}`,
      measured: ratio.toFixed(3),
      ok: ratio <= P50_RATIO_MAX,
    };
  });

const toRow = (tier: Tier, smallest: Tier): string[] => [
  String(tier.carts),
  ...OPERATIONS.flatMap((operation) => [
    median(tier.p50s[operation]).toFixed(3),
    medianRatio(tier.p50s[operation], smallest.p50s[operation]).toFixed(3),
  ]),
  tier.seededSeconds.toFixed(0),
];

/** The same requests on databases of different sizes, and the memory of a stage that runs on. */
export const benchGrowth = async (effort: Effort): Promise<Report> => {
  const folder = makeTemporaryFolder();
  const tiers: Tier[] = [];
  for (const carts of effort.isQuick ? CARTS_QUICK : CARTS) {
    tiers.push(await startTier(folder, carts));
  }
  const smallest = tiers[0]!;
  const largest = tiers.at(-1)!;
  await measureTiers(tiers, effort);
  const requestCount = effort.isQuick ? 400 : 100_000;
  const megabytes = await measureMemory(smallest, requestCount);
  for (const { stage, database } of tiers) {
    await stage.stop();
    await database.close();
  }
  return {
    title: `Growth: carts stored, with ${KEYS} keys, on the embedded DynamoDB in a file`,
    method:
      'Medians of alternating rounds of requests one at a time, by any key and for any cart; a stage and a database of its\n' +
      'own for each size.',
    columns: ['carts', 'create p50 ms', 'of smallest', 'retrieve p50 ms', 'of smallest', 'seeded in s'],
    rows: tiers.map((tier) => toRow(tier, smallest)),
    verdicts: [...judgeGrowth(smallest, largest), judgeMemory(megabytes, requestCount)],
  };
};
