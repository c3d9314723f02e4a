import { DAY_MS } from '../core/durations.ts';
import type { Disabled, EndpointState } from './endpoint.ts';

/** The breaker of an endpoint opens after this many failures in a row. */
export const FAILURES_OPEN = 5;

/** Without these attributes, an open breaker lets one probe through at once, and five days of failures begin anew. */
export const REMOVED_TO_HALF_OPEN = [
  'failingSinceMs',
  'probeAtMs',
] as const satisfies readonly (keyof EndpointState)[];

/** A receiver that succeeds in less time is quick: it has a queue for its like, and may have two requests in flight. */
const QUICK_MS = 2_000;

const PROBE_DELAY_MIN_MS = 60_000;
const PROBE_DELAY_MAX_MS = 15 * 60_000;

/** The service disables an endpoint after five days of nothing but failures, at least five. */
const FAILING_MAX_MS = 5 * DAY_MS;

/** 410 Gone: the merchant wants no more events (Standard Webhooks 1.0.0, "Deliverability and reliability"). */
const GONE = 410;

/** Whether the breaker of an endpoint is open: the service then sends only probes. */
export const isOpen = ({ failures }: EndpointState): boolean => failures >= FAILURES_OPEN;

/** The condition that {@link isOpen} is false. `:open` is {@link FAILURES_OPEN}. */
export const IS_CLOSED = '(attribute_not_exists(failures) OR failures < :open)';

/** Whether an attempt with this result succeeded: the response had a status from 200 to 299. */
export const isSuccess = (status: number | undefined): boolean =>
  status !== undefined && status >= 200 && status < 300;

/**
 * The pause before the next probe: 1, 2, 4, 8, then 15 minutes. Each failure after the fifth lengthens it: of a probe, of a
 * test event, or of an attempt that was in flight at the fifth.
 */
const probeDelayMs = (failures: number): number =>
  Math.min(PROBE_DELAY_MAX_MS, PROBE_DELAY_MIN_MS * 2 ** Math.max(0, failures - FAILURES_OPEN));

/** The effect of an attempt on its endpoint. */
export type StateChange =
  | { readonly outcome: 'succeeded'; readonly atMs: number; readonly isQuick: boolean }
  | {
      readonly outcome: 'failed';
      readonly atMs: number;
      /** No probe before this time, if the breaker is open. */
      readonly probeAtMs: number;
      readonly disabled?:
        | (Disabled & { readonly reason: 'gone' | 'failing'; readonly isUnreported: true })
        | undefined;
    };

/**
 * Computes the effect of an attempt.
 *
 * @param state the endpoint's state before the attempt
 * @param result the status of the response, if there is one, and how long the attempt took
 */
export const stateChangeOf = (
  state: EndpointState,
  { status, ms }: { readonly status?: number | undefined; readonly ms: number },
  nowMs: number,
): StateChange => {
  if (isSuccess(status)) return { outcome: 'succeeded', atMs: nowMs, isQuick: ms < QUICK_MS };
  const failed = {
    outcome: 'failed',
    atMs: nowMs,
    probeAtMs: nowMs + probeDelayMs(state.failures + 1),
  } as const;
  if (status === GONE) return { ...failed, disabled: { atMs: nowMs, reason: 'gone', isUnreported: true } };
  const failingForMs = nowMs - (state.failingSinceMs ?? nowMs);
  // With a closed breaker, days without events may lie between two failures.
  if (failingForMs < FAILING_MAX_MS || state.failures + 1 < FAILURES_OPEN) return failed;
  return { ...failed, disabled: { atMs: nowMs, reason: 'failing', isUnreported: true } };
};
