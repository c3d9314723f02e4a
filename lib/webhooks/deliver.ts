import type { Clock } from '../core/clock.ts';
import type { DueSchedule } from '../due/due-entry.ts';
import { isOpen, type StateChange, stateChangeOf } from './breaker.ts';
import {
  type AttemptResult,
  type DeliveryMessage,
  type DeliveryQueue,
  type DeliveryRecord,
} from './delivery.ts';
import type { DeliveryStore, DeliveryUpdate } from './delivery-store.ts';
import type { EndpointWithState } from './endpoint-items.ts';
import type { DisabledReason } from './endpoint.ts';
import type { Lease, Leases } from './leases.ts';
import { nextDelayMs } from './schedule.ts';
import type { SecretStore, StoredSecret } from './secret-store.ts';
import { signedHeaders } from './signature.ts';
import { wakeUp } from './wake-up.ts';

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
  disabled: { readonly atMs: number; readonly reason: Exclude<DisabledReason, 'operator'> },
) => Promise<void>;

/** The outcome of a message, for the log line and the metrics. */
export interface DeliveryReport {
  readonly message: DeliveryMessage;
  /** `parked`: the breaker is open. `unknown`: the endpoint does not exist any more. */
  readonly outcome: DeliveryRecord['status'] | 'parked' | 'unknown';
  readonly result?: AttemptResult | undefined;
  readonly reason?: DeliveryRecord['reason'];
}

export interface DeliverDependencies {
  /** Remembers secrets for a minute. */
  readonly findSecret: SecretStore['find'];
  readonly leases: Leases;
  readonly deliveries: Pick<DeliveryStore, 'record'>;
  readonly queue: DeliveryQueue;
  readonly due: DueSchedule;
  readonly send: Send;
  readonly reportDisabled: ReportDisabled;
  readonly report: (report: DeliveryReport) => void;
  readonly now: Clock;
  /** From 0 to below 1. */
  readonly random: () => number;
}

/**
 * - `sent`: an attempt was made. Delete the message.
 * - `unsent`: there is nothing to send. Delete the message.
 * - `busy`: two requests to the endpoint are in flight, or the lease would end during the attempt. Try again after
 *   `busyDelaySeconds`.
 * - `open`: the breaker is open. Park the message.
 */
export type Delivered = 'sent' | 'unsent' | 'busy' | 'open';

/** The queue delays a message by at most 15 minutes. */
const QUEUE_DELAY_MAX_MS = 900_000;

const RUN_INTERVAL_MS = 60_000;

/** The attempt after a failed one, if there is one. */
interface NextAttempt {
  readonly message: DeliveryMessage;
  readonly delayMs: number;
}

const nextAttemptOf = (
  message: DeliveryMessage,
  change: StateChange,
  random: number,
): NextAttempt | undefined => {
  if (change.outcome === 'succeeded' || change.disabled || message.sequence === undefined) return undefined;
  const delayMs = nextDelayMs(message.attempt, random);
  return delayMs === undefined
    ? undefined
    : { message: { ...message, attempt: message.attempt + 1 }, delayMs };
};

const statusOf = (change: StateChange, next: NextAttempt | undefined): DeliveryRecord['status'] => {
  if (change.outcome === 'succeeded') return 'succeeded';
  if (next) return 'retrying';
  return change.disabled ? 'dropped' : 'failed';
};

/** Stores the next attempt: a short delay in the queue, a longer one in the table of due work. */
const scheduleNext = async (
  { message, delayMs }: NextAttempt,
  endedAtMs: number,
  { queue, due }: DeliverDependencies,
): Promise<void> => {
  if (delayMs <= QUEUE_DELAY_MAX_MS) {
    await queue.send([message], Math.round(delayMs / 1_000));
    return;
  }
  const { endpoint, eventId, attempt, sequence = 0 } = message;
  const atMs = endedAtMs + delayMs;
  const id = `attempt#${endpoint.endpointId}#${eventId}#${attempt}`;
  // The runs are a minute apart. The queue's delay then makes the time exact.
  await due.put([
    {
      id,
      dueAtMs: atMs - RUN_INTERVAL_MS,
      entry: { kind: 'attempt', endpoint, sequence, attempt, atMs },
    },
  ]);
};

/**
 * Makes one attempt. All writes come before the caller deletes the message. If the process dies, the queue delivers the
 * message again.
 */
const attemptDelivery = async (
  message: DeliveryMessage,
  lease: Lease,
  secret: StoredSecret,
  dependencies: DeliverDependencies,
): Promise<void> => {
  const { send, now, random, leases, deliveries, due, report } = dependencies;
  const { endpoint } = lease;
  const { eventId, body, attempt } = message;
  const atMs = now();
  const result = await send({ url: endpoint.url, headers: signedHeaders(eventId, body, secret, atMs), body });
  const endedAtMs = now();
  const change = stateChangeOf(endpoint.state, result.status, endedAtMs);
  const next = nextAttemptOf(message, change, random());
  const isDisabled = change.outcome === 'failed' && change.disabled !== undefined;
  const update: DeliveryUpdate = {
    status: statusOf(change, next),
    attempt: { ...result, atMs, attempt },
    ...(next && { nextAttemptAtMs: endedAtMs + next.delayMs }),
    ...(isDisabled && { reason: 'disabled' }),
  };
  // Before the state changes: afterwards, a repeated message would find the endpoint disabled, or its breaker closed.
  if (change.outcome === 'failed' && change.disabled) {
    await dependencies.reportDisabled(endpoint, change.disabled);
  }
  if (change.outcome === 'succeeded' && isOpen(endpoint.state)) {
    await due.put([wakeUp('drain', endpoint, endedAtMs)]);
  }
  await Promise.all([leases.release(lease, change), deliveries.record(message, update, endedAtMs)]);
  if (next) await scheduleNext(next, endedAtMs, dependencies);
  report({ message, outcome: update.status, result, reason: update.reason });
};

/** Records why nothing was sent. */
const recordUnsent = async (
  message: DeliveryMessage,
  update: DeliveryUpdate,
  { deliveries, report, now }: DeliverDependencies,
): Promise<'unsent'> => {
  await deliveries.record(message, update, now());
  report({ message, outcome: update.status, reason: update.reason });
  return 'unsent';
};

/**
 * Delivers one message: takes a lease, makes one attempt, and stores the result.
 *
 * @throws when DynamoDB, the queue or the bus is slow, throttles or is down. Try the message again.
 */
export const deliver = async (
  message: DeliveryMessage,
  dependencies: DeliverDependencies,
): Promise<Delivered> => {
  const { findSecret, leases, report, now } = dependencies;
  const { endpoint, eventId, sequence } = message;
  const secret = await findSecret(endpoint.endpointId);
  const taken = secret ? await leases.take(endpoint, eventId, sequence === undefined) : undefined;
  if (!secret || !taken || taken.outcome === 'removed') {
    report({ message, outcome: 'unknown' });
    return 'unsent';
  }
  if (taken.outcome === 'disabled') {
    return recordUnsent(message, { status: 'dropped', reason: 'disabled' }, dependencies);
  }
  if (taken.outcome !== 'leased') return taken.outcome;
  // The lease may end during the attempt: others could then send two more requests at the same time.
  if (now() > taken.lease.startByMs) return 'busy';
  await attemptDelivery(message, taken.lease, secret, dependencies);
  return 'sent';
};
