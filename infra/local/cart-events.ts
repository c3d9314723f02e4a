import { recordedEvents } from '../../lib/events/recorded-events.ts';
import type { LoggedEvent } from '../../lib/events/store-event.ts';

/** The part of an event that may be printed: it has no personal data. */
export type PrintedEvent = Pick<LoggedEvent, 'id' | 'type' | 'cartId' | 'storeId' | 'mode' | 'sequence'>;

/**
 * Reports the events that this process records. It does not read the table's stream, because a stream slows down the
 * writes of the embedded DynamoDB.
 *
 * @returns a function that ends the reports
 */
export const watchCartEvents = (report: (event: PrintedEvent) => void): (() => void) => {
  const listen = (message: unknown): void => {
    const { id, type, cartId, storeId, mode, sequence } = message as LoggedEvent;
    report({ id, type, cartId, storeId, mode, sequence });
  };
  recordedEvents.subscribe(listen);
  return () => recordedEvents.unsubscribe(listen);
};
