import type { Cart } from '../../../lib/carts/cart.ts';
import { createEventStore } from '../../../lib/events/event-store.ts';
import { eventIdOf, expiryCause } from '../../../lib/events/new-event.ts';
import { sequenceBefore } from '../../../lib/events/sequence-before.ts';
import { EVENT_TYPES, type LoggedEvent } from '../../../lib/events/store-event.ts';
import { write } from '../../command-line.ts';
import { counted } from '../../counted.ts';
import type { Host } from '../options.ts';
import { describeReadUnits } from '../scan-cost.ts';
import type { Stage } from '../stage.ts';
import { eventsAfter } from '../webhooks/log-events.ts';

const DAY_MS = 86_400_000;

/** TTL deletes an event 32 days after it was recorded. */
const EVENT_AGE_MS_MAX = 32 * DAY_MS;

/** A payment is recorded up to this much later than it happened: dead letters stay for 14 days. */
const RECORDED_LATE_MS_MAX = 14 * DAY_MS;

/** A payment may be dated this much after its event (`docs/events.md`, "In: payments"). */
const FUTURE_MS_MAX = 5 * 60_000;

/** The most events that it reads without stating the cost: about 250 read units. */
const READ_SILENTLY_MAX = 1_000;

/** The bytes of an event besides its body. */
const EVENT_OVERHEAD_BYTES = 250;

/** The bytes that one read unit covers in a strongly consistent query. */
const BYTES_PER_READ_UNIT = 4_096;

/** A change of a cart, and when its event was recorded at the earliest. */
interface Cause {
  readonly cause: string;
  readonly fromMs: number;
}

/** The changes of a cart whose events may still be stored. Each has at most one event. */
const causesOf = (cart: Cart, nowMs: number): Cause[] => {
  const { payments = [], abandonmentRecordedAtMs } = cart;
  const oldestMs = nowMs - EVENT_AGE_MS_MAX;
  const paid = payments
    .filter(({ occurredAtMs }) => occurredAtMs >= oldestMs - RECORDED_LATE_MS_MAX)
    .map(({ eventId, occurredAtMs }) => ({ cause: eventId, fromMs: occurredAtMs - FUTURE_MS_MAX }));
  if (abandonmentRecordedAtMs === undefined || abandonmentRecordedAtMs < oldestMs) return paid;
  return [...paid, { cause: expiryCause(cart), fromMs: abandonmentRecordedAtMs }];
};

/** Says on standard error what a long read of a log will cost. */
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
  const causes = causesOf(cart, host.now());
  if (causes.length === 0) return [];
  const events = createEventStore(documents, tableNames.events);
  const last = await events.last(cart);
  if (!last) return [];
  const from = await sequenceBefore(events, cart, Math.min(...causes.map(({ fromMs }) => fromMs)));
  await sayLogCost(host, last.sequence - from, last);
  const open = new Map(
    causes.flatMap(({ cause }) => EVENT_TYPES.map((type) => [eventIdOf({ type, cart, cause }), cause])),
  );
  const stop = host.stopSignal();
  const found: LoggedEvent[] = [];
  for await (const event of eventsAfter(events, cart, from)) {
    const cause = open.get(event.id);
    if (cause !== undefined) {
      found.push(event);
      for (const type of EVENT_TYPES) open.delete(eventIdOf({ type, cart, cause }));
    }
    if (open.size === 0 || stop.aborted) break;
  }
  return found;
};
