import type { Clock } from '../core/clock.ts';
import type { LogId, LoggedEvent } from '../events/logged-event.ts';
import type { Timer } from '../timers/timer.ts';
import { type StateChange, stateChangeOf } from './breaker.ts';
import { retryTimer } from './timed-deliveries.ts';
import {
  type AttemptResult,
  type DeliveryMessage,
  type DeliveryQueue,
  type DeliveryRecord,
  pingBody,
} from './delivery.ts';
import type { DeliveryStore, DeliveryUpdate } from './delivery-store.ts';
import type { EndpointWithState } from './endpoint-items.ts';
import type { DisabledReason } from './endpoint.ts';
import type { Lease, Leases } from './leases.ts';
import { nextDelayMs } from './schedule.ts';
import type { StoredSecret } from './secret-store.ts';
import { signedHeaders } from './signature.ts';

/** A request to an endpoint. */
export interface WebhookRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Sends a request once. Never throws. */
export type Send = (request: WebhookRequest) => Promise<AttemptResult>;

/** Reports that the service disabled an endpoint. It may report the same one twice. */
export type ReportDisabled = (
  endpoint: EndpointWithState,
  disabled: { readonly atMs: number; readonly reason: Exclude<DisabledReason, 'operator' | 'merchant'> },
) => Promise<void>;

/** The outcome of a message, for the log line and the metrics. */
export interface DeliveryReport {
  readonly message: DeliveryMessage;
  /** `unknown`: the endpoint or the event does not exist any more. */
  readonly outcome: DeliveryRecord['status'] | 'unknown';
  readonly result?: AttemptResult | undefined;
  readonly reason?: DeliveryRecord['reason'];
}

/** The secret that a lease names. */
export type SecretRef = Pick<EndpointWithState, 'endpointId' | 'secretVersion'>;

export interface DeliverDependencies {
  /** Finds the secret of an endpoint. It may remember it for this `secretVersion`. */
  readonly findSecret: (endpoint: SecretRef) => Promise<StoredSecret | undefined>;
  /** Reads an event of a log by its number. `undefined` if it is no longer kept. */
  readonly findEvent: (log: LogId, sequence: number) => Promise<Pick<LoggedEvent, 'id' | 'body'> | undefined>;
  readonly leases: Leases;
  readonly deliveries: Pick<DeliveryStore, 'record'>;
  readonly queue: DeliveryQueue;
  readonly send: Send;
  readonly reportDisabled: ReportDisabled;
  readonly report: (report: DeliveryReport) => void;
  readonly now: Clock;
  /** From 0 to below 1. */
  readonly random: () => number;
}

/**
 * - `done`: an attempt was made, or there is nothing to send. Delete the message.
 * - `busy`: two requests to the endpoint are in flight, or the lease would end during the attempt. Try again after
 *   `busyDelaySeconds`.
 * - `open`: the breaker is open. Park the message.
 */
export type Delivered = 'done' | 'busy' | 'open';

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
  change: StateChange,
  random: number,
): NextAttempt | undefined => {
  if (change.outcome === 'succeeded' || change.disabled || message.sequence === undefined) return undefined;
  const delayMs = nextDelayMs(message.attempt, random);
  if (delayMs === undefined) return undefined;
  const atMs = change.atMs + delayMs;
  const timer = delayMs > QUEUE_DELAY_MS_MAX ? retryTimer(message, atMs) : undefined;
  return { message: { ...message, attempt: message.attempt + 1 }, delayMs, atMs, timer };
};

const statusOf = (change: StateChange, next: NextAttempt | undefined): DeliveryRecord['status'] => {
  if (change.outcome === 'succeeded') return 'succeeded';
  if (next) return 'retrying';
  return change.disabled ? 'dropped' : 'failed';
};

/**
 * Makes one attempt. All writes come before the caller deletes the message. If the process dies, the queue delivers the
 * message again.
 */
const attemptDelivery = async (
  message: DeliveryMessage,
  body: string,
  lease: Lease,
  secret: StoredSecret,
  dependencies: DeliverDependencies,
): Promise<void> => {
  const { send, now, random, leases, deliveries, queue, report } = dependencies;
  const { endpoint } = lease;
  const { eventId, attempt } = message;
  const atMs = now();
  const result = await send({ url: endpoint.url, headers: signedHeaders(eventId, body, secret, atMs), body });
  const endedAtMs = now();
  const change = stateChangeOf(endpoint.state, result.status, endedAtMs);
  const next = nextAttemptOf(message, change, random());
  const isDisabled = change.outcome === 'failed' && change.disabled !== undefined;
  const update: DeliveryUpdate = {
    status: statusOf(change, next),
    attempt: { ...result, atMs, attempt },
    ...(next && { next: { attempt: next.message.attempt, atMs: next.atMs, timer: next.timer } }),
    ...(isDisabled && { reason: 'disabled' }),
  };
  // Before the state changes: afterwards, a repeated message would find the endpoint disabled.
  if (change.outcome === 'failed' && change.disabled) {
    await dependencies.reportDisabled(endpoint, change.disabled);
  }
  await Promise.all([leases.release(lease, change), deliveries.record(message, update, endedAtMs)]);
  if (next && !next.timer) await queue.send([next.message], Math.round(next.delayMs / 1_000));
  report({ message, outcome: update.status, result, reason: update.reason });
};

/** Records why nothing was sent. */
const recordUnsent = async (
  message: DeliveryMessage,
  update: DeliveryUpdate,
  { deliveries, report, now }: DeliverDependencies,
): Promise<'done'> => {
  await deliveries.record(message, update, now());
  report({ message, outcome: update.status, reason: update.reason });
  return 'done';
};

/**
 * The JSON text to send: that of the log as it is now, without the data that was erased since. `undefined` if the event is gone.
 * After a restore of the log, another event may have its number.
 */
const bodyOf = async (
  message: DeliveryMessage,
  findEvent: DeliverDependencies['findEvent'],
): Promise<string | undefined> => {
  if (message.sequence === undefined) return pingBody(message);
  const event = await findEvent(message.endpoint, message.sequence);
  return event?.id === message.eventId ? event.body : undefined;
};

/**
 * Delivers one message: reads its event, takes a lease, makes one attempt, and stores the result. The secret comes after the
 * lease, which has its version: an attempt never signs by the state before a rotation that has returned.
 *
 * @throws when DynamoDB, the queue or the bus is slow, throttles or is down, or if the endpoint lost its secret. Try the
 *   message again.
 */
export const deliver = async (
  message: DeliveryMessage,
  dependencies: DeliverDependencies,
): Promise<Delivered> => {
  const { findSecret, findEvent, leases, report, now } = dependencies;
  const { endpoint, eventId, sequence } = message;
  const body = await bodyOf(message, findEvent);
  const taken = body === undefined ? undefined : await leases.take(endpoint, eventId, sequence === undefined);
  if (body === undefined || !taken || taken.outcome === 'removed') {
    report({ message, outcome: 'unknown' });
    return 'done';
  }
  if (taken.outcome === 'disabled') {
    return recordUnsent(message, { status: 'dropped', reason: 'disabled' }, dependencies);
  }
  if (taken.outcome !== 'leased') return taken.outcome;
  const secret = await findSecret(taken.lease.endpoint);
  if (!secret) throw new Error('The endpoint has no signing secret');
  // The lease may end during the attempt: others could then send two more requests at the same time.
  if (now() > taken.lease.startByMs) return 'busy';
  await attemptDelivery(message, body, taken.lease, secret, dependencies);
  return 'done';
};
