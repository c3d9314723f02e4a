import { type BucketLimits, burstToleranceMicros, microsOf } from './token-bucket.ts';

/** The attributes of a stored bucket in the expressions below. */
export const BUCKET_STATE = {
  tatMicros: 'tatMicros',
  /** Identifies the write that took the last token. Only its own repetition reads it. */
  takenBy: 'takenBy',
} as const;

const { tatMicros, takenBy } = BUCKET_STATE;

/** The parts of an update that takes a token. `values` has the values of both expressions. */
interface Take {
  readonly assignments: string;
  readonly condition: string;
  readonly values: Readonly<Record<string, unknown>>;
}

/** A request for a token. */
interface TakeOptions {
  readonly nowMs: number;
  /** The emission interval: an attribute or a value of the update. */
  readonly interval: string;
  /** Identifies the update. */
  readonly taker: string;
}

/** Takes a token from a bucket that is full. It differs from {@link takeBusy}, because DynamoDB has no `max()`. */
export const takeIdle = ({ nowMs, interval, taker }: TakeOptions): Take => ({
  assignments: `${tatMicros} = :nowMicros + ${interval}, ${takenBy} = :taker`,
  condition: `${tatMicros} <= :nowMicros`,
  values: { ':nowMicros': microsOf(nowMs), ':taker': taker },
});

/** Takes a token from a bucket that is not full and holds one, unless this update has already taken it. */
export const takeBusy = (limits: BucketLimits, { nowMs, interval, taker }: TakeOptions): Take => ({
  assignments: `${tatMicros} = ${tatMicros} + ${interval}, ${takenBy} = :taker`,
  condition: `${tatMicros} > :nowMicros AND ${tatMicros} <= :latestMicros AND NOT ${takenBy} = :taker`,
  values: {
    ':nowMicros': microsOf(nowMs),
    ':latestMicros': microsOf(nowMs) + burstToleranceMicros(limits),
    ':taker': taker,
  },
});
