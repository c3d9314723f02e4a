import { type BucketLimits, burstToleranceMicros } from './token-bucket.ts';

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
  readonly nowMicros: number;
  /** The emission interval: an attribute or a value of the update. */
  readonly interval: string;
  /** Identifies the update. */
  readonly taker: string;
}

/** Takes a token from a bucket that is full. It differs from {@link takeBusy}, because DynamoDB has no `max()`. */
export const takeIdle = ({ nowMicros, interval, taker }: TakeOptions): Take => ({
  assignments: `${tatMicros} = :nowMicros + ${interval}, ${takenBy} = :taker`,
  condition: `${tatMicros} <= :nowMicros`,
  values: { ':nowMicros': nowMicros, ':taker': taker },
});

/** Takes a token from a bucket that is not full and holds one, unless this update has already taken it. */
export const takeBusy = (limits: BucketLimits, { nowMicros, interval, taker }: TakeOptions): Take => ({
  assignments: `${tatMicros} = ${tatMicros} + ${interval}, ${takenBy} = :taker`,
  condition: `${tatMicros} > :nowMicros AND ${tatMicros} <= :latestMicros AND NOT ${takenBy} = :taker`,
  values: {
    ':nowMicros': nowMicros,
    ':latestMicros': nowMicros + burstToleranceMicros(limits),
    ':taker': taker,
  },
});
