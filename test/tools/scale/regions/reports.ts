import type { Report } from '../../bench/support/report.ts';
import { percent, whole } from '../support/format.ts';
import { type SchemeName, SCHEMES, simulateTwoRegions } from './simulation.ts';

const LIMIT = 100;
const SECONDS = 30;
/** Offered a second: below the limit, and twice the limit. */
const RATES = [90, 200] as const;
/** Of requests in the first region. */
const SHARES = [0.5, 0.9] as const;

const rowOf = (scheme: SchemeName, offeredPerSecond: number, firstShare: number): string[] => {
  const result = simulateTwoRegions({
    scheme,
    limits: { limit: LIMIT, windowSeconds: 1 },
    offeredPerSecond,
    firstShare,
    seconds: SECONDS,
    seed: 1,
  });
  const { allowed, admitted, meanMs } = result;
  return [
    scheme,
    whole(offeredPerSecond),
    `${percent(firstShare)} / ${percent(1 - firstShare)}`,
    ...[allowed, admitted, Math.max(0, admitted - allowed), Math.max(0, allowed - admitted)].map((total) =>
      whole(total / SECONDS),
    ),
    meanMs.toFixed(1),
  ];
};

export const twoRegionsReport = (): Report => ({
  title: `One key of ${LIMIT} requests a second, used in two regions`,
  method:
    'Decided in 5 ms in its own region, in 70 ms in the other (assumed); replicated in 1 s (published).',
  columns: [
    'scheme',
    'offered/s',
    'by region',
    'allowed/s',
    'admitted/s',
    'beyond/s',
    'refused wrongly/s',
    'ms',
  ],
  rows: (Object.keys(SCHEMES) as SchemeName[]).flatMap((scheme) =>
    RATES.flatMap((rate) => SHARES.map((share) => rowOf(scheme, rate, share))),
  ),
  verdicts: [],
});
