import { type StateChange, stateChangeOf } from '../endpoints/breaker.ts';
import type { EndpointWithState } from '../endpoints/endpoint-items.ts';
import type { DeliverDependencies } from './deliver-dependencies.ts';
import type { Rejection } from './leases/lease-conditions.ts';
import type { Lease, TakeOptions } from './leases/leases.ts';
import type { Lane } from './queue/lanes.ts';
import type { DeliveryMessage } from './queue/queue-message.ts';
import type { Attempt } from './records/attempt.ts';
import type { DeliveryUpdate } from './records/delivery-repository.ts';
import type { Outcome } from './records/delivery.ts';
import { ATTEMPTS_MAX, nextDelayMs } from './sending/schedule.ts';
import { signedHeaders } from './sending/signature.ts';
import { testBody } from './sending/test-event.ts';
import { retryTimer } from './waiting/timed-deliveries.ts';

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

const DROPPED = { status: 'dropped', reason: 'disabled' } as const satisfies DeliveryUpdate;

/** Records that a delivery is dropped, because its endpoint is disabled. */
export const drop = async (
  message: DeliveryMessage,
  { deliveries, report, now }: DeliverDependencies,
): Promise<void> => {
  await deliveries.record(message, DROPPED, now());
  report({ message, outcome: DROPPED.status, reason: DROPPED.reason });
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
  { isParked = false, others }: { readonly isParked?: boolean; readonly others?: Promise<unknown> },
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
  const attempt = { ...result, atMs, attempt: message.attempt };
  const change = stateChangeOf(endpoint.state, result, now());
  return change.outcome === 'succeeded'
    ? storeSuccess({ message, lease, attempt, change, isParked }, dependencies)
    : storeFailure({ message, lease, attempt, change, isParked }, dependencies);
};

/** An attempt that has ended, and its effect on the endpoint. */
interface EndedAttempt<Result extends StateChange['outcome']> {
  readonly message: DeliveryMessage;
  readonly lease: Lease;
  readonly attempt: Attempt;
  readonly change: Extract<StateChange, { readonly outcome: Result }>;
  readonly isParked: boolean;
}

/** Stores a success, and frees the slot last: while it is held, nobody sends a parked delivery again. */
const storeSuccess = async (
  { message, lease, attempt, change, isParked }: EndedAttempt<'succeeded'>,
  { leases, deliveries, parkedDeliveries, report }: DeliverDependencies,
): Promise<Delivered> => {
  await deliveries.record(message, { status: 'succeeded', attempt }, change.atMs);
  if (isParked) await parkedDeliveries.remove(message);
  report({ message, outcome: 'succeeded', result: attempt });
  const { endpoint } = await leases.release(lease, change);
  return { outcome: 'succeeded', endpoint, ms: attempt.ms };
};

/** Frees the slot, then stores a failure. */
const storeFailure = async (
  { message, lease, attempt, change, isParked }: EndedAttempt<'failed'>,
  { random, leases, deliveries, parkedDeliveries, queue, report, reportDisabled }: DeliverDependencies,
): Promise<Delivered> => {
  const { isStored, endpoint } = await leases.release(lease, change);
  await reportDisabled(endpoint);
  const isDisabled = isStored && change.disabled !== undefined;
  const next = isDisabled ? undefined : nextAttemptOf(message, change.atMs, isStored, random());
  const ended: DeliveryUpdate = isDisabled ? DROPPED : { status: 'failed' };
  const update: DeliveryUpdate = next ? { status: 'retrying', next: next.update } : ended;
  // A parked delivery whose record does not say `waiting` is removed: its next attempt must be in the queue by then.
  if (next && !next.update.timer)
    await queue.send([next.message], { delaySeconds: Math.round(next.delayMs / 1_000) });
  await deliveries.record(message, { ...update, attempt }, change.atMs);
  // The slot is free, so another process may already attempt a parked delivery again.
  if (isParked) await parkedDeliveries.remove(message);
  report({ message, outcome: update.status, result: attempt, reason: update.reason });
  return { outcome: update.status, endpoint, ms: attempt.ms };
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

/** The delay until the next attempt. If the address changed during the last attempt, one more goes to the new address. */
const delayMsAfter = (attempt: number, isStored: boolean, random: number): number | undefined =>
  nextDelayMs(!isStored && attempt === ATTEMPTS_MAX ? 1 : attempt, random);
