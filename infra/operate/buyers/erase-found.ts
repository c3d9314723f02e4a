import { createCartEraser } from '../../../lib/carts/cart-eraser.ts';
import { type DeliveryKey, eraseResponses } from '../../../lib/webhooks/delivery-eraser.ts';
import { eraseEvents } from '../../../lib/carts/event-eraser.ts';
import type { FoundCart } from '../../../lib/carts/find-carts.ts';
import type { Mode } from '../../../lib/core/mode.ts';
import { parseEventBody } from '../../../lib/carts/cart-event-body.ts';
import { type LoggedEvent, logKey, parseLogKey } from '../../../lib/events/store-event.ts';
import { deliveryId } from '../../../lib/webhooks/delivery.ts';
import type { Context } from '../command.ts';
import type { Stores } from '../stores.ts';
import { eventsSince } from '../webhooks/log-events.ts';
import type { Gaps } from './found-items.ts';
import type { Found, SearchResult } from './search-state.ts';

/** The items that an erasure will change, or has changed. */
export interface Counts {
  readonly carts: Readonly<Record<Mode, number>>;
  readonly events: number;
  readonly deliveries: number;
}

/** The carts and events of a search, as they are now. */
export interface Readable {
  readonly carts: readonly FoundCart[];
  readonly events: readonly LoggedEvent[];
}

/** An eventually consistent scan, and the clock of a writer, may be behind by this. */
const LATE_MS = 60_000;

/**
 * The found events, and those of the found carts that were recorded since the search began. Once the carts are erased, no
 * further event has the buyer's data. Events with an invalid body are gaps.
 */
const withLateEvents = async (
  { carts, events: found }: Readable,
  startedAtMs: number,
  store: Stores['events'],
  gaps: Gaps,
): Promise<readonly LoggedEvent[]> => {
  const cartIds = new Set(carts.map(({ cart }) => cart.id));
  const events = new Map(found.map((event) => [event.id, event]));
  for (const key of new Set(carts.map(({ cart }) => logKey(cart)))) {
    const log = parseLogKey(key);
    await gaps.readOrName(`new events of the store ${log.storeId} in ${log.mode} mode`, async () => {
      for await (const event of eventsSince(store, log, startedAtMs - LATE_MS)) {
        if (event.cartId === undefined || !cartIds.has(event.cartId)) continue;
        if (parseEventBody(event.body)) events.set(event.id, event);
        else gaps.add(`event ${event.id}`);
      }
    });
  }
  return [...events.values()];
};

/** The found deliveries, and those of the events that were made since to the endpoints of their logs. */
const deliveriesOf = async (
  events: readonly LoggedEvent[],
  { deliveries }: Found,
  { endpoints }: Stores,
): Promise<readonly DeliveryKey[]> => {
  const keys = new Map<string, DeliveryKey>(deliveries.map((key) => [`${key.endpointId} ${key.id}`, key]));
  for (const [key, ofLog] of Map.groupBy(events, (event) => logKey(event))) {
    for (const endpointId of await endpoints.idsOf(parseLogKey(key))) {
      for (const { id: eventId, recordedAtMs } of ofLog) {
        const id = deliveryId({ eventId, recordedAtMs });
        keys.set(`${endpointId} ${id}`, { endpointId, id });
      }
    }
  }
  return [...keys.values()];
};

/** Erases the found items. Events come last: with them, a repetition without the search's file can find the rest. */
export const eraseFound = async (
  readable: Readable,
  { found, startedAtMs }: SearchResult,
  gaps: Gaps,
  { stage, stores, now }: Context,
): Promise<Counts> => {
  const { documents, tableNames } = stage;
  const eraser = createCartEraser(documents, stores.erasures, now);
  const eraseMode = (mode: Mode) => eraser.erase(readable.carts.filter(({ cart }) => cart.mode === mode));
  const carts = { live: await eraseMode('live'), test: await eraseMode('test') };
  const events = await withLateEvents(readable, startedAtMs, stores.events, gaps);
  const deliveries = await deliveriesOf(events, found, stores);
  return {
    carts,
    deliveries: await eraseResponses(documents, tableNames.deliveries, deliveries, now()),
    events: await eraseEvents(documents, tableNames.events, events),
  };
};
