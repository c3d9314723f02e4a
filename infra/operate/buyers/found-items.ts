import { readEventBody } from '../../../lib/carts/cart-event-body.ts';
import { createCartStore } from '../../../lib/carts/cart-store.ts';
import type { FoundCart } from '../../../lib/carts/find-carts.ts';
import type { Clock } from '../../../lib/core/clock.ts';
import { UnreadableItemError } from '../../../lib/core/unreadable-item.ts';
import { createEventStore } from '../../../lib/events/event-store.ts';
import { type LoggedEvent, parseLogKey } from '../../../lib/events/store-event.ts';
import { createDeliveryStore } from '../../../lib/webhooks/delivery-store.ts';
import { type DeliveryRecord, parseDeliveryId } from '../../../lib/webhooks/delivery.ts';
import { ifAny } from '../output.ts';
import type { Stage } from '../stage.ts';
import type { Found } from './search-state.ts';

/** A time before every deletion time: DynamoDB still has the personal data of items past theirs. */
const BEFORE_DELETION: Clock = () => 0;

/** The items that this release cannot read, such as `cart 45075ab2-…`: there may be more of the buyer's data. */
export class Gaps {
  readonly #names = new Set<string>();

  add(name: string): void {
    this.#names.add(name);
  }

  /** Runs a read. If this release cannot read an item, it adds the name, and returns `undefined`. */
  async readOrName<Read>(name: string, read: () => Promise<Read>): Promise<Read | undefined> {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof UnreadableItemError)) throw error;
      this.add(name);
      return undefined;
    }
  }

  /** Reads each of some items that still exists. */
  async readEach<Key, Item>(
    keys: readonly Key[],
    nameOf: (key: Key) => string,
    read: (key: Key) => Promise<Item | undefined>,
  ): Promise<readonly Item[]> {
    const items: Item[] = [];
    for (const key of keys) {
      const item = await this.readOrName(nameOf(key), () => read(key));
      if (item) items.push(item);
    }
    return items;
  }

  /** The names, for the JSON. */
  get names(): readonly string[] | undefined {
    return ifAny([...this.#names]);
  }

  /**
   * The sentences about gaps. `undefined` without a gap.
   *
   * @param what the incomplete result, such as `export`
   */
  describe(what: string): string | undefined {
    if (this.#names.size === 0) return undefined;
    return `The ${what} is incomplete. This release cannot read ${[...this.#names].join(', ')}.`;
  }
}

/** Reads found items, as they are now. Those that DynamoDB has deleted are missing. */
export const foundItemsOf = (
  found: Found,
  { documents, tableNames }: Pick<Stage, 'documents' | 'tableNames'>,
) => {
  const gaps = new Gaps();

  return {
    gaps,
    readCarts: (): Promise<readonly FoundCart[]> =>
      gaps.readEach(
        found.carts,
        ({ id }) => `cart ${id}`,
        async ({ table, id }) => {
          const tableName = tableNames[table];
          const cart = await createCartStore(documents, tableName, BEFORE_DELETION).find(id);
          return cart && { tableName, cart };
        },
      ),
    /** Reads the events. Their bodies are valid. */
    readEvents: (): Promise<readonly LoggedEvent[]> =>
      gaps.readEach(
        found.events,
        ({ id }) => `event ${id}`,
        async ({ log, sequence }) => {
          const store = createEventStore(documents, tableNames.events);
          const event = await store.find(parseLogKey(log), sequence, BEFORE_DELETION());
          if (event) readEventBody(event.body);
          return event;
        },
      ),
    readDeliveries: (): Promise<readonly DeliveryRecord[]> => {
      const deliveries = createDeliveryStore(documents, tableNames.deliveries, BEFORE_DELETION);
      return gaps.readEach(
        found.deliveries,
        ({ endpointId, id }) => `delivery ${id} to ${endpointId}`,
        ({ endpointId, id }) => deliveries.find({ endpoint: { endpointId }, ...parseDeliveryId(id) }),
      );
    },
  };
};
