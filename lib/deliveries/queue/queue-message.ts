import type { EndpointRef } from '../../endpoints/endpoint.ts';
import type { LoggedEvent } from '../../events/logged-event.ts';
import { MODES } from '../../stores/mode.ts';
import { isTestType, newTestEvent } from '../test-events/test-event.ts';

/**
 * A message of the delivery queue, in JSON: one event to deliver to one endpoint. It has none of the event's data, so an erasure
 * reaches every event that waits.
 */
export interface DeliveryMessage {
  readonly endpoint: EndpointRef;
  /** The id of an event of the log, or of a test event: `evt_...`. */
  readonly eventId: string;
  /** The type of an event of the log, or of a test event: see {@link isTestType}. */
  readonly type: string;
  /** When the event was recorded. With the event's id, it makes the delivery's id. */
  readonly recordedAtMs: number;
  /** The number of the next attempt, from 1. */
  readonly attempt: number;
  /** The event's number in its log. A test event has none, and is attempted once. */
  readonly sequence?: number | undefined;
}

const hasEndpoint = (value: unknown): boolean => {
  const { endpoint } = (value ?? {}) as Partial<DeliveryMessage>;
  const texts = [endpoint?.storeId, endpoint?.endpointId];
  return MODES.some((mode) => mode === endpoint?.mode) && texts.every((text) => typeof text === 'string');
};

/** Whether a value, from the body of a message, is a delivery message. */
export const isDeliveryMessage = (value: unknown): value is DeliveryMessage => {
  const { eventId, type, attempt, recordedAtMs, sequence, endpoint } = (value ?? {}) as DeliveryMessage;
  return (
    hasEndpoint(value) &&
    typeof eventId === 'string' &&
    [attempt, recordedAtMs].every(Number.isSafeInteger) &&
    // Only a test event is sent without a read of the log.
    (sequence === undefined ? isTestType(type, endpoint.mode) : Number.isSafeInteger(sequence))
  );
};

/**
 * A message of the delivery queue that asks for the parked deliveries of an endpoint to be sent, or dropped if it is disabled. It
 * has no effect if another process holds slot 0 of the endpoint: that one continues.
 */
interface DrainRequest {
  readonly endpoint: EndpointRef;
  readonly drains: true;
}

/** A message of the delivery queue. */
export type QueueMessage = (DeliveryMessage | DrainRequest) & {
  /** The delay that the queue was asked for. No record of SQS has it. Absent without one. */
  readonly delaySeconds?: number | undefined;
};

export const drainRequestOf = ({ storeId, mode, endpointId }: EndpointRef): DrainRequest => ({
  endpoint: { storeId, mode, endpointId },
  drains: true,
});

export const isDrainRequest = (message: DeliveryMessage | DrainRequest): message is DrainRequest =>
  'drains' in message;

/** Whether a value, from the body of a message, is one of the delivery queue. */
export const isQueueMessage = (value: unknown): value is QueueMessage =>
  hasEndpoint(value) && ((value as Partial<DrainRequest>).drains === true || isDeliveryMessage(value));

/** The message of the first attempt to deliver an event of a log to an endpoint. */
export const deliveryMessageOf = (
  { storeId, mode, endpointId }: EndpointRef,
  {
    id,
    type,
    recordedAtMs,
    sequence,
  }: Pick<LoggedEvent, 'id' | 'type' | 'recordedAtMs'> & Partial<Pick<LoggedEvent, 'sequence'>>,
): DeliveryMessage => ({
  endpoint: { storeId, mode, endpointId },
  eventId: id,
  type,
  recordedAtMs,
  attempt: 1,
  sequence,
});

/** The message that sends a new test event to an endpoint. While the breaker is open, it is a probe. */
export const testMessageOf = (
  endpoint: EndpointRef,
  ...event: Parameters<typeof newTestEvent>
): DeliveryMessage => deliveryMessageOf(endpoint, newTestEvent(...event));
