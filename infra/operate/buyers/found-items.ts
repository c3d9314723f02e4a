import { requireCartEvent } from '../../../lib/carts/cart-event.ts';
import { createCartRepository } from '../../../lib/carts/cart-repository.ts';
import { isErased } from '../../../lib/carts/cart.ts';
import type { Clock } from '../../../lib/core/clock.ts';
import { UnreadableItemError } from '../../../lib/database/readable-item.ts';
import { parseDeliveryId } from '../../../lib/deliveries/records/delivery.ts';
import type { CartInTable } from '../../../lib/erasures/erase-carts.ts';
import { parseLogKey } from '../../../lib/events/logged-event.ts';
import {
  countDeliveriesWithText,
  type DeliveryKey,
} from '../../../lib/operators/erasures/erase-responses.ts';
import type { Mode } from '../../../lib/stores/mode.ts';
import type { ScanPosition } from '../shared/scan.ts';
import { repositoriesOf } from '../target/repositories.ts';
import type { Stage } from '../target/stage.ts';

/** The state of a search, as JSON. It has the keys of the items found so far, which have no personal data. */
export interface SearchState {
  readonly startedAtMs: number;
  /** Where the scan of the tables continues. */
  position?: ScanPosition;
  readonly carts: { readonly table: 'carts' | 'testCarts'; readonly id: string }[];
  readonly events: { readonly log: string; readonly sequence: number; readonly id: string }[];
  readonly deliveries: DeliveryKey[];
}

/** A time before every deletion time: DynamoDB still has the personal data of items past theirs. */
const BEFORE_DELETION: Clock = () => 0;

/** The names of items that this release cannot read, such as `cart 45075ab2-…`: there may be more of the buyer's data. */
type Unreadable = Set<string>;

/** Reads the present state of items. The result lacks items that DynamoDB has deleted or that are unreadable. */
export const readEach = async <Key, Item>(
  keys: Iterable<Key>,
  unreadable: Unreadable,
  nameOf: (key: Key) => string,
  read: (key: Key) => Promise<Item | undefined>,
): Promise<readonly Item[]> => {
  const items: Item[] = [];
  for (const key of keys) {
    try {
      const item = await read(key);
      if (item) items.push(item);
    } catch (error) {
      if (!(error instanceof UnreadableItemError)) throw error;
      unreadable.add(nameOf(key));
    }
  }
  return items;
};

export type Tables = Pick<Stage, 'documents' | 'tableNames'>;

/** Reads found carts as they are now. */
export const readCarts = (
  keys: SearchState['carts'],
  { documents, tableNames }: Tables,
  unreadable: Unreadable,
) =>
  readEach(
    keys,
    unreadable,
    ({ id }) => `cart ${id}`,
    async ({ table, id }): Promise<CartInTable | undefined> => {
      const tableName = tableNames[table];
      const cart = await createCartRepository(documents, tableName, BEFORE_DELETION).find(id);
      return cart && { tableName, cart };
    },
  );

/** Reads found items as they are now. The bodies of the events are valid. */
export const readFound = async (found: SearchState, stage: Tables) => {
  const { events, deliveries } = repositoriesOf(stage, BEFORE_DELETION);
  const unreadable: Unreadable = new Set();
  return {
    found,
    unreadable,
    carts: await readCarts(found.carts, stage, unreadable),
    events: await readEach(
      found.events,
      unreadable,
      ({ id }) => `event ${id}`,
      async ({ log, sequence }) => {
        const event = await events.find(parseLogKey(log), sequence, BEFORE_DELETION());
        if (event) requireCartEvent(event.body);
        return event;
      },
    ),
    deliveries: await readEach(
      found.deliveries,
      unreadable,
      ({ endpointId, id }) => `delivery ${id} to ${endpointId}`,
      ({ endpointId, id }) => deliveries.find({ endpoint: { endpointId }, ...parseDeliveryId(id) }),
    ),
  };
};

export type FoundItems = Awaited<ReturnType<typeof readFound>>;

/** The items that an erasure will change, or has changed. */
export interface ItemCounts {
  readonly carts: Readonly<Record<Mode, number>>;
  readonly events: number;
  readonly deliveries: number;
}

/** Counts the found items that an erasure will change. */
export const countFound = async (
  { found, carts, events }: FoundItems,
  { documents, tableNames }: Tables,
): Promise<ItemCounts> => {
  const unerased = (mode: Mode) => carts.filter(({ cart }) => cart.mode === mode && !isErased(cart)).length;
  return {
    carts: { live: unerased('live'), test: unerased('test') },
    events: events.length,
    deliveries: await countDeliveriesWithText(documents, tableNames.deliveries, found.deliveries),
  };
};
