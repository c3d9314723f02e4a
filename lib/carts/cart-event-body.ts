import type { CartEvent } from './cart-event.ts';
import { parseJson } from '../core/parse-json.ts';
import { UnreadableItemError } from '../core/unreadable-item.ts';

/** Parses the body of an event. `undefined` if it is not JSON, or if its cart has no `customerInfo`. */
export const parseEventBody = (body: string): CartEvent | undefined => {
  const event = parseJson(body) as Partial<CartEvent> | null | undefined;
  const customerInfo: unknown = event?.data?.customerInfo;
  return typeof customerInfo === 'object' && customerInfo !== null ? (event as CartEvent) : undefined;
};

/**
 * Parses the body of a stored event.
 *
 * @throws UnreadableItemError if it is not JSON, or if its cart has no `customerInfo`. The message does not quote it
 */
export const readEventBody = (body: string): CartEvent => {
  const event = parseEventBody(body);
  if (!event) throw new UnreadableItemError('A stored event has no valid body');
  return event;
};
