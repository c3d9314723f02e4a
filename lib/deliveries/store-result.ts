import { type StateChange, stateChangeOf } from '../endpoints/breaker.ts';
import type { EndpointWithState } from '../endpoints/endpoint.ts';
import type { DeliverDependencies } from './deliver-dependencies.ts';
import type { Denial } from './leases/lease-conditions.ts';
import type { Lease } from './leases/leases.ts';
import type { DeliveryMessage } from './queue/queue-message.ts';
import type { Attempt } from './records/attempt.ts';
import type { DeliveryUpdate } from './records/delivery-repository.ts';
import type { Outcome } from './records/delivery.ts';
import { retryTimer } from './retries/delivery-timers.ts';
import { ATTEMPTS_MAX, nextDelayMs } from './sending/schedule.ts';

/** A message that was handled, with or without an attempt. */
export interface Handled<Result = Outcome> {
  /** `waiting`: park the message. `contended`: return it to the queue. `notQuick`: move it to the slow queue. */
  readonly outcome: Result;
  /** The endpoint after the attempt, or as the denial of the lease shows it. */
  readonly endpoint?: EndpointWithState | undefined;
  /** How long the attempt took. Absent without one. */
  readonly ms?: number;
}

/** Stores why a message is not sent. The caller parks a `waiting` message, and returns a `contended` one to the queue. */
export const storeUnsent = async (
  message: DeliveryMessage,
  { outcome, endpoint }: Denial,
  isParked: boolean,
  dependencies: DeliverDependencies,
): Promise<Handled> => {
  if (outcome === 'unknown') dependencies.report({ message, outcome });
  if (outcome === 'dropped') {
    await dependencies.reportDisabled(endpoint);
    await drop(message, dependencies);
  }
  const isOver = outcome === 'unknown' || outcome === 'dropped';
  if (isOver && isParked) await dependencies.parkedDeliveries.remove(message);
  return { outcome, endpoint };
};

const DROPPED = { status: 'dropped', reason: 'disabled' } as const satisfies DeliveryUpdate;

/** Records that a delivery is dropped, because its endpoint is disabled. */
export const drop = async (
  message: DeliveryMessage,
  { deliveries, report, now }: DeliverDependencies,
): Promise<void> => {
  await deliveries.record(message, DROPPED, now());
  report({ message, outcome: DROPPED.status, reason: DROPPED.reason });
};

/** A message under its lease. */
interface LeasedMessage {
  readonly message: DeliveryMessage;
  readonly lease: Lease;
  readonly isParked: boolean;
}

/**
 * Stores the result of an attempt, and frees its slot. All writes come before the caller deletes the message. If the process
 * dies, the queue delivers the message again, and a parked delivery stays parked.
 *
 * @throws when DynamoDB or the queue is slow, throttles or is down
 */
export const storeAttempt = async (
  leased: LeasedMessage,
  result: Attempt,
  dependencies: DeliverDependencies,
): Promise<Handled> => {
  const change = stateChangeOf(leased.lease.endpoint.state, result, dependencies.now());
  return change.outcome === 'succeeded'
    ? storeSuccess(leased, result, change, dependencies)
    : storeFailure(leased, result, change, dependencies);
};

/** Stores a success, and frees the slot last: while it is held, nobody sends a parked delivery again. */
const storeSuccess = async (
  { message, lease, isParked }: LeasedMessage,
  result: Attempt,
  change: StateChange,
  { leases, deliveries, parkedDeliveries, report }: DeliverDependencies,
): Promise<Handled> => {
  await deliveries.record(message, { status: 'succeeded', result }, change.atMs);
  if (isParked) await parkedDeliveries.remove(message);
  report({ message, outcome: 'succeeded', result });
  const { endpoint } = await leases.release(lease, change);
  return { outcome: 'succeeded', endpoint, ms: result.ms };
};

/** Frees the slot, then stores a failure. */
const storeFailure = async (
  { message, lease, isParked }: LeasedMessage,
  result: Attempt,
  change: Extract<StateChange, { readonly outcome: 'failed' }>,
  { random, leases, deliveries, parkedDeliveries, queue, report, reportDisabled }: DeliverDependencies,
): Promise<Handled> => {
  const { isStored, endpoint } = await leases.release(lease, change);
  await reportDisabled(endpoint);
  const isDisabled = isStored && change.disabled !== undefined;
  const next = isDisabled ? undefined : nextAttemptOf(message, change.atMs, isStored, random());
  const ended: DeliveryUpdate = isDisabled ? DROPPED : { status: 'failed' };
  const update: DeliveryUpdate = next ? { status: 'retrying', next: next.update } : ended;
  // A parked delivery whose record does not say `waiting` is removed: its next attempt must be in the queue by then.
  if (next && !next.update.timer)
    await queue.send([next.message], { delaySeconds: Math.round(next.delayMs / 1_000) });
  await deliveries.record(message, { ...update, result }, change.atMs);
  // The slot is free, so another process may already attempt a parked delivery again.
  if (isParked) await parkedDeliveries.remove(message);
  report({ message, outcome: update.status, result, reason: update.reason });
  return { outcome: update.status, endpoint, ms: result.ms };
};

/** The queue delays a message by at most 15 minutes. A delivery that waits for longer has a timer. */
const QUEUE_DELAY_MS_MAX = 900_000;

/** The attempt after a failed one. */
interface NextAttempt {
  readonly message: DeliveryMessage;
  readonly delayMs: number;
  /** Without a timer, the queue delays the message. */
  readonly update: NonNullable<DeliveryUpdate['next']>;
}

const nextAttemptOf = (
  message: DeliveryMessage,
  failedAtMs: number,
  isStored: boolean,
  random: number,
): NextAttempt | undefined => {
  // A test event has one attempt.
  if (message.sequence === undefined) return undefined;
  const delayMs = delayMsAfter(message.attempt, isStored, random);
  if (delayMs === undefined) return undefined;
  const attempt = message.attempt + 1;
  const atMs = failedAtMs + delayMs;
  const timer = delayMs > QUEUE_DELAY_MS_MAX ? retryTimer(message, atMs) : undefined;
  return { message: { ...message, attempt }, delayMs, update: { attempt, atMs, timer } };
};

/** The delay until the next attempt. One more follows the last attempt if its result is not stored: the address may be new. */
const delayMsAfter = (attempt: number, isStored: boolean, random: number): number | undefined =>
  nextDelayMs(!isStored && attempt === ATTEMPTS_MAX ? 1 : attempt, random);
