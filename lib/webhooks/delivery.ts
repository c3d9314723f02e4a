import type { EndpointRef } from './endpoint.ts';

/** A message that asks to deliver one event to one endpoint. It is the JSON body of a message of the delivery queue. */
export interface DeliveryMessage {
  readonly endpoint: EndpointRef;
  /** The id of an event, or of a `webhook.ping`. */
  readonly eventId: string;
  /** When the event was recorded. With the event's id, it makes the delivery's id. */
  readonly recordedAtMs: number;
  /** The JSON text to send. */
  readonly body: string;
  /** The number of the next attempt, from 1. */
  readonly attempt: number;
  /** The event's number in its log. A ping has none, and is attempted once. */
  readonly sequence?: number | undefined;
}

/** Takes delivery messages. A message is stored when the promise resolves. */
export interface DeliveryQueue {
  /** @param delaySeconds 0 to 900, as in SQS. Default: 0 */
  send(messages: readonly DeliveryMessage[], delaySeconds?: number): Promise<void>;
}
