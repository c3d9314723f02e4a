import { cartEvent, eventIdOf, type CartChange } from '../../../../lib/carts/cart-event.ts';
import { toEventItem } from '../../../../lib/events/event-item.ts';
import { logEvent, type LogId } from '../../../../lib/events/logged-event.ts';
import { benchCart, cartIdOf } from '../support/items.ts';
import { seedDatabase } from '../support/seed.ts';

const DAY_MS = 86_400_000;

/** The age of the oldest event. A day later, TTL deletes it, so this is the longest log that a store has. */
const OLDEST_DAYS = 31;

export const LOG: LogId = { storeId: 'store-of-a-long-log', mode: 'test' };

/** Consecutive events of a log, at equal intervals until now. TTL has deleted the events before the first. */
export interface SeededLog {
  readonly events: number;
  readonly firstSequence: number;
  readonly firstRecordedAtMs: number;
  readonly intervalMs: number;
}

const logOf = (events: number, nowMs: number): SeededLog => {
  // A log begins with the number of its day. The first event is recorded at noon, so no sequence number equals its time.
  const firstSequence = nowMs - (nowMs % DAY_MS) - OLDEST_DAYS * DAY_MS;
  const firstRecordedAtMs = firstSequence + DAY_MS / 2;
  const intervalMs = Math.floor((nowMs - firstRecordedAtMs) / events);
  return { events, firstSequence, firstRecordedAtMs, intervalMs };
};

const newEventOf = (index: number, nowMs: number): CartChange => {
  const id = cartIdOf(index);
  const cart = { ...benchCart(id, nowMs - DAY_MS), storeId: LOG.storeId, paymentId: `pay_${id}` };
  return { type: 'cart.completed', cart: { ...cart, status: 'completed' }, cause: id };
};

/** Makes a database file with a log. */
export const seedLog = async (path: string, events: number): Promise<SeededLog> => {
  const nowMs = Date.now();
  const log = logOf(events, nowMs);
  const { firstSequence, firstRecordedAtMs, intervalMs } = log;
  const first = newEventOf(0, nowMs);
  await seedDatabase(path, {
    events: {
      item: toEventItem(logEvent(cartEvent(first), firstSequence, firstRecordedAtMs)),
      count: events,
      textsOf: (index) => {
        const recordedAtMs = firstRecordedAtMs + index * intervalMs;
        const cartId = cartIdOf(index);
        return [
          String(firstSequence + index),
          String(recordedAtMs),
          new Date(recordedAtMs).toISOString(),
          cartId,
          eventIdOf({ ...first, cart: { ...first.cart, id: cartId }, cause: cartId }),
        ];
      },
    },
  });
  return log;
};
