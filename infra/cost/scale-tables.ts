import type { Rows } from './cost-tables.ts';
import { loadOf, monthlyCosts } from './model.ts';
import { type Quota, QUOTAS } from './quotas.ts';

const LOADS = [100, 1_000, 10_000].map((rate) => loadOf(rate));

const whole = (value: number): string => Math.round(value).toLocaleString('en-US');

const perSecond = (rate: number): string => `${whole(rate)}/s`;

/** A share of one in percent, with a decimal below 10 %. */
const percent = (share: number): string =>
  `${share < 0.0995 ? (share * 100).toFixed(1) : whole(share * 100)} %`;

/** The dollars of a month, by service. */
const costRows = (stageMonth: number): Rows => {
  const costs = LOADS.map((load) => ({ load, byService: monthlyCosts(load, stageMonth) }));
  const totalOf = (byService: Readonly<Record<string, number>>): number =>
    Object.values(byService).reduce((sum, cost) => sum + cost, 0);
  const services = Object.keys(costs[0]?.byService ?? {});
  return [
    ['Service', ...LOADS.map(({ requests }) => perSecond(requests))],
    ...services.map((name) => [name, ...costs.map(({ byService }) => whole(byService[name] ?? 0))]),
    ['Total', ...costs.map(({ byService }) => whole(totalOf(byService)))],
    [
      'A million requests',
      ...costs.map(({ load, byService }) => (totalOf(byService) / load.millionsPerMonth).toFixed(2)),
    ],
  ];
};

/** The rate that uses up a quota. Each use grows in proportion to the rate. */
const reachedAt = ({ limits, value }: Quota): number => value / loadOf(1)[limits];

const quotaRows = (): Rows => [
  ['Quota', 'Default', ...LOADS.map(({ requests }) => perSecond(requests)), 'Reached at'],
  ...QUOTAS.toSorted((a, b) => reachedAt(a) - reachedAt(b)).map((quota) => [
    quota.name,
    whole(quota.value),
    ...LOADS.map((load) => percent(load[quota.limits] / quota.value)),
    perSecond(reachedAt(quota)),
  ]),
];

/**
 * Makes the tables of `docs/scale.md`, by name.
 *
 * @param stageMonth the dollars that production costs in a month without requests
 */
export const scaleTables = (stageMonth: number): Readonly<Record<string, Rows>> => ({
  cost: costRows(stageMonth),
  quotas: quotaRows(),
});
