import type { Clock } from '../../../../lib/clock.ts';
import { type Bucket, type BucketLimits, takeToken } from '../../../../lib/api-keys/token-bucket.ts';
import { ITEM_UNITS_PER_SECOND } from '../load/quotas.ts';
import { emptyBucket, takeTokens } from '../support/buckets.ts';

/** The answer of DynamoDB where an item is used too fast. */
export const THROTTLED = 'throttled';

export interface TakeCommand {
  readonly tokens: number;
  /** Which of the two exclusive updates: of a bucket that is not full, or of one that is. */
  readonly isBusy: boolean;
  /** The time that the update names. */
  readonly nowMs: number;
}

/** The item as the call left it, and whether that was another than before. */
export interface ApiResponse {
  readonly applied: boolean;
  readonly bucket: Bucket;
}

/** An API key's item in the simulated DynamoDB. */
export interface KeyItem {
  /** A conditional update, which costs a write unit whether or not its condition holds. */
  take(command: TakeCommand): ApiResponse | typeof THROTTLED;
  /** A consistent read. */
  read(): ApiResponse | typeof THROTTLED;
  /** What it was used for so far. */
  readonly used: { readonly writes: number; readonly reads: number };
}

/** A second's units come back evenly; more than that is never saved up: DynamoDB's burst capacity is ignored. */
const createUnits = (perSecond: number, now: Clock) => {
  let units = emptyBucket({ limit: perSecond, windowSeconds: 1 }, now());
  return {
    consume(): boolean {
      const tatMicros = takeToken(units, now() * 1_000);
      if (tatMicros !== undefined) units = { ...units, tatMicros };
      return tatMicros !== undefined;
    },
  };
};

export const createKeyItem = (limits: BucketLimits, now: Clock): KeyItem => {
  let bucket = emptyBucket(limits, now());
  const writeUnits = createUnits(ITEM_UNITS_PER_SECOND.write, now);
  const readUnits = createUnits(ITEM_UNITS_PER_SECOND.read, now);
  const used = { writes: 0, reads: 0 };
  return {
    used,
    take({ tokens, isBusy, nowMs }) {
      if (!writeUnits.consume()) return THROTTLED;
      used.writes += 1;
      const tatMicros =
        bucket.tatMicros > nowMs * 1_000 === isBusy ? takeTokens(bucket, tokens, nowMs) : undefined;
      if (tatMicros === undefined) return { applied: false, bucket };
      bucket = { ...bucket, tatMicros };
      return { applied: true, bucket };
    },
    read() {
      if (!readUnits.consume()) return THROTTLED;
      used.reads += 1;
      return { applied: false, bucket };
    },
  };
};
