import { join } from 'node:path';
import { type Report, reportText } from '../bench/support/report.ts';
import { loadOf, monthlyCosts, WARM_MS, WARM_MS_SOURCE } from './model.ts';
import { type Quota, QUOTAS } from './quotas.ts';

export const DOCUMENT_FILE = join(import.meta.dirname, '../../../docs/scale.md');

const LOADS = [100, 1_000, 10_000].map((rate) => loadOf(rate));

const whole = (value: number): string => Math.round(value).toLocaleString('en-US');

const perSecond = (rate: number): string => `${whole(rate)}/s`;

/** A share of one in percent, with a decimal below 10 %. */
const percent = (share: number): string =>
  `${share < 0.0995 ? (share * 100).toFixed(1) : whole(share * 100)} %`;

const costReport = (): Report => {
  const costs = LOADS.map(monthlyCosts);
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

export const makeReports = (): Report[] => [costReport(), quotaReport()];

/** Replaces each code block that begins with the title of a report by that report. */
export const withReports = (markdown: string, reports: readonly Report[]): string =>
  markdown.replaceAll(/(?<=^```text\n)([^\n]*)\n[^`]*(?=```$)/gm, (block, title: string) => {
    const report = reports.find((candidate) => candidate.title === title);
    return report ? `${reportText(report).trim()}\n` : block;
  });
