import { parseEventBody, readEventBody } from '../../../lib/carts/cart-event.ts';
import { createCartEraser } from '../../../lib/carts/cart-eraser.ts';
import { createCartStore } from '../../../lib/carts/cart-store.ts';
import { eraseEvents } from '../../../lib/carts/event-eraser.ts';
import type { FoundCart } from '../../../lib/carts/find-carts.ts';
import type { Clock } from '../../../lib/core/clock.ts';
import type { Mode } from '../../../lib/core/mode.ts';
import { UnreadableItemError } from '../../../lib/core/schema-version.ts';
import { createEventStore } from '../../../lib/events/event-store.ts';
import { type LoggedEvent, logKey, parseLogKey } from '../../../lib/events/logged-event.ts';
import { type DeliveryKey, eraseResponses } from '../../../lib/webhooks/delivery-eraser.ts';
import { createDeliveryStore } from '../../../lib/webhooks/delivery-store.ts';
import { deliveryId, parseDeliveryId } from '../../../lib/webhooks/delivery.ts';
import type { Context } from '../command.ts';
import type { Stage } from '../stage.ts';
import type { Stores } from '../stores.ts';
import { eventsSince } from '../webhooks/log-events.ts';

/** The keys of the items that a search has found. They hold no personal data. */
export interface Found {
  readonly carts: { readonly table: 'carts' | 'testCarts'; readonly id: string }[];
  readonly events: { readonly log: string; readonly sequence: number; readonly id: string }[];
  /** `hasText`: the record has the text of a response. */
  readonly deliveries: (DeliveryKey & { readonly hasText: boolean })[];
}

export interface SearchResult {
  readonly startedAtMs: number;
  readonly found: Found;
}

/** A time before every deletion time: DynamoDB still has the personal data of items past theirs. */
const BEFORE_DELETION: Clock = () => 0;

/** The names of items that this release cannot read, such as `cart 45075ab2-…`: there may be more of the buyer's data. */
export type Gaps = Set<string>;

/**
 * The sentences about gaps. `undefined` without a gap.
 *
 * @param what the incomplete result, such as `export`
 */
export const describeGaps = (gaps: Gaps, what: string): string | undefined =>
  gaps.size === 0
    ? undefined
    : `The ${what} is incomplete. This release cannot read ${[...gaps].join(', ')}.`;

/** Runs a read. If this release cannot read the item, it adds the name, and returns `undefined`. */
const readOrName = async <Read>(
  gaps: Gaps,
  name: string,
  read: () => Promise<Read>,
): Promise<Read | undefined> => {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof UnreadableItemError)) throw error;
    gaps.add(name);
    return undefined;
  }
};

/** Reads items, as they are now. Those that DynamoDB has deleted, or that are gaps, are missing. */
const readEach = async <Key, Item>(
  keys: readonly Key[],
  gaps: Gaps,
  nameOf: (key: Key) => string,
  read: (key: Key) => Promise<Item | undefined>,
): Promise<readonly Item[]> => {
  const items: Item[] = [];
  for (const key of keys) {
    const item = await readOrName(gaps, nameOf(key), () => read(key));
    if (item) items.push(item);
  }
  return items;
};

type Tables = Pick<Stage, 'documents' | 'tableNames'>;

/** Reads found carts as they are now. */
export const readCarts = (keys: Found['carts'], { documents, tableNames }: Tables, gaps: Gaps) =>
  readEach(
    keys,
    gaps,
    ({ id }) => `cart ${id}`,
    async ({ table, id }): Promise<FoundCart | undefined> => {
      const tableName = tableNames[table];
      const cart = await createCartStore(documents, tableName, BEFORE_DELETION).find(id);
      return cart && { tableName, cart };
    },
  );

/** Reads found events as they are now. Their bodies are valid. */
export const readEvents = (keys: Found['events'], { documents, tableNames }: Tables, gaps: Gaps) => {
  const store = createEventStore(documents, tableNames.events);
  return readEach(
    keys,
    gaps,
    ({ id }) => `event ${id}`,
    async ({ log, sequence }) => {
      const event = await store.find(parseLogKey(log), sequence, BEFORE_DELETION());
      if (event) readEventBody(event.body);
      return event;
    },
  );
};

/** Reads found deliveries as they are now. */
export const readDeliveries = (keys: Found['deliveries'], { documents, tableNames }: Tables, gaps: Gaps) => {
  const store = createDeliveryStore(documents, tableNames.deliveries, BEFORE_DELETION);
  const nameOf = ({ endpointId, id }: DeliveryKey) => `delivery ${id} to ${endpointId}`;
  return readEach(keys, gaps, nameOf, ({ endpointId, id }) =>
    store.find({ endpoint: { endpointId }, ...parseDeliveryId(id) }),
  );
};

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
    await readOrName(gaps, `new events of the store ${log.storeId} in ${log.mode} mode`, async () => {
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
