import { parseJson } from '../core/parse-json.ts';
import { UnreadableItemError } from '../core/unreadable-item.ts';
import type { StoreEvent } from './store-event.ts';

/** Parses the body of an event. `undefined` if it is not JSON, or if its cart has no `customerInfo`. */
export const parseEventBody = (body: string): StoreEvent | undefined => {
  const event = parseJson(body) as Partial<StoreEvent> | null | undefined;
  const customerInfo: unknown = event?.data?.customerInfo;
  return typeof customerInfo === 'object' && customerInfo !== null ? (event as StoreEvent) : undefined;
};

/**
 * Parses the body of a stored event.
 *
 * @throws UnreadableItemError if it is not JSON, or if its cart has no `customerInfo`. The message does not quote it
 */
export const readEventBody = (body: string): StoreEvent => {
  const event = parseEventBody(body);
  if (!event) throw new UnreadableItemError('A stored event has no valid body');
  return event;
};
