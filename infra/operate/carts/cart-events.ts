import type { Cart } from '../../../lib/carts/cart.ts';
import { SENDER_AHEAD_MS_MAX } from '../../../lib/carts/payment-event.ts';
import { DAY_MS } from '../../../lib/core/durations.ts';
import { EVENT_DELETED_MS } from '../../../lib/events/event-item.ts';
import type { LoggedEvent } from '../../../lib/events/store-event.ts';
import { counted } from '../../counted.ts';
import type { Context } from '../command.ts';
import { describeReadUnits } from '../scan.ts';
import { eventsAfter, firstEventSince } from '../webhooks/log-events.ts';

/** A payment or a refund is recorded up to this much later than it happened: dead letters stay for 14 days. */
const RECORDED_LATE_MS_MAX = 14 * DAY_MS;

/** The most events that it reads without stating the cost: about 250 read units. */
const READ_SILENTLY_MAX = 1_000;

/** The bytes of an event besides its body. */
const EVENT_OVERHEAD_BYTES = 250;

/** The bytes that one read unit covers in a strongly consistent query. */
const BYTES_PER_READ_UNIT = 4_096;

/** The changes of a cart whose events may still be stored: for each, when its event was recorded at the earliest. */
const recentChanges = (cart: Cart, nowMs: number): readonly number[] => {
  const { payments = [], refunds = [], abandonmentRecordedAtMs = -Infinity } = cart;
  const oldestMs = nowMs - EVENT_DELETED_MS;
  const paid = [...payments, ...refunds]
    .filter(({ occurredAtMs }) => occurredAtMs >= oldestMs - RECORDED_LATE_MS_MAX)
    .map(({ occurredAtMs }) => occurredAtMs - SENDER_AHEAD_MS_MAX);
  return abandonmentRecordedAtMs < oldestMs ? paid : [...paid, abandonmentRecordedAtMs];
};

/** The line that states the cost of a long read of a log. */
const describeLogCost = (count: number, last: LoggedEvent): string => {
  const bytes = Buffer.byteLength(last.body) + EVENT_OVERHEAD_BYTES;
  const cost = describeReadUnits(Math.ceil((count * bytes) / BYTES_PER_READ_UNIT));
  return `Reads at most ${counted(count, 'event')} of the log of ${last.storeId}: about ${cost}.`;
};

/**
 * Finds the stored events of a cart. It reads the log of the store from the cart's first change on, until it has an event for
 * each change: a change causes at most one. This is one short read if the events follow their changes at once. After a
 * payment without an event, it reads the log to its end. Ctrl-C ends the read early.
 */
export const findCartEvents = async (
  cart: Cart,
  { stores: { events }, now, say, stopSignal }: Context,
): Promise<readonly LoggedEvent[]> => {
  const changes = recentChanges(cart, now());
  if (changes.length === 0) return [];
  const last = await events.last(cart);
  const first = await firstEventSince(events, cart, Math.min(...changes));
  if (!last || !first) return [];
  const from = first.sequence - 1;
  const count = last.sequence - from;
  if (count > READ_SILENTLY_MAX) say(describeLogCost(count, last));
  const stop = stopSignal();
  const found: LoggedEvent[] = [];
  for await (const event of eventsAfter(events, cart, from)) {
    if (event.cartId === cart.id) found.push(event);
    if (found.length === changes.length || stop.aborted) break;
  }
  return found;
};
