import { createCartStore } from '../../../lib/carts/cart-store.ts';
import type { Clock } from '../../../lib/core/clock.ts';
import type { FoundCart } from '../../../lib/carts/find-carts.ts';
import { readEventBody } from '../../../lib/events/event-body.ts';
import { createEventStore } from '../../../lib/events/event-store.ts';
import { type LoggedEvent, parseLogKey } from '../../../lib/events/store-event.ts';
import { parseDeliveryId, type DeliveryRecord } from '../../../lib/webhooks/delivery.ts';
import { createDeliveryStore } from '../../../lib/webhooks/delivery-store.ts';
import { UnreadableItemError } from '../../../lib/core/unreadable-item.ts';
import type { Stage } from '../stage.ts';
import type { Found } from './search-state.ts';

/** A time before every deletion time: DynamoDB still has the personal data of items past theirs. */
const BEFORE_DELETION: Clock = () => 0;

/** Found items, as they are now. Those that DynamoDB has deleted are missing. */
export interface FoundItems<Item> {
  readonly items: readonly Item[];
  /** Those that this release cannot read, such as `cart 45075ab2-c0c2-4a6d-89b4-3b442bbef853`. */
  readonly unreadable: readonly string[];
}

/** Runs a read. If this release cannot read an item, it adds the name to `unreadable`, and returns `undefined`. */
export const readOrName = async <Result>(
  name: string,
  unreadable: string[],
  read: () => Promise<Result>,
): Promise<Result | undefined> => {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof UnreadableItemError)) throw error;
    unreadable.push(name);
    return undefined;
  }
};

const readEach = async <Key, Item>(
  keys: readonly Key[],
  nameOf: (key: Key) => string,
  read: (key: Key) => Promise<Item | undefined>,
): Promise<FoundItems<Item>> => {
  const items: Item[] = [];
  const unreadable: string[] = [];
  for (const key of keys) {
    const item = await readOrName(nameOf(key), unreadable, () => read(key));
    if (item) items.push(item);
  }
  return { items, unreadable };
};

/** Reads the carts of a search. */
export const readFoundCarts = (
  { documents, tableNames }: Stage,
  { carts }: Pick<Found, 'carts'>,
): Promise<FoundItems<FoundCart>> =>
  readEach(
    carts,
    ({ id }) => `cart ${id}`,
    async ({ table, id }) => {
      const tableName = tableNames[table];
      const cart = await createCartStore(documents, tableName, BEFORE_DELETION).find(id);
      return cart && { tableName, cart };
    },
  );

/** Reads the events of a search. Their bodies are valid. */
export const readFoundEvents = (
  { documents, tableNames }: Stage,
  { events }: Pick<Found, 'events'>,
): Promise<FoundItems<LoggedEvent>> => {
  const store = createEventStore(documents, tableNames.events);
  return readEach(
    events,
    ({ id }) => `event ${id}`,
    async ({ log, sequence }) => {
      const event = await store.find(parseLogKey(log), sequence, BEFORE_DELETION());
      if (event) readEventBody(event.body);
      return event;
    },
  );
};

/** Reads the deliveries of a search. */
export const readFoundDeliveries = (
  { documents, tableNames }: Stage,
  { deliveries }: Pick<Found, 'deliveries'>,
): Promise<FoundItems<DeliveryRecord>> => {
  const store = createDeliveryStore(documents, tableNames.deliveries, BEFORE_DELETION);
  return readEach(
    deliveries,
    ({ endpointId, id }) => `delivery ${id} to ${endpointId}`,
    ({ endpointId, id }) => store.find({ endpoint: { endpointId }, ...parseDeliveryId(id) }),
  );
};
