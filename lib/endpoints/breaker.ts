import { DAY_MS } from '../core/durations.ts';
import type { AttemptResult } from './attempt.ts';
import type { Disabled, EndpointState } from './endpoint.ts';

/**
 * Each mode has two queues, with executions of their own. `quick` has messages of endpoints whose last attempt succeeded quickly.
 * `slow` has those of all others, so an endpoint that is new or hangs delays no quick one. A message moves only from `quick` to
 * `slow`.
 */
export type Lane = 'quick' | 'slow';

/** The breaker of an endpoint opens after this many failures in a row. */
export const FAILURES_OPEN = 5;

/** The attributes of an endpoint that the results of its attempts write. */
export const RESULT_ATTRIBUTES = [
  'failures',
  'failingSinceMs',
  'probeAtMs',
  'isQuick',
  'lastSuccessAtMs',
] as const satisfies readonly (keyof EndpointState)[];

/** Without these attributes, an open breaker lets one probe through at once, and five days of failures begin anew. */
export const HALF_OPENING = [
  'failingSinceMs',
  'probeAtMs',
] as const satisfies readonly (keyof EndpointState)[];

/** A receiver that succeeds in less time is quick: it has a queue for its like, and may have two requests in flight. */
const QUICK_MS = 2_000;

/**
 * After a slower attempt, an invocation starts no further one to the endpoint: a batch ends with its last message, so it would
 * occupy an execution for longer. While an attempt takes longer, slot 1 is not granted.
 */
export const LONG_MS = 1_000;

const PROBE_DELAY_MIN_MS = 60_000;
const PROBE_DELAY_MAX_MS = 15 * 60_000;

/** The service disables an endpoint after five days of nothing but failures, at least five. */
const FAILING_MAX_MS = 5 * DAY_MS;

/** 410 Gone: the merchant wants no more events (Standard Webhooks 1.0.0, "Deliverability and reliability"). */
const GONE = 410;

/** Whether the breaker of an endpoint is open: the service then sends only probes. */
export const isOpen = ({ failures }: EndpointState): boolean => failures >= FAILURES_OPEN;

/** The queue for messages of an endpoint. */
export const laneOf = ({ isQuick }: EndpointState): Lane => (isQuick ? 'quick' : 'slow');

/** Whether an attempt with this result succeeded: the response had a status from 200 to 299. */
export const isSuccess = (status: number | undefined): boolean =>
  status !== undefined && status >= 200 && status < 300;

/**
 * The pause before the next probe: 1, 2, 4, 8, then 15 minutes. Each failure after the fifth lengthens it: of a probe, of a
 * test ping, or of an attempt that was in flight at the fifth.
 */
const probeDelayMs = (failures: number): number =>
  Math.min(PROBE_DELAY_MAX_MS, PROBE_DELAY_MIN_MS * 2 ** Math.max(0, failures - FAILURES_OPEN));

/** Whether deliveries may be parked: no drain has found none since the last one was. */
export const hasParked = ({ parks, drainedParks }: EndpointState): boolean => parks !== drainedParks;

/**
 * Whether a drain can get slot 0: it is free, and the breaker is closed or its next probe is due. The deliveries of a disabled
 * endpoint are dropped without a probe.
 */
export const mayDrain = (
  { disabled, state }: { readonly disabled?: Disabled | undefined; readonly state: EndpointState },
  nowMs: number,
): boolean => {
  const { slot0UntilMs = 0, probeAtMs = 0 } = state;
  return slot0UntilMs <= nowMs && (disabled !== undefined || !isOpen(state) || probeAtMs <= nowMs);
};

/** The effect of an attempt on its endpoint. */
export type StateChange =
  | { readonly outcome: 'succeeded'; readonly atMs: number; readonly isQuick: boolean }
  | {
      readonly outcome: 'failed';
      readonly atMs: number;
      /** No probe before this time, if the breaker is open. */
      readonly probeAtMs: number;
      readonly disabled?: (Disabled & { readonly reason: 'gone' | 'failing' }) | undefined;
    };

/**
 * Computes the effect of an attempt.
 *
 * @param state the endpoint's state before the attempt
 * @param result the status of the response, if there is one, and how long the attempt took
 */
export const stateChangeOf = (
  state: EndpointState,
  { status, ms }: Pick<AttemptResult, 'status' | 'ms'>,
  nowMs: number,
): StateChange => {
  if (isSuccess(status)) return { outcome: 'succeeded', atMs: nowMs, isQuick: ms < QUICK_MS };
  const failed = {
    outcome: 'failed',
    atMs: nowMs,
    probeAtMs: nowMs + probeDelayMs(state.failures + 1),
  } as const;
  if (status === GONE) return { ...failed, disabled: { atMs: nowMs, reason: 'gone' } };
  const failingForMs = nowMs - (state.failingSinceMs ?? nowMs);
  // With a closed breaker, days without events may lie between two failures.
  if (failingForMs < FAILING_MAX_MS || state.failures + 1 < FAILURES_OPEN) return failed;
  return { ...failed, disabled: { atMs: nowMs, reason: 'failing' } };
};
