import type { EndpointState } from '../../endpoints/endpoint.ts';

/**
 * Each mode has two queues, with executions of their own. `quick` has messages of endpoints whose last attempt succeeded quickly.
 * `slow` has those of all others, so an endpoint that is new or hangs delays no quick one. A message moves only from `quick` to
 * `slow`.
 */
export type Lane = 'quick' | 'slow';

/** The queue for messages of an endpoint. */
export const laneOf = ({ isQuick }: EndpointState): Lane => (isQuick ? 'quick' : 'slow');
