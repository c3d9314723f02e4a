import { isoTime } from '../../core/timestamps.ts';
import type { ItemSchema } from '../../database/readable-item.ts';
import type { DeliveryMessage } from '../queue/queue-message.ts';
import type { Attempt } from './attempt.ts';

/** The schema of the items of deliveries and parked deliveries. */
export const DELIVERY_SCHEMA: ItemSchema = { kind: 'delivery', version: 1 };

/** The event of a delivery. It identifies the delivery within its endpoint. */
export type DeliveredEvent = Pick<DeliveryMessage, 'eventId' | 'recordedAtMs'>;

/** The id of a delivery within its endpoint. Ids sort by the time of the event. */
export const deliveryId = ({ recordedAtMs, eventId }: DeliveredEvent): string =>
  `${isoTime(recordedAtMs)}#${eventId}`;

/** Parses an id of {@link deliveryId}. */
export const parseDeliveryId = (id: string): DeliveredEvent => {
  const [recordedAt = '', eventId = ''] = id.split('#');
  return { recordedAtMs: Date.parse(recordedAt), eventId };
};

/**
 * - `waiting`: the delivery is parked. It follows when its endpoint has recovered, or has responded to earlier requests.
 * - `retrying`: an attempt failed, and there will be another one.
 * - `failed`: the last attempt failed.
 * - `dropped`: the endpoint was disabled when the delivery was due, or by this attempt.
 */
export type DeliveryStatus = 'waiting' | 'succeeded' | 'retrying' | 'failed' | 'dropped';

/**
 * The outcome of a message, from the slot to the log line. The record of the delivery has it as its status, except:
 *
 * - `contended`: other writers kept the call from the endpoint. The message returns to the queue.
 * - `notQuick`: the message came from the quick queue, but its endpoint is not quick. The caller moves it to the slow queue.
 * - `unknown`: the endpoint or the event does not exist any more.
 */
export type Outcome = DeliveryStatus | 'contended' | 'notQuick' | 'unknown';

/** The attempts that a record keeps. A resend, a new address or a repeated message adds to the usual ten. */
export const ATTEMPTS_KEPT_MAX = 20;

/** A delivery in the table `deliveries`, for operators and merchants. */
export interface DeliveryRecord {
  readonly endpointId: string;
  /** See {@link deliveryId}. */
  readonly id: string;
  readonly eventId: string;
  /** The type of an event of the log, or of a test event: see `isTestType`. */
  readonly type: string;
  readonly recordedAtMs: number;
  /** Absent for a test event. */
  readonly sequence?: number | undefined;
  /** After one success, it stays `succeeded`, even if a resend or a repeated attempt fails. */
  readonly status: DeliveryStatus;
  /** The last {@link ATTEMPTS_KEPT_MAX}, the oldest first. */
  readonly attempts: readonly Attempt[];
  /** When the next attempt is due, while the status is `retrying`. It waits longer while the breaker is open. */
  readonly nextAttemptAtMs?: number | undefined;
  /** Why it was dropped. */
  readonly reason?: 'disabled' | undefined;
}
