import type { Cart } from '../../../lib/carts/cart.ts';
import { DAY_MS } from '../../../lib/core/durations.ts';
import type { Attempt } from '../../../lib/deliveries/records/attempt.ts';
import type { DeliveryRecord } from '../../../lib/deliveries/records/delivery.ts';
import { EVENT_DELETED_MS } from '../../../lib/events/event-age.ts';
import type { LoggedEvent } from '../../../lib/events/logged-event.ts';
import { SENDER_AHEAD_MS_MAX } from '../../../lib/payments/payment-event.ts';
import type { Context } from '../frame/context.ts';
import { eventsSince } from '../shared/log-events.ts';
import type { Repositories } from '../target/repositories.ts';
import { timelineOf } from './timeline.ts';

/** A payment or a refund is recorded up to this much later than it happened: dead letters stay for 14 days. */
const RECORDED_LATE_MS_MAX = 14 * DAY_MS;

/** The changes of a cart whose events may still be stored: for each, when its event was recorded at the earliest. */
const recentChanges = (cart: Cart, nowMs: number): readonly number[] => {
  const { payments = [], refunds = [], abandonmentRecordedAtMs = -Infinity } = cart;
  const oldestMs = nowMs - EVENT_DELETED_MS;
  const paid = [...payments, ...refunds]
    .filter(({ occurredAtMs }) => occurredAtMs >= oldestMs - RECORDED_LATE_MS_MAX)
    .map(({ occurredAtMs }) => occurredAtMs - SENDER_AHEAD_MS_MAX);
  return abandonmentRecordedAtMs < oldestMs ? paid : [...paid, abandonmentRecordedAtMs];
};

/**
 * Finds the stored events of a cart. It reads the log of the store from the cart's first change on, until it has an event for
 * each change: a change causes at most one. This is one short read if the events follow their changes at once. After a
 * payment without an event, it reads the log to its end. Ctrl-C ends the read early.
 */
const findCartEvents = async (
  cart: Cart,
  { repositories: { events }, now, stopSignal }: Context,
): Promise<readonly LoggedEvent[]> => {
  const changes = recentChanges(cart, now());
  if (changes.length === 0) return [];
  const stop = stopSignal();
  const found: LoggedEvent[] = [];
  for await (const event of eventsSince(events, cart, Math.min(...changes))) {
    if (event.cartId === cart.id) found.push(event);
    if (found.length === changes.length || stop.aborted) break;
  }
  return found;
};

/** The deliveries of events to the endpoints of their store. Those to a removed endpoint are missing. */
const findDeliveries = async (
  cart: Cart,
  events: readonly LoggedEvent[],
  repositories: Repositories,
): Promise<readonly DeliveryRecord[]> => {
  if (events.length === 0) return [];
  const endpoints = await repositories.endpoints.listOf(cart);
  const found = await Promise.all(
    events.flatMap(({ id: eventId, recordedAtMs }) =>
      endpoints.map((endpoint) => repositories.deliveries.find({ endpoint, eventId, recordedAtMs })),
    ),
  );
  return found.filter((record) => record !== undefined);
};

const eventEntry = ({ recordedAtMs: atMs, type, id: eventId, sequence }: LoggedEvent) =>
  ({ what: 'event', atMs, type, eventId, sequence }) as const;

/** The attempts of a delivery. The last one has the state of the delivery. Without an attempt, the state alone. */
const deliveryEntries = (record: DeliveryRecord) => {
  const { endpointId, eventId, recordedAtMs, attempts, status, reason, nextAttemptAtMs } = record;
  const made: readonly (Pick<Attempt, 'atMs'> & Partial<Attempt>)[] =
    attempts.length === 0 ? [{ atMs: recordedAtMs }] : attempts;
  return made.map(({ atMs, attempt, status: response, error }, index) => ({
    ...({ what: 'delivery', atMs, endpointId, eventId, attempt, response, error } as const),
    ...(index === made.length - 1 && { status, reason, nextAttemptAtMs }),
  }));
};

/** Reads the timeline of a cart: its payments, its refunds, its events and their deliveries, in the order of time. */
export const readTimeline = async (cart: Cart, context: Context) => {
  const events = await findCartEvents(cart, context);
  const deliveries = await findDeliveries(cart, events, context.repositories);
  const others = [...events.map(eventEntry), ...deliveries.flatMap(deliveryEntries)];
  return timelineOf(cart, context.now(), others);
};
