import { type BucketLimits, emissionIntervalMicros } from '../../../../../lib/token-bucket/token-bucket.ts';
import type { BrokenRule } from '../../broken-rule.ts';
import type { Exchange, History } from '../history.ts';

/**
 * Whether a request certainly took a token: its response has rate-limit headers and is no 429. A 503 without them may
 * have taken none.
 */
const isAdmitted = ({ status, response }: Exchange): boolean =>
  status !== 429 && response?.headers['x-ratelimit-limit'] !== undefined;

/**
 * Finds the requests that a correct bucket cannot have admitted.
 *
 * The rule: any interval of t seconds takes at most `limit + t * limit / windowSeconds` tokens. A request takes its token
 * at an unknown moment between its start and its end. It counts for an interval only if it began and ended there. The
 * check counts the requests from each start to each end, so it never reports a correct bucket.
 *
 * A retry of the SDK may take a token that serves no request. Such tokens only reduce the admissions.
 */
const findSurplus = (admitted: readonly Exchange[], limits: BucketLimits): Exchange[] => {
  const costMs = emissionIntervalMicros(limits) / 1_000;
  const ends = Float64Array.from(new Set(admitted.map(({ endedAtMs }) => endedAtMs))).toSorted();
  const indexOf = new Map([...ends].map((end, index) => [end, index]));
  const counts = new Uint32Array(ends.length);
  let first = ends.length;
  // Whether an interval from this moment holds too much, of the requests counted so far.
  const isExceeded = (fromMs: number): boolean => {
    let count = 0;
    for (let index = first; index < ends.length; index += 1) {
      count += counts[index]!;
      if (count > 0 && (count - limits.limit) * costMs > ends[index]! - fromMs) return true;
    }
    return false;
  };
  // From the last start to the first: the intervals from a start hold all requests that began later.
  return admitted
    .toSorted((a, b) => b.startedAtMs - a.startedAtMs)
    .filter(({ startedAtMs, endedAtMs }) => {
      const index = indexOf.get(endedAtMs)!;
      counts[index]! += 1;
      first = Math.min(first, index);
      const isSurplus = isExceeded(startedAtMs);
      // Removed, so that earlier requests are not reported because of it.
      if (isSurplus) counts[index]! -= 1;
      return isSurplus;
    });
};

/** Checks that no key admitted more than its bucket allows. {@link findSurplus} explains how. */
export const checkBuckets = ({ exchanges, keys }: History): BrokenRule[] =>
  [...Map.groupBy(exchanges.filter(isAdmitted), ({ request }) => request.keyName)].flatMap(
    ([name, admitted]) => {
      const limits = keys.get(name);
      const surplus = limits ? findSurplus(admitted, limits) : admitted;
      const facts = limits ? `has ${limits.limit} in ${limits.windowSeconds} s` : 'was never issued';
      return surplus.map((exchange) => ({
        rule: 'no key admits more than its bucket allows',
        detail: `the key ${name} ${facts}`,
        exchanges: [exchange],
      }));
    },
  );
