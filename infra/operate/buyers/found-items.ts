import { createCartStore } from '../../../lib/carts/cart-store.ts';
import type { Clock } from '../../../lib/core/clock.ts';
import type { FoundCart } from '../../../lib/carts/find-carts.ts';
import { readEventBody } from '../../../lib/carts/cart-event-body.ts';
import { type LoggedEvent, parseLogKey } from '../../../lib/events/store-event.ts';
import { type DeliveryRecord, parseDeliveryId } from '../../../lib/webhooks/delivery.ts';
import { createDeliveryStore } from '../../../lib/webhooks/delivery-store.ts';
import type { Stage } from '../stage.ts';
import type { Stores } from '../stores.ts';
import { type Gaps, readOrName } from './gaps.ts';
import type { Found } from './search-state.ts';

/** A time before every deletion time: DynamoDB still has the personal data of items past theirs. */
const BEFORE_DELETION: Clock = () => 0;

/** Reads found items, as they are now. Those that DynamoDB has deleted are missing. */
const readEach = async <Key, Item>(
  keys: readonly Key[],
  gaps: Gaps,
  nameOf: (key: Key) => string,
  read: (key: Key) => Promise<Item | undefined>,
): Promise<readonly Item[]> => {
  const items: Item[] = [];
  for (const key of keys) {
    const item = await readOrName(nameOf(key), gaps, () => read(key));
    if (item) items.push(item);
  }
  return items;
};

/** Reads the carts of a search. */
export const readFoundCarts = (
  { carts }: Found,
  { documents, tableNames }: Stage,
  gaps: Gaps,
): Promise<readonly FoundCart[]> =>
  readEach(
    carts,
    gaps,
    ({ id }) => `cart ${id}`,
    async ({ table, id }) => {
      const tableName = tableNames[table];
      const cart = await createCartStore(documents, tableName, BEFORE_DELETION).find(id);
      return cart && { tableName, cart };
    },
  );

/** Reads the events of a search. Their bodies are valid. */
export const readFoundEvents = (
  { events: found }: Found,
  { events }: Stores,
  gaps: Gaps,
): Promise<readonly LoggedEvent[]> =>
  readEach(
    found,
    gaps,
    ({ id }) => `event ${id}`,
    async ({ log, sequence }) => {
      const event = await events.find(parseLogKey(log), sequence, BEFORE_DELETION());
      if (event) readEventBody(event.body);
      return event;
    },
  );

/** Reads the deliveries of a search. */
export const readFoundDeliveries = (
  { deliveries: found }: Found,
  { documents, tableNames }: Stage,
  gaps: Gaps,
): Promise<readonly DeliveryRecord[]> => {
  const deliveries = createDeliveryStore(documents, tableNames.deliveries, BEFORE_DELETION);
  return readEach(
    found,
    gaps,
    ({ endpointId, id }) => `delivery ${id} to ${endpointId}`,
    ({ endpointId, id }) => deliveries.find({ endpoint: { endpointId }, ...parseDeliveryId(id) }),
  );
};
