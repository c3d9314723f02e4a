import { type Report, reportText } from '../bench/support/report.ts';
import { loadOf, monthlyCosts, WARM_MS, WARM_MS_SOURCE } from './model.ts';
import { type Quota, QUOTAS } from './quotas.ts';

const LOADS = [100, 1_000, 10_000].map((rate) => loadOf(rate));

const whole = (value: number): string => Math.round(value).toLocaleString('en-US');

const perSecond = (rate: number): string => `${whole(rate)}/s`;

/** A share of one in percent, with a decimal below 10 %. */
const percent = (share: number): string =>
  `${share < 0.0995 ? (share * 100).toFixed(1) : whole(share * 100)} %`;

const costReport = (stageMonth: number): Report => {
  const costs = LOADS.map((load) => monthlyCosts(load, stageMonth));
  const totals = costs.map((byService) => Object.values(byService).reduce((sum, cost) => sum + cost, 0));
  return {
    title: 'Dollars a month, at a steady rate of one creation to three retrievals',
    method:
      `A creation takes ${WARM_MS.createCartCheckout} ms, a retrieval ${WARM_MS.getCart} ms:\n` +
      `${WARM_MS_SOURCE}.`,
    columns: ['service', ...LOADS.map(({ requests }) => perSecond(requests))],
    rows: [
      ...Object.keys(costs[0]!).map((name) => [name, ...costs.map((byService) => whole(byService[name]!))]),
      ['together', ...totals.map(whole)],
      [
        'a million requests',
        ...LOADS.map(({ millionsPerMonth }, index) => (totals[index]! / millionsPerMonth).toFixed(2)),
      ],
    ],
    verdicts: [],
  };
};

/** The rate that uses up a quota. Each use grows in proportion to the rate. */
const reachedAt = ({ limits, value }: Quota): number => value / loadOf(1)[limits];

const quotaReport = (): Report => ({
  title: 'Quotas, in the order in which a growing rate reaches them',
  method: 'The part of each default that a rate uses, and the rate that uses all of it.',
  columns: ['quota', 'default', ...LOADS.map(({ requests }) => perSecond(requests)), 'reached at'],
  rows: QUOTAS.toSorted((a, b) => reachedAt(a) - reachedAt(b)).map((quota) => [
    quota.name,
    whole(quota.value),
    ...LOADS.map((load) => percent(load[quota.limits] / quota.value)),
    perSecond(reachedAt(quota)),
  ]),
  verdicts: [],
});

const blockOf = (report: Report): string => `\`\`\`text\n${reportText(report).trim()}\n\`\`\``;

/**
 * Makes the generated blocks of `docs/scale.md`, by name.
 *
 * @param stageMonth the dollars that production costs in a month without requests
 */
export const scaleBlocks = (stageMonth: number): Readonly<Record<string, string>> => ({
  cost: blockOf(costReport(stageMonth)),
  quotas: blockOf(quotaReport()),
});
