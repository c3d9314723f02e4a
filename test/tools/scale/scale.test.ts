import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { limitsOf } from '../../../infra/stack/function-limits.ts';
import { rowsOf, sectionsOf } from '../../frame/markdown.ts';
import { reportText } from '../bench/support/report.ts';
import { FUNCTION_MEMORY_MB, loadOf, monthlyCosts, OPERATION_COSTS, PRICES } from './model.ts';
import { QUOTAS } from './quotas.ts';
import { costsOf, DOLLARS_MAX, totalOf } from './request-costs.ts';
import { DOCUMENT_FILE, makeReports, withReports } from './tables.ts';

const DOCUMENT = readFileSync(DOCUMENT_FILE, 'utf8');
const { createCartCheckout, getCart } = OPERATION_COSTS;

/** Round figures: Lambda bills 14 and 7 ms. */
const COSTS = {
  createCartCheckout: { ...createCartCheckout, durationMs: 13.4, logBytes: 600 },
  getCart: { ...getCart, durationMs: 6.7, logBytes: 500 },
};

const dollarsAt = (rate: number): Record<string, number> => {
  const costs = Object.entries(monthlyCosts(loadOf(rate, COSTS)));
  return Object.fromEntries(costs.map(([service, cost]) => [service, Math.round(cost * 100) / 100]));
};

test('docs/scale.md holds each table of the model; --write updates them and nothing else', () => {
  const reports = makeReports();
  for (const report of reports) {
    expect(DOCUMENT, 'run npm run scale -- --write').toContain(
      `\n\`\`\`text\n${reportText(report).trim()}\n\`\`\`\n`,
    );
  }
  const stale = DOCUMENT.replace('API Gateway                   920', 'API Gateway                   921');
  expect(stale).not.toBe(DOCUMENT);
  expect(withReports(stale, reports)).toBe(DOCUMENT);
});

test('the cost of 100 requests/s equals the sum by hand, of 65.7 million creations and 197.1 million retrievals', () => {
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
    // (65.7 * 0.6 GB + 197.1 * 0.5 GB) * 0.50
    'CloudWatch, logs': 68.99,
    // 2.628 million * 5.00
    'X-Ray': 13.14,
    'The stage itself': 15.7,
  });
  // 26,280 million: 333 * 3.50 + 667 * 2.80 + 19,000 * 2.38 + 6,280 * 1.51
  expect(dollarsAt(10_000)['API Gateway']).toBe(57_735.9);
  // A quarter takes 13.4 ms, the others 6.7 ms.
  expect(loadOf(1_000, COSTS).concurrency).toBeCloseTo(8.375, 3);
});

test('the model uses the prices of the cost page and the memory of the stack, and each quota has a source', () => {
  const pages = ['README.md', 'docs/cost.md'].filter((file) => existsSync(file));
  const text = pages.map((file) => readFileSync(file, 'utf8').replaceAll(/\s+/g, ' ')).join(' ');
  for (const price of [
    `$${PRICES.apiGateway[0].price.toFixed(2)} per million`,
    `$${PRICES.lambdaMillionRequests.toFixed(2)} per million`,
    `$${PRICES.lambdaGigabyteSecond} per GB-second`,
    `$${PRICES.dynamodbMillionWrites} per million`,
    `$${PRICES.dynamodbMillionReads} per million`,
    `$${PRICES.logsGigabyte.toFixed(2)} per GB`,
    `$${PRICES.xrayMillionTraces.toFixed(2)} per million traces`,
    `$${PRICES.dynamodbGigabyteMonth}, with backups`,
    `about $${PRICES.stageMonth.toFixed(2)} a month`,
  ]) {
    expect(text).toContain(price);
  }
  expect(limitsOf('create-cart-checkout').memoryMb).toBe(FUNCTION_MEMORY_MB);
  for (const { source } of QUOTAS) {
    expect(source).toMatch(/^(https:\/\/docs\.aws\.amazon\.com\/\S+\.html|infra\/\S+\.ts)$/);
  }
});

test('the first table of the cost page is prices times amounts, within the bounds of its totals', () => {
  const operations = ['createCartCheckout', 'getCart'] as const;
  const dollars = (value: number): string => `$${value.toFixed(2)}`;
  const columns = operations.map((operation) => costsOf(operation));
  const rows = columns[0]!.map(({ part }, index) => [
    part,
    ...columns.map((column) => {
      const { amount, dollars: cost } = column[index]!;
      return amount === undefined ? dollars(cost) : `${amount}: ${dollars(cost)}`;
    }),
  ]);
  const [header, , ...table] = rowsOf(sectionsOf(readFileSync('docs/cost.md', 'utf8')).get('Cost'));
  expect(header).toStrictEqual(['Part', 'Price', 'POST', 'GET']);
  expect(table.map(([part, , ...costs]) => [part, ...costs])).toStrictEqual([
    ...rows,
    ['**Total**', ...columns.map((column) => `**${dollars(totalOf(column))}**`)],
  ]);
  for (const operation of operations)
    expect(totalOf(costsOf(operation))).toBeLessThanOrEqual(DOLLARS_MAX[operation]);
});

test.each([
  ['Payments, events and webhooks', 0, 8],
  ['Payments, events and webhooks', 1, 4],
  ['An unused stage', 0, 1],
])('the table of the cost page in %s, %i, adds up to its total, which is at most %d dollars', (...row) => {
  const [section, index, dollarsMax] = row;
  const rows = rowsOf(sectionsOf(readFileSync('docs/cost.md', 'utf8')).get(section)).map((cells) => {
    const [, dollars] = /^\*{0,2}\$([\d.]+)\*{0,2}$/.exec(cells.at(-1) ?? '') ?? [];
    return { part: String(cells[0]), cents: Math.round(100 * Number(dollars)) };
  });
  const parts = rows.filter(({ cents }) => !Number.isNaN(cents));
  const totals = parts.flatMap(({ part }, position) => (part === '**Total**' ? [position] : []));
  const end = totals[index] ?? NaN;
  const table = parts.slice((totals[index - 1] ?? -1) + 1, end);
  expect(table.length).toBeGreaterThan(3);
  const sum = table.reduce((total, { cents }) => total + cents, 0);
  expect(sum).toBe(parts[end]?.cents);
  expect(sum).toBeLessThanOrEqual(100 * dollarsMax);
});
