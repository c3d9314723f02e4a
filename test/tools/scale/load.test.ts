import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Costs, loadOf } from './load/load.ts';
import { API_GATEWAY_TIERS, monthlyCosts, PRICES } from './load/prices.ts';
import { quotaReport } from './load/reports.ts';
import { QUOTAS } from './load/quotas.ts';
import { FUNCTION_MEMORY_MB, OPERATIONS } from './measured.ts';

const COST = readFileSync('docs/cost.md', 'utf8');

/** Figures apart from the measured ones: 10 and 5 ms of waiting, and 1.7 ms for each millisecond of CPU. */
const COSTS: Costs = {
  create: { ...OPERATIONS.create, cpuMs: 2 },
  retrieve: { ...OPERATIONS.retrieve, cpuMs: 1 },
};

/** Dollars a month to the cent, by service. */
const dollarsAt = (requestsPerSecond: number): Record<string, number> =>
  Object.fromEntries(
    Object.entries(monthlyCosts(loadOf(requestsPerSecond, COSTS))).map(([service, cost]) => [
      service,
      Math.round(cost * 100) / 100,
    ]),
  );

describe('the cost of a load', () => {
  it('adds up as by hand: 100 requests a second are 65.7 million creations and 197.1 million retrievals', () => {
    expect(dollarsAt(100)).toStrictEqual({
      // 262.8 * 3.50
      'API Gateway': 919.8,
      // 262.8 * 0.20
      'Lambda, requests': 52.56,
      // (65.7 million * 14 ms + 197.1 million * 7 ms) * 1 GB: 2,299,500 GB-seconds
      'Lambda, GB-seconds': 30.66,
      // (65.7 * 2 + 197.1 * 1) * 0.625
      'DynamoDB, write units': 205.31,
      // (65.7 * 0.5 + 197.1 * 1) * 0.125
      'DynamoDB, read units': 28.74,
      // 65.7 million * 1 KB: 65.7 GB * 0.45
      'DynamoDB, a month of carts': 29.57,
      // (65.7 * 1.2 + 197.1 * 1.0) GB * 0.50
      'CloudWatch, logs': 137.97,
      // 1 + 99 / 20 traces a second: 15.6366 million * 5.00
      'X-Ray': 78.18,
      'The stage itself': 6.5,
    });
  });

  it("takes API Gateway's discounts for what is beyond each tier alone", () => {
    // 26,280 million: 333 * 3.50 + 667 * 2.80 + 19,000 * 2.38 + 6,280 * 1.51
    expect(dollarsAt(10_000)['API Gateway']).toBe(57_735.9);
  });

  it('uses the prices of docs/cost.md', () => {
    for (const price of [
      `$${API_GATEWAY_TIERS[0].price.toFixed(2)} per million`,
      `$${PRICES.lambdaMillionRequests.toFixed(2)} per million`,
      `$${PRICES.lambdaGigabyteSecond} per GB-second`,
      `$${PRICES.dynamodbMillionWrites} per million`,
      `$${PRICES.dynamodbMillionReads} per million`,
      `$${PRICES.logsGigabyte.toFixed(2)} per GB`,
      `$${PRICES.xrayMillionTraces.toFixed(2)} per million traces`,
      `\`prod\` $${PRICES.dynamodbGigabyteMonth} with its backups`,
      `about $${PRICES.stageMonth.toFixed(2)} a month by itself`,
      `${OPERATIONS.create.logBytes / 1_000} KB: $0.60 | ${(OPERATIONS.retrieve.logBytes / 1_000).toFixed(1)} KB: $0.50`,
    ]) {
      expect(COST.replaceAll(/\s+/g, ' ')).toContain(price);
    }
  });

  it('is that of functions as large as the stack deploys them', () => {
    const source = readFileSync('infra/service-function.ts', 'utf8');
    expect(source).toContain(`MEMORY_MB = ${FUNCTION_MEMORY_MB.toLocaleString('en-US').replace(',', '_')};`);
  });
});

describe('the table of quotas', () => {
  it('keeps as many environments busy as requests arrive while one is served (Little)', () => {
    // A quarter takes 10 + 2 * 1.7275 ms, the others 5 + 1.7275 ms.
    expect(loadOf(1_000, COSTS).concurrency).toBeCloseTo(8.41, 2);
  });

  it('is in the order in which a growing rate meets them', () => {
    const reached = quotaReport().rows.map((row) => Number(row.at(-1)?.replaceAll(/[^\d]/g, '')));
    expect(reached).toHaveLength(QUOTAS.length);
    expect(reached).toStrictEqual(reached.toSorted((a, b) => a - b));
  });

  it('names a source for each', () => {
    for (const { source } of QUOTAS) {
      expect(source).toMatch(/^(https:\/\/docs\.aws\.amazon\.com\/\S+\.html|infra\/\S+\.ts)$/);
    }
  });
});
