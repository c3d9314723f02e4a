import type { Template } from 'aws-cdk-lib/assertions';
import { type CostRow, costsOf, DELIVERY_COSTS, PAYMENT_COSTS, totalOf, usd } from './costs-per-million.ts';
import { dayOf, floodCosts } from './flood-costs.ts';
import { millionsAt, loadCosts } from './load-costs.ts';
import { dollarsOf, type UnusedCost, unusedStageCosts, unusedStageTotal } from './unused-stage-costs.ts';

/** A table: its headings, then its rows. A row of sums begins with `Total`. */
export type Rows = readonly (readonly string[])[];

/** The cost of a million requests, by part. */
export const requestRows = (): Rows => {
  const creation = costsOf('createCartCheckout');
  const retrieval = costsOf('getCart');
  const cellOf = ({ amount, dollars }: CostRow): string =>
    amount === undefined ? usd(dollars) : `${amount}: ${usd(dollars)}`;
  const rows = creation.map((row, index) => {
    const other = retrieval[index] ?? row;
    return [row.part, row.price ?? '', cellOf(row), cellOf(other)];
  });
  return [
    ['Part', 'Price', 'POST', 'GET'],
    ...rows,
    ['Total', '', usd(totalOf(creation)), usd(totalOf(retrieval))],
  ];
};

/** The cost of a month without requests, by part. */
export const unusedStageRows = (production: Template, branch: Template): Rows => {
  const stages = [unusedStageCosts(production), unusedStageCosts(branch)];
  const cell = (costs: readonly UnusedCost[], part: string): string => {
    const cost = costs.find((each) => each.part === part);
    return cost ? `${cost.count}: ${usd(dollarsOf(cost))}` : 'none';
  };
  const prices = new Map(stages.flat().map(({ part, price }) => [part, price]));
  const rows = [...prices].map(([part, price]) => [
    part,
    usd(price),
    ...stages.map((costs) => cell(costs, part)),
  ]);
  const totals = stages.map((costs) => usd(unusedStageTotal(costs)));
  return [['Part', 'Each', 'Production', 'Branch'], ...rows, ['Total', '', ...totals]];
};

/** The most that requests can cost, by method, without deliveries. */
export const floodRows = (production: Template): Rows => {
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

export const paymentRows = (): Rows => eventRows(PAYMENT_COSTS, 'A million payments');

export const deliveryRows = (): Rows => eventRows(DELIVERY_COSTS, 'A million deliveries');

/** The requests a second of the columns in `docs/scale.md`. */
export const RATES = [100, 1_000, 10_000] as const;

export const whole = (value: number): string => Math.round(value).toLocaleString('en-US');

/** The rows of a month's dollars, by service. */
export const loadRows = (production: Template): Rows => {
  const stageMonth = unusedStageTotal(unusedStageCosts(production));
  const columns = RATES.map((rate) => Object.entries(loadCosts(rate, stageMonth)));
  const totals = columns.map((column) => column.reduce((sum, [, dollars]) => sum + dollars, 0));
  return [
    ['Service', ...RATES.map((rate) => `${whole(rate)}/s`)],
    ...(columns[0] ?? []).map(([service], row) => [
      service,
      ...columns.map((column) => whole(column[row]?.[1] ?? 0)),
    ]),
    ['Total', ...totals.map(whole)],
    [
      'A million requests',
      ...RATES.map((rate, index) => ((totals[index] ?? 0) / millionsAt(rate)).toFixed(2)),
    ],
  ];
};
