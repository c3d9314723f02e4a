import type { Template } from 'aws-cdk-lib/assertions';
import { DELIVERY_COSTS, PAYMENT_COSTS } from './event-costs.ts';
import { dayOf, floodCosts } from './flood-costs.ts';
import { dollarsOf, type IdleCost, idleCosts, idleTotal } from './idle-costs.ts';
import { PRICES } from './model.ts';
import { type CostRow, costsOf, totalOf } from './request-costs.ts';

const usd = (dollars: number, digits = 2): string =>
  `$${dollars.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })}`;

/** A table: its headings, then its rows. A row of sums begins with `Total`. */
export type Rows = readonly (readonly string[])[];

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

const requestRows = (): Rows => {
  const columns = (['createCartCheckout', 'getCart'] as const).map((operation) => costsOf(operation));
  const cellOf = ({ amount, dollars }: CostRow): string =>
    amount === undefined ? usd(dollars) : `${amount}: ${usd(dollars)}`;
  const rows = Object.entries(REQUEST_PRICES).map(([part, price]) => [
    part,
    price,
    ...columns.map((column) =>
      column
        .filter((row) => row.part === part)
        .map(cellOf)
        .join(),
    ),
  ]);
  const totals = columns.map((column) => usd(totalOf(column)));
  return [['Part', 'Price', 'POST', 'GET'], ...rows, ['Total', '', ...totals]];
};

const idleRows = (production: Template, branch: Template): Rows => {
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
  const totals = stages.map((costs) => usd(idleTotal(costs)));
  return [['Part', 'Each', 'Production', 'Branch'], ...rows, ['Total', '', ...totals]];
};

const floodRows = (production: Template): Rows => {
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
    usd(
      costs.reduce((sum, cost) => sum + dayOf(cost, cost[price]), 0),
      0,
    );
  return [
    ['Method', 'Requests/s', 'A million', 'A day', 'A million, largest', 'A day, largest'],
    ...rows,
    ['Total', '', '', totalOfDay('dollars'), '', totalOfDay('largestDollars')],
  ];
};

const eventRows = (costs: readonly CostRow[], heading: string): Rows => [
  ['Part', 'Amount', heading],
  ...costs.map(({ part, amount = '', dollars }) => [part, amount, usd(dollars)]),
  ['Total', '', usd(totalOf(costs))],
];

/** Makes the tables of `docs/cost.md`, by name. */
export const costTables = (production: Template, branch: Template): Readonly<Record<string, Rows>> => ({
  request: requestRows(),
  idle: idleRows(production, branch),
  flood: floodRows(production),
  payments: eventRows(PAYMENT_COSTS, 'A million payments'),
  deliveries: eventRows(DELIVERY_COSTS, 'A million deliveries'),
});
