import type { EndpointState } from '../endpoints/endpoint.ts';

/**
 * Each mode has two queues, with executions of their own. `quick` has messages of endpoints whose last attempt succeeded quickly.
 * `slow` has those of all others, so an endpoint that is new or hangs delays no quick one. A message moves only from `quick` to
 * `slow`.
 */
export type Lane = 'quick' | 'slow';

/** The queue for messages of an endpoint. */
export const laneOf = ({ isQuick }: EndpointState): Lane => (isQuick ? 'quick' : 'slow');

/**
 * After an attempt longer than this, the invocation makes no further attempt to that endpoint: a batch ends with its last message,
 * and another long attempt would occupy its execution. While an attempt takes longer, slot 1 is not granted.
 */
export const LONG_MS = 1_000;
