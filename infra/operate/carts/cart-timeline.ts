import type { Cart } from '../../../lib/carts/cart.ts';
import { type TimelineEntry, timelineOf } from '../../../lib/carts/timeline.ts';
import type { LoggedEvent } from '../../../lib/events/store-event.ts';
import type { Attempt, DeliveryRecord } from '../../../lib/webhooks/delivery.ts';
import { describeAmount } from '../../describe-price.ts';
import type { Context } from '../command.ts';
import { isoTime } from '../output.ts';
import type { Stores } from '../stores.ts';
import { statusText } from '../webhooks/delivery.ts';
import { findCartEvents } from './cart-events.ts';

const eventEntry = ({ recordedAtMs: atMs, type, id: eventId, sequence }: LoggedEvent) =>
  ({ what: 'event', atMs, type, eventId, sequence }) as const;

/** The attempts of a delivery. The last one has the state of the delivery. Without an attempt, the state alone. */
const deliveryEntries = (record: DeliveryRecord) => {
  const { endpointId, eventId, recordedAtMs, attempts, status, reason, nextAttemptAtMs } = record;
  const made = attempts.length === 0 ? [{ atMs: recordedAtMs }] : attempts;
  return made.map(({ atMs, ...result }: Pick<Attempt, 'atMs'> & Partial<Attempt>, index) => ({
    what: 'delivery' as const,
    atMs,
    endpointId,
    eventId,
    attempt: result.attempt,
    response: result.status,
    error: result.error,
    state: index === made.length - 1 ? { status, reason, nextAttemptAtMs } : undefined,
  }));
};

type DeliveryEntry = ReturnType<typeof deliveryEntries>[number];

/** An entry of a cart's timeline: a change of the cart, an event about it, or a delivery of the event. */
export type CartEntry = TimelineEntry | ReturnType<typeof eventEntry> | DeliveryEntry;

/** The deliveries of events to the endpoints of their store. Those to a removed endpoint are missing. */
const findDeliveries = async (
  cart: Cart,
  events: readonly LoggedEvent[],
  stores: Stores,
): Promise<readonly DeliveryRecord[]> => {
  if (events.length === 0) return [];
  const endpoints = await stores.endpoints.listOf(cart);
  const found = await Promise.all(
    events.flatMap(({ id: eventId, recordedAtMs }) =>
      endpoints.map((endpoint) => stores.deliveries.find({ endpoint, eventId, recordedAtMs })),
    ),
  );
  return found.filter((record) => record !== undefined);
};

/** Reads the timeline of a cart: its payments, its refunds, its events and their deliveries, in the order of time. */
export const readCartTimeline = async (cart: Cart, context: Context): Promise<CartEntry[]> => {
  const events = await findCartEvents(cart, context);
  const deliveries = await findDeliveries(cart, events, context.stores);
  const entries = timelineOf(cart, context.now());
  const others = [...entries.slice(1), ...events.map(eventEntry), ...deliveries.flatMap(deliveryEntries)];
  // The creation stays first, whatever time a sender's clock gave a payment.
  return [...entries.slice(0, 1), ...others.toSorted((a, b) => a.atMs - b.atMs)];
};

const describeDelivery = ({ endpointId, attempt, response, error, state }: DeliveryEntry): string => {
  const result = attempt === undefined ? '' : `  attempt ${attempt}: ${response ?? error}`;
  return `delivery to ${endpointId}${result}${state ? `  ${statusText(state)}` : ''}`;
};

const describe = (entry: CartEntry): string => {
  if (entry.what === 'event') return `event ${entry.type}  ${entry.eventId}`;
  if (entry.what === 'delivery') return describeDelivery(entry);
  if ('refund' in entry) {
    const { refundId, paymentId } = entry.refund;
    return `${entry.what}  ${describeAmount(entry.refund)}, payment ${paymentId}, refund ${refundId}`;
  }
  if (!('payment' in entry)) return entry.what;
  const { paymentId, eventId } = entry.payment;
  return `${entry.what}  ${describeAmount(entry.payment)}, payment ${paymentId}, event ${eventId}`;
};

/** The line of an entry, with its time. */
export const describeCartEntry = (entry: CartEntry): string => `${isoTime(entry.atMs)}  ${describe(entry)}`;

/** An entry in the JSON. */
export const entryJson = (entry: CartEntry): object =>
  entry.what === 'delivery' ? { ...entry, ...entry.state } : entry;
