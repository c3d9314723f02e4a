import type { Report } from '../../bench/support/report.ts';
import { durationMs, MEASUREMENT, OPERATIONS, ROUND_TRIP_MS } from '../measured.ts';
import { percent, whole } from '../support/format.ts';
import { loadOf } from './load.ts';
import { monthlyCosts } from './prices.ts';
import { type Quota, QUOTAS } from './quotas.ts';

const RATES = [100, 1_000, 10_000] as const;

const LOADS = RATES.map((rate) => loadOf(rate, OPERATIONS));

const perSecond = (rate: number): string => `${whole(rate)}/s`;

/** What each rate costs a month. */
export const costReport = (): Report => {
  const costs = LOADS.map(monthlyCosts);
  const totals = costs.map((byService) => Object.values(byService).reduce((sum, cost) => sum + cost, 0));
  const millions = LOADS.map(({ requests }) => (requests * 730 * 3_600) / 1e6);
  return {
    title: 'Dollars a month, at a steady rate of one creation to three retrievals',
    method: [
      `A creation takes ${durationMs(OPERATIONS.create).toFixed(1)} ms, a retrieval ${durationMs(OPERATIONS.retrieve).toFixed(1)} ms:` +
        ` ${ROUND_TRIP_MS} ms a round trip (assumed) and CPU time`,
      `(measured ${MEASUREMENT.date} on ${MEASUREMENT.machine} by ${MEASUREMENT.command}).`,
    ].join('\n'),
    columns: ['service', ...RATES.map(perSecond)],
    rows: [
      ...Object.keys(costs[0] ?? {}).map((service) => [
        service,
        ...costs.map((byService) => whole(byService[service] ?? 0)),
      ]),
      ['together', ...totals.map(whole)],
      ['a million requests', ...totals.map((total, index) => (total / (millions[index] ?? 0)).toFixed(2))],
    ],
    verdicts: [],
  };
};

/** The rate at which a quota is used up: every use grows as the rate does. */
const reachedAt = ({ use, value }: Quota): number => value / use(loadOf(1, OPERATIONS));

/** How much of every quota each rate uses, first what is hit first. */
export const quotaReport = (): Report => ({
  title: 'Quotas, in the order in which a growing rate meets them',
  method: 'How much of each default a rate uses, and the rate at which it is used up.',
  columns: ['quota', 'default', ...RATES.map(perSecond), 'reached at'],
  rows: QUOTAS.toSorted((a, b) => reachedAt(a) - reachedAt(b)).map((quota) => [
    quota.name,
    whole(quota.value),
    ...LOADS.map((load) => percent(quota.use(load) / quota.value)),
    perSecond(reachedAt(quota)),
  ]),
  verdicts: [],
});
