import { type BucketLimits, emissionIntervalMicros } from '../../../../lib/api-keys/token-bucket.ts';
import { responseOf, type Exchange, groupBy, type History, type Violation } from '../history.ts';

/**
 * Whether a token was certainly taken for a request: its answer tells the rate limit, and is no 429. A 503 that tells it
 * was admitted and failed after that; one that does not may or may not have taken a token, and does not count.
 */
const isAdmitted = (exchange: Exchange): boolean => {
  const answer = responseOf(exchange);
  return answer !== undefined && answer.status !== 429 && answer.headers['x-ratelimit-limit'] !== undefined;
};

/**
 * Of the intervals that all begin at the same moment and end each at another, how far the one that is exceeded most is
 * exceeded. A request adds its cost to every interval that ends with it or later.
 *
 * Costs and times are in microseconds. A tree of sums, whose leaves are the ends in their order: an update costs their
 * logarithm.
 */
class Intervals {
  readonly #leaves: number;
  readonly #sums: Float64Array;
  /** The greatest sum of leaves from the first on, up to one at which a request ends. */
  readonly #greatest: Float64Array;

  /** @param ends distinct and ascending */
  constructor(ends: readonly number[]) {
    this.#leaves = 2 ** Math.ceil(Math.log2(Math.max(ends.length, 1)));
    this.#sums = new Float64Array(2 * this.#leaves);
    this.#greatest = new Float64Array(2 * this.#leaves).fill(-Infinity);
    // A longer interval costs its length less.
    for (const [index, end] of ends.entries())
      this.#sums[this.#leaves + index] = (ends[index - 1] ?? end) - end;
    for (let node = this.#leaves - 1; node >= 1; node -= 1) this.#sum(node);
  }

  add(endIndex: number, cost: number): void {
    const leaf = this.#leaves + endIndex;
    this.#sums[leaf]! += cost;
    this.#greatest[leaf] = this.#sums[leaf]!;
    for (let node = leaf >> 1; node >= 1; node >>= 1) this.#sum(node);
  }

  /** The greatest cost of an interval less its length, counted from the first end. */
  greatest(): number {
    return this.#greatest[1]!;
  }

  #sum(node: number): void {
    const [left, right] = [2 * node, 2 * node + 1];
    this.#sums[node] = this.#sums[left]! + this.#sums[right]!;
    this.#greatest[node] = Math.max(this.#greatest[left]!, this.#sums[left]! + this.#greatest[right]!);
  }
}

/**
 * The requests that no reading of the history allows a bucket to have admitted.
 *
 * The rule: in any interval of t seconds at most `limit + t * limit / windowSeconds` tokens are taken. A history tells
 * when each request began and ended, not when its token was taken: that was at some moment between the two, by the
 * service's clock, which is the machine's and so the history's (both in whole milliseconds, so that the rounding is the
 * same too). A request was in an interval for certain only if it began and ended in it. So, of every interval from some
 * request's start to some request's end, those that lie in it whole are counted; any other interval holds the same ones
 * as a shorter of these. This is the most permissive reading of each interval: more than the rule allows of these is
 * more, whenever the tokens were taken, and one that was sound is never found guilty.
 *
 * To choose the moments for all intervals together, by taking each token as early as can be, would not be more exact but
 * wrong: a long request may have left its token to a short one that came later.
 *
 * Tokens that were taken for nothing (by the SDK's second attempt after a lost answer, or for a request that failed) only
 * leave the real bucket fewer, so that they need not be known.
 */
const findSurplus = (admitted: readonly Exchange[], limits: BucketLimits): Exchange[] => {
  const costMicros = emissionIntervalMicros(limits);
  const ends = [...new Set(admitted.map(({ endedAtMs }) => endedAtMs))].toSorted((a, b) => a - b);
  const indexOf = new Map(ends.map((end, index) => [end, index]));
  const intervals = new Intervals(ends.map((end) => end * 1_000));
  // From the last start to the first: each adds the intervals that begin with it, which hold all that began later.
  return admitted
    .toSorted((a, b) => b.startedAtMs - a.startedAtMs)
    .filter(({ startedAtMs, endedAtMs }) => {
      const endIndex = indexOf.get(endedAtMs)!;
      intervals.add(endIndex, costMicros);
      const allowed = limits.limit * costMicros - (startedAtMs - ends[0]!) * 1_000;
      const isSurplus = intervals.greatest() > allowed;
      // So that it is not blamed again on those before it.
      if (isSurplus) intervals.add(endIndex, -costMicros);
      return isSurplus;
    });
};

/** Checks that no key admitted more than its bucket allows; see {@link findSurplus} for how. */
export const checkBuckets = ({ exchanges, keys }: History): Violation[] =>
  [...groupBy(exchanges.filter(isAdmitted), ({ request }) => request.keyName)].flatMap(([name, admitted]) => {
    const limits = keys.get(name);
    const surplus = limits ? findSurplus(admitted, limits) : admitted;
    return surplus.map((exchange) => ({
      rule: 'no key admits more than its bucket allows',
      detail: limits
        ? `the key ${name} has ${limits.limit} in ${limits.windowSeconds} s`
        : `the key ${name} was never issued`,
      exchanges: [exchange],
    }));
  });
