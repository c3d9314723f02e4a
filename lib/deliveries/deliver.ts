import type { Timer } from '../timers/timer.ts';
import { stateChangeOf } from '../endpoints/breaker.ts';
import type { Lane } from './lanes.ts';
import type { DeliveryStatus, Outcome } from './delivery.ts';
import type { DeliveryMessage } from './queue-message.ts';
import type { DeliverDependencies } from './deliver-dependencies.ts';
import type { AttemptResult } from './attempt.ts';
import type { EndpointWithState } from '../endpoints/endpoint-items.ts';
import type { Lease, Released, TakeOptions } from './leases.ts';
import type { Rejection } from './lease-conditions.ts';
import { ATTEMPTS_MAX, nextDelayMs } from './schedule.ts';
import { signedHeaders } from './signature.ts';
import { testBody } from './test-event.ts';
import { retryTimer } from './timed-deliveries.ts';

/** A message after {@link deliver}. */
export interface Delivered {
  /** `waiting`: park the message. `contended`: return it to the queue. `notQuick`: move it to the slow queue. */
  readonly outcome: Outcome;
  /** The endpoint after the attempt, or as the rejection of the lease shows it. */
  readonly endpoint?: EndpointWithState | undefined;
  /** How long the attempt took. Absent without one. */
  readonly ms?: number;
}

interface DeliverOptions extends Pick<TakeOptions, 'slots'> {
  /** The queue of the message. Default: `slow` */
  readonly lane?: Lane;
  /** Whether the delivery is parked. It stays so until its outcome is stored. */
  readonly isParked?: boolean;
}

/**
 * Delivers one message: reads its event, takes a lease, makes one attempt, and stores the result.
 *
 * @throws as {@link attemptUnderLease}. Try the message again
 */
export const deliver = async (
  message: DeliveryMessage,
  dependencies: DeliverDependencies,
  { isParked = false, lane = 'slow', slots }: DeliverOptions = {},
): Promise<Delivered> => {
  const body = await bodyOf(message, dependencies);
  if (body === undefined) return endWithoutLease(message, { outcome: 'unknown' }, isParked, dependencies);
  const purpose = message.sequence === undefined ? 'test' : 'delivery';
  const taken = await dependencies.leases.take(message.endpoint, { slots, purpose, lane });
  return 'outcome' in taken
    ? endWithoutLease(message, taken, isParked, dependencies)
    : freeOnError(taken, dependencies, () =>
        attemptUnderLease(message, body, taken, dependencies, { isParked }),
      );
};

/**
 * The JSON text to send: that of the log as it is now, without the data that was erased since. `undefined` if the event is gone.
 * After a restore of the log, another event may have its number.
 */
export const bodyOf = async (
  message: DeliveryMessage,
  { findEvent }: Pick<DeliverDependencies, 'findEvent'>,
): Promise<string | undefined> => {
  if (message.sequence === undefined) return testBody(message, message.endpoint.mode);
  const event = await findEvent(message.endpoint, message.sequence);
  return event?.id === message.eventId ? event.body : undefined;
};

/** Ends a message for which no lease was granted. The caller parks a `waiting` one, and returns a `contended` one. */
const endWithoutLease = async (
  message: DeliveryMessage,
  { outcome, endpoint }: Rejection,
  isParked: boolean,
  dependencies: DeliverDependencies,
): Promise<Delivered> => {
  if (outcome === 'unknown') dependencies.report({ message, outcome });
  if (outcome === 'dropped') {
    await dependencies.reportDisabled(endpoint);
    await drop(message, dependencies);
  }
  const isOver = outcome === 'unknown' || outcome === 'dropped';
  if (isOver && isParked) await dependencies.parkedDeliveries.remove(message);
  return { outcome, endpoint };
};

/** Records that a delivery is dropped, because its endpoint is disabled. */
export const drop = async (
  message: DeliveryMessage,
  { deliveries, report, now }: DeliverDependencies,
): Promise<void> => {
  const dropped = { status: 'dropped', reason: 'disabled' } as const;
  await deliveries.record(message, dropped, now());
  report({ message, outcome: dropped.status, reason: dropped.reason });
};

/**
 * Does work under a lease, and frees the slot if it fails: otherwise, nothing could go out until the lease ends.
 *
 * @throws the error of the work
 */
export const freeOnError = async <Result>(
  lease: Lease,
  { leases }: Pick<DeliverDependencies, 'leases'>,
  work: () => Promise<Result>,
): Promise<Result> => {
  try {
    return await work();
  } catch (error) {
    try {
      await leases.free(lease);
    } catch {
      // DynamoDB is down. The lease ends by itself.
    }
    throw error;
  }
};

/**
 * Makes one attempt under a lease, frees its slot, and stores the result. All writes come before the caller deletes the message.
 * If the process dies, the queue delivers the message again, and a parked delivery stays parked.
 *
 * The secret comes after the lease, which has its version: an attempt never signs by the state before a rotation that has
 * returned.
 *
 * @param options `others`: other attempts of the process. The slot stays held until they have ended
 * @throws when DynamoDB or the queue is slow, throttles or is down, or if the endpoint lost its secret
 */
export const attemptUnderLease = async (
  message: DeliveryMessage,
  body: string,
  lease: Lease,
  dependencies: DeliverDependencies,
  { isParked = false, others }: DeliverOptions & { readonly others?: Promise<unknown> | undefined } = {},
): Promise<Delivered> => {
  const { findSecret, leases, send, now } = dependencies;
  const { endpoint, startByMs } = lease;
  const secret = await findSecret(endpoint);
  if (!secret) throw new Error('The endpoint has no signing secret');
  // The lease may end during the attempt: others could then send two more requests at the same time.
  if (now() > startByMs) {
    await leases.free(lease);
    return { outcome: 'contended' };
  }
  const atMs = now();
  const headers = signedHeaders(message.eventId, body, secret, atMs);
  const result = await send({ url: endpoint.url, headers, body });
  await others;
  const stored = await storeResult(message, lease, { result, atMs, isParked }, dependencies);
  return { outcome: stored.outcome, endpoint: stored.endpoint, ms: result.ms };
};

/**
 * Stores the result, and frees the slot: after a success last, after a failure first. The process may end between two calls: see
 * {@link attemptUnderLease}.
 */
const storeResult = async (
  message: DeliveryMessage,
  lease: Lease,
  {
    result,
    atMs,
    isParked,
  }: { readonly result: AttemptResult; readonly atMs: number; readonly isParked: boolean },
  dependencies: DeliverDependencies,
): Promise<Released & { readonly outcome: DeliveryStatus }> => {
  const { now, random, leases, deliveries, parkedDeliveries, queue, report, reportDisabled } = dependencies;
  const endedAtMs = now();
  const change = stateChangeOf(lease.endpoint.state, result, endedAtMs);
  const attempt = { ...result, atMs, attempt: message.attempt };
  if (change.outcome === 'succeeded') {
    // While the slot is held, nobody sends a parked delivery again.
    await deliveries.record(message, { status: 'succeeded', attempt }, endedAtMs);
    if (isParked) await parkedDeliveries.remove(message);
    report({ message, outcome: 'succeeded', result });
    return { ...(await leases.release(lease, change)), outcome: 'succeeded' };
  }
  const released = await leases.release(lease, change);
  const { counts } = released;
  await reportDisabled(released.endpoint);
  const isDisabled = counts && change.disabled !== undefined;
  const next = isDisabled ? undefined : nextAttemptOf(message, endedAtMs, counts, random());
  const ended = isDisabled ? 'dropped' : 'failed';
  const status = next ? 'retrying' : ended;
  const reason = isDisabled ? 'disabled' : undefined;
  const nextUpdate = next && { attempt: next.message.attempt, atMs: next.atMs, timer: next.timer };
  // A parked delivery whose record does not say `waiting` is removed: its next attempt must be in the queue by then.
  if (next && !next.timer)
    await queue.send([next.message], { delaySeconds: Math.round(next.delayMs / 1_000) });
  await deliveries.record(message, { status, attempt, next: nextUpdate, reason }, endedAtMs);
  // The slot is free, so another process may already attempt a parked delivery again.
  if (isParked) await parkedDeliveries.remove(message);
  report({ message, outcome: status, result, reason });
  return { ...released, outcome: status };
};

/** The queue delays a message by at most 15 minutes. A delivery that waits for longer has a timer. */
const QUEUE_DELAY_MS_MAX = 900_000;

/** The attempt after a failed one, if there is one. */
interface NextAttempt {
  readonly message: DeliveryMessage;
  readonly delayMs: number;
  readonly atMs: number;
  /** Absent if the queue delays the message. */
  readonly timer?: Timer | undefined;
}

const nextAttemptOf = (
  message: DeliveryMessage,
  failedAtMs: number,
  counts: boolean,
  random: number,
): NextAttempt | undefined => {
  // A test event has one attempt.
  if (message.sequence === undefined) return undefined;
  const delayMs = delayMsAfter(message.attempt, counts, random);
  if (delayMs === undefined) return undefined;
  const atMs = failedAtMs + delayMs;
  const timer = delayMs > QUEUE_DELAY_MS_MAX ? retryTimer(message, atMs) : undefined;
  return { message: { ...message, attempt: message.attempt + 1 }, delayMs, atMs, timer };
};

/** The delay until the next attempt. After the last one, one more goes to an address that is new since it began. */
const delayMsAfter = (attempt: number, counts: boolean, random: number): number | undefined =>
  nextDelayMs(!counts && attempt === ATTEMPTS_MAX ? 1 : attempt, random);
