import type { Template } from 'aws-cdk-lib/assertions';
import { bold, table } from '../documents/markdown.ts';
import { DELIVERY_COSTS, PAYMENT_COSTS } from './event-costs.ts';
import { dayOf, floodCosts } from './flood-costs.ts';
import { dollarsOf, type IdleCost, idleCosts, idleTotal } from './idle-costs.ts';
import { PRICES } from './model.ts';
import { type CostRow, costsOf, totalOf } from './request-costs.ts';

const usd = (dollars: number, digits = 2): string =>
  `$${dollars.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })}`;

/** The price of each part of a request. */
const REQUEST_PRICES: Readonly<Record<string, string>> = {
  'API Gateway, REST': `${usd(PRICES.apiGateway[0].price)} per million`,
  'Lambda, requests': `${usd(PRICES.lambdaMillionRequests)} per million`,
  'Lambda, 1 GB arm64': `$${PRICES.lambdaGigabyteSecond} per GB-second`,
  'DynamoDB, write units': `${usd(PRICES.dynamodbMillionWrites, 3)} per million`,
  'DynamoDB, read units': `${usd(PRICES.dynamodbMillionReads, 3)} per million`,
  'CloudWatch, function logs, access logs': `${usd(PRICES.logsGigabyte)} per GB`,
  'X-Ray, one trace in a hundred': `${usd(PRICES.xrayMillionTraces)} per million traces`,
};

const requestTable = (): string => {
  const columns = (['createCartCheckout', 'getCart'] as const).map((operation) => costsOf(operation));
  const rows = columns[0]!.map(({ part }, index) => [
    part,
    REQUEST_PRICES[part] ?? '',
    ...columns.map((column) => {
      const { amount, dollars } = column[index]!;
      return amount === undefined ? usd(dollars) : `${amount}: ${usd(dollars)}`;
    }),
  ]);
  const totals = columns.map((column) => bold(usd(totalOf(column))));
  return table([['Part', 'Price', 'POST', 'GET'], ...rows, [bold('Total'), '', ...totals]]);
};

const idleTable = (production: Template, branch: Template): string => {
  const stages = [idleCosts(production), idleCosts(branch)];
  const cell = (costs: readonly IdleCost[], part: string): string => {
    const cost = costs.find((each) => each.part === part);
    return cost ? `${cost.count}: ${usd(dollarsOf(cost))}` : 'none';
  };
  const prices = new Map(stages.flat().map(({ part, price }) => [part, price]));
  const rows = [...prices].map(([part, price]) => [
    part,
    usd(price),
    ...stages.map((costs) => cell(costs, part)),
  ]);
  const totals = stages.map((costs) => bold(usd(idleTotal(costs))));
  return table([['Part', 'Each', 'Production', 'Branch'], ...rows, [bold('Total'), '', ...totals]]);
};

const floodTable = (production: Template): string => {
  const costs = floodCosts(production).toSorted(
    (a, b) => dayOf(b, b.largestDollars) - dayOf(a, a.largestDollars),
  );
  const rows = costs.map((cost) => [
    cost.methods,
    cost.count === 1
      ? cost.requestsPerSecond.toLocaleString('en-US')
      : `${cost.count} × ${cost.requestsPerSecond}`,
    usd(cost.dollars),
    usd(dayOf(cost, cost.dollars), 0),
    usd(cost.largestDollars),
    usd(dayOf(cost, cost.largestDollars), 0),
  ]);
  const totalOfDay = (price: 'dollars' | 'largestDollars'): string =>
    bold(
      usd(
        costs.reduce((sum, cost) => sum + dayOf(cost, cost[price]), 0),
        0,
      ),
    );
  return table([
    ['Method', 'Requests/s', 'A million', 'A day', 'A million, largest', 'A day, largest'],
    ...rows,
    [bold('Total'), '', '', totalOfDay('dollars'), '', totalOfDay('largestDollars')],
  ]);
};

const eventTable = (costs: readonly CostRow[], heading: string): string =>
  table([
    ['Part', 'Amount', heading],
    ...costs.map(({ part, amount = '', dollars }) => [part, amount, usd(dollars)]),
    [bold('Total'), '', bold(usd(totalOf(costs)))],
  ]);

/** Makes the generated blocks of `docs/cost.md`, by name. */
export const costBlocks = (production: Template, branch: Template): Readonly<Record<string, string>> => ({
  request: requestTable(),
  idle: idleTable(production, branch),
  flood: floodTable(production),
  payments: eventTable(PAYMENT_COSTS, 'A million payments'),
  deliveries: eventTable(DELIVERY_COSTS, 'A million deliveries'),
});
