import type { Cart } from '../../../lib/carts/cart.ts';
import { SENDER_AHEAD_MS_MAX } from '../../../lib/carts/payment-event.ts';
import { DAY_MS } from '../../../lib/core/durations.ts';
import { abandonmentEventId, paymentEventIds } from '../../../lib/events/cart-event-ids.ts';
import { EVENT_DELETED_MS } from '../../../lib/events/event-item.ts';
import { createEventStore } from '../../../lib/events/event-store.ts';
import type { LoggedEvent } from '../../../lib/events/store-event.ts';
import { write } from '../../command-line.ts';
import { counted } from '../../counted.ts';
import type { Host } from '../options.ts';
import { describeReadUnits } from '../scan-cost.ts';
import type { Stage } from '../stage.ts';
import { eventsAfter, firstEventSince } from '../webhooks/log-events.ts';

/** A payment is recorded up to this much later than it happened: dead letters stay for 14 days. */
const RECORDED_LATE_MS_MAX = 14 * DAY_MS;

/** The most events that it reads without stating the cost: about 250 read units. */
const READ_SILENTLY_MAX = 1_000;

/** The bytes of an event besides its body. */
const EVENT_OVERHEAD_BYTES = 250;

/** The bytes that one read unit covers in a strongly consistent query. */
const BYTES_PER_READ_UNIT = 4_096;

/** A change of a cart. It caused at most one event. */
interface Change {
  /** The ids that the event can have. */
  readonly eventIds: readonly string[];
  /** When the event was recorded at the earliest. */
  readonly fromMs: number;
}

/** The changes of a cart whose events may still be stored. */
const recentChanges = (cart: Cart, nowMs: number): Change[] => {
  const { payments = [], abandonmentRecordedAtMs } = cart;
  const oldestMs = nowMs - EVENT_DELETED_MS;
  const paid = payments
    .filter(({ occurredAtMs }) => occurredAtMs >= oldestMs - RECORDED_LATE_MS_MAX)
    .map((payment) => ({
      eventIds: paymentEventIds(cart, payment),
      fromMs: payment.occurredAtMs - SENDER_AHEAD_MS_MAX,
    }));
  if (abandonmentRecordedAtMs === undefined || abandonmentRecordedAtMs < oldestMs) return paid;
  return [...paid, { eventIds: [abandonmentEventId(cart)], fromMs: abandonmentRecordedAtMs }];
};

/** States the cost of a long read of a log on standard error. */
const sayLogCost = async ({ stderr }: Host, count: number, last: LoggedEvent): Promise<void> => {
  if (count <= READ_SILENTLY_MAX) return;
  const bytes = Buffer.byteLength(last.body) + EVENT_OVERHEAD_BYTES;
  const cost = describeReadUnits(Math.ceil((count * bytes) / BYTES_PER_READ_UNIT));
  await write(
    stderr,
    `Reads at most ${counted(count, 'event')} of the log of ${last.storeId}: about ${cost}.\n`,
  );
};

/**
 * Finds the stored events of a cart. It reads the log of the store from the cart's first change on, until each change has its
 * event. This is one short read if the events follow their changes at once. After a payment without an event, it reads the
 * log to its end. Ctrl-C ends the read early.
 */
export const findCartEvents = async (
  host: Host,
  { documents, tableNames }: Stage,
  cart: Cart,
): Promise<readonly LoggedEvent[]> => {
  const changes = recentChanges(cart, host.now());
  if (changes.length === 0) return [];
  const events = createEventStore(documents, tableNames.events);
  const last = await events.last(cart);
  const first = await firstEventSince(events, cart, Math.min(...changes.map(({ fromMs }) => fromMs)));
  if (!last || !first) return [];
  const from = first.sequence - 1;
  await sayLogCost(host, last.sequence - from, last);
  const changesById = new Map(
    changes.flatMap((change) => change.eventIds.map((id) => [id, change] as const)),
  );
  const open = new Set(changes);
  const stop = host.stopSignal();
  const found: LoggedEvent[] = [];
  for await (const event of eventsAfter(events, cart, from)) {
    const change = changesById.get(event.id);
    if (change) {
      found.push(event);
      open.delete(change);
    }
    if (open.size === 0 || stop.aborted) break;
  }
  return found;
};
