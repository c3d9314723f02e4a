import { DEFAULT_LIMITS, REQUESTS_PER_SECOND_MAX } from '../../../../lib/api-keys/limits.ts';
import type { BucketLimits } from '../../../../lib/api-keys/token-bucket.ts';
import type { Report } from '../../bench/support/report.ts';
import { whole } from '../support/format.ts';
import { type HotKey, type HotKeyResult, simulateHotKey } from './simulation.ts';

const RATES = [500, 1_000, 2_000, 5_000, 10_000] as const;
const BATCHES = [1, 10, 20, 100] as const;
const WARM_UP_SECONDS = 3;
const SECONDS = 2;

const perSecond = (limit: number): BucketLimits => ({ limit, windowSeconds: 1 });

/** Not the least that serves the rate: a bucket that is always nearly empty would hide what leases do. */
const amply = (rate: number): BucketLimits => perSecond(rate * 1.25);

/** The columns that tell the cases apart. */
const CASES = {
  limit: ({ limits }) => `${whole(limits.limit)} per ${whole(limits.windowSeconds)} s`,
  'offered/s': ({ offeredPerSecond }) => whole(offeredPerSecond),
  'lease of': ({ batch }) => whole(batch),
  'throttled calls': ({ retriesThrottled }) => (retriesThrottled ? 'tried again' : 'answered 429'),
} as const satisfies Record<string, (hotKey: HotKey) => string>;

/** The columns of what came of each case, as totals of the run. */
const TOTALS = {
  'writes/s': ({ writes }) => writes,
  'reads/s': ({ reads }) => reads,
  'allowed/s': ({ allowed }) => allowed,
  'admitted/s': ({ admitted }) => admitted,
  'refused wrongly/s': ({ allowed, admitted }) => Math.max(0, allowed - admitted),
  'throttled/s': ({ throttled }) => throttled,
  'crowded out/s': ({ crowdedOut }) => crowdedOut,
  'stranded/s': ({ stranded }) => stranded,
} as const satisfies Record<string, (result: HotKeyResult) => number>;

interface Table {
  readonly title: string;
  readonly method: string;
  readonly cases: readonly (keyof typeof CASES)[];
  readonly totals: readonly (keyof typeof TOTALS)[];
  readonly hotKeys: readonly (Pick<HotKey, 'offeredPerSecond' | 'limits'> & Partial<HotKey>)[];
}

const DEFAULTS = {
  batch: 1,
  retriesThrottled: false,
  environments: 0,
  warmUpSeconds: WARM_UP_SECONDS,
  seconds: SECONDS,
  seed: 1,
} as const;

/** Simulates each case of a table, and states that none went beyond its bucket. */
const report = ({ title, method, cases, totals, hotKeys }: Table): Report => {
  const runs = hotKeys.map((given) => {
    const hotKey = { ...DEFAULTS, ...given };
    return { hotKey, result: simulateHotKey(hotKey) };
  });
  const beyond = Math.max(...runs.map(({ result }) => result.beyond));
  return {
    title,
    method,
    columns: [...cases, ...totals, 'environments'],
    rows: runs.map(({ hotKey, result }) => [
      ...cases.map((name) => CASES[name](hotKey)),
      ...totals.map((name) => whole(TOTALS[name](result) / SECONDS)),
      whole(result.environments),
    ]),
    verdicts: [
      { bound: 'admitted beyond the tokens that came back', measured: String(beyond), ok: beyond === 0 },
    ],
  };
};

const LEASE_TOTALS = [
  'writes/s',
  'allowed/s',
  'admitted/s',
  'refused wrongly/s',
  'throttled/s',
  'stranded/s',
] as const;

/** The service as it is. */
export const todayReport = (): Report =>
  report({
    title: 'One key today: a write a request',
    method:
      'The largest limit that a key can have, and a middling one. Throttled calls are answered 429 at once, as the service\n' +
      'does; or tried once more after up to a second, as the SDK would.',
    cases: ['throttled calls', 'limit', 'offered/s'],
    totals: ['writes/s', 'allowed/s', 'admitted/s', 'refused wrongly/s', 'throttled/s', 'crowded out/s'],
    hotKeys: [false, true].flatMap((retriesThrottled) => [
      ...[500, 1_000, 2_000, 5_000].map((offeredPerSecond) => ({
        retriesThrottled,
        offeredPerSecond,
        limits: perSecond(REQUESTS_PER_SECOND_MAX),
      })),
      { retriesThrottled, offeredPerSecond: 5_000, limits: perSecond(100) },
    ]),
  });

/** What leases do for a key that may make so many requests. */
export const leaseReport = (): Report =>
  report({
    title: 'Leases, on a key whose limit is a quarter above the rate',
    method: 'Environments start as they are needed.',
    cases: ['offered/s', 'lease of'],
    totals: LEASE_TOTALS,
    hotKeys: RATES.flatMap((offeredPerSecond) =>
      BATCHES.map((batch) => ({ offeredPerSecond, limits: amply(offeredPerSecond), batch })),
    ),
  });

/** The same where the requests are spread as thinly as Lambda may spread them. */
export const spreadReport = (): Report =>
  report({
    title: 'The same, with an environment for every ten requests a second',
    method: 'Ten a second is the most that AWS promises of one environment; it may well serve more.',
    cases: ['offered/s', 'lease of'],
    totals: LEASE_TOTALS,
    hotKeys: [2_000, 10_000].flatMap((offeredPerSecond) =>
      BATCHES.map((batch) => ({
        offeredPerSecond,
        limits: amply(offeredPerSecond),
        batch,
        environments: offeredPerSecond / 10,
      })),
    ),
  });

/** What leases do where the limit is small, and where it is too small for the rate. */
export const smallLimitReport = (): Report =>
  report({
    title: 'Leases, on keys that are used within a small limit, and far beyond their limit',
    method: 'A hundred environments are there, as where other keys are used too.',
    cases: ['limit', 'offered/s', 'lease of'],
    totals: ['writes/s', 'reads/s', ...LEASE_TOTALS.slice(1)],
    hotKeys: [
      { limits: perSecond(20), offeredPerSecond: 15 },
      { limits: perSecond(100), offeredPerSecond: 75 },
      { limits: { limit: 60, windowSeconds: 3_600 }, offeredPerSecond: 5_000 },
      { limits: DEFAULT_LIMITS, offeredPerSecond: 5_000 },
      { limits: perSecond(100), offeredPerSecond: 5_000 },
      { limits: perSecond(2_500), offeredPerSecond: 5_000 },
    ].flatMap((load) => [1, 10].map((batch) => ({ ...load, batch, environments: 100 }))),
  });
