import { parseCartEvent } from '../../../lib/carts/cart-event.ts';
import { deliveryId } from '../../../lib/deliveries/records/delivery.ts';
import { type LoggedEvent, logKey } from '../../../lib/events/logged-event.ts';
import { eraseEvents } from '../../../lib/operators/erasures/erase-events.ts';
import { type DeliveryKey, eraseResponses } from '../../../lib/operators/erasures/erase-responses.ts';
import { recordAndEraseCarts } from '../../../lib/operators/erasures/record-and-erase-carts.ts';
import type { Mode, StoreMode } from '../../../lib/stores/mode.ts';
import type { Context } from '../frame/context.ts';
import { entriesSince } from '../shared/log-events.ts';
import type { Repositories } from '../target/repositories.ts';
import { type FoundItems, type ItemCounts, readEach } from './found-items.ts';

/** An eventually consistent scan, and the clock of a writer, may be behind by this. */
const LATE_MS = 60_000;

/**
 * The found events, and those of the found carts that were recorded since the search began. Once the carts are erased, no
 * further event has the buyer's data. Events with an invalid body count as unreadable.
 */
const withLateEvents = async (
  { carts, events: found, found: { startedAtMs }, unreadable }: FoundItems,
  repository: Repositories['events'],
): Promise<readonly LoggedEvent[]> => {
  const cartIds = new Set(carts.map(({ cart }) => cart.id));
  const events = new Map<string, LoggedEvent>(found.map((event) => [event.id, event]));
  const logs = new Map(carts.map(({ cart }) => [logKey(cart), cart])).values();
  const nameOf = ({ storeId, mode }: StoreMode) => `new events of the store ${storeId} in ${mode} mode`;
  await readEach(logs, unreadable, nameOf, async (log) => {
    for await (const { id, cartId, event } of entriesSince(repository, log, startedAtMs - LATE_MS)) {
      if (cartId === undefined || !cartIds.has(cartId)) continue;
      if (event && parseCartEvent(event.body)) events.set(id, event);
      else unreadable.add(`event ${id}`);
    }
  });
  return [...events.values()];
};

/** The found deliveries, and those of the events that were made since to the endpoints of their logs. */
const deliveriesOf = async (
  events: readonly LoggedEvent[],
  found: readonly DeliveryKey[],
  { endpoints }: Repositories,
): Promise<readonly DeliveryKey[]> => {
  const keys = [...found];
  for (const event of events) {
    const id = deliveryId({ eventId: event.id, recordedAtMs: event.recordedAtMs });
    keys.push(...(await endpoints.idsOf(event)).map((endpointId) => ({ endpointId, id })));
  }
  return [...new Map(keys.map((key) => [`${key.endpointId} ${key.id}`, key])).values()];
};

/** Erases the found items. Events come last: with them, a repetition without the search's file can find the rest. */
export const eraseFound = async (
  items: FoundItems,
  { stage: { documents, tableNames }, repositories, now }: Context,
): Promise<ItemCounts> => {
  const eraseMode = (mode: Mode) => {
    const found = items.carts.filter(({ cart }) => cart.mode === mode);
    return recordAndEraseCarts(documents, repositories.erasures, found, now);
  };
  const carts = { live: await eraseMode('live'), test: await eraseMode('test') };
  const events = await withLateEvents(items, repositories.events);
  const deliveries = await deliveriesOf(events, items.found.deliveries, repositories);
  return {
    carts,
    deliveries: await eraseResponses(documents, tableNames.deliveries, deliveries, now()),
    events: await eraseEvents(documents, tableNames.events, events),
  };
};
