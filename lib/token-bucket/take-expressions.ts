/** The attributes of a stored bucket in the expressions below. */
export const BUCKET_STATE = {
  tatMicros: 'tatMicros',
  /** Identifies the write that took the last token. Only its own repetition reads it. */
  takenBy: 'takenBy',
} as const;

const { tatMicros, takenBy } = BUCKET_STATE;

/** The bucket is full. */
export const BUCKET_IS_IDLE = `${tatMicros} <= :nowMicros`;

/** The bucket is not full and holds a token, and this update has not yet taken one. */
export const BUCKET_IS_BUSY = `${tatMicros} > :nowMicros AND ${tatMicros} <= :latestMicros AND NOT ${takenBy} = :taker`;

/**
 * The assignments that take a token from an idle or a busy bucket. They differ, because DynamoDB has no `max()`.
 *
 * @param interval the emission interval: an attribute or a value of the expression
 */
export const takeToken = (from: 'idle' | 'busy', interval: string): string =>
  `${tatMicros} = ${from === 'idle' ? ':nowMicros' : tatMicros} + ${interval}, ${takenBy} = :taker`;
