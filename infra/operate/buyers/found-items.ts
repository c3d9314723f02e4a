import { parseEventBody, requireEventBody } from '../../../lib/carts/cart-event.ts';
import { createCartRepository } from '../../../lib/carts/cart-repository.ts';
import { isErased } from '../../../lib/carts/cart.ts';
import type { FoundCart } from '../../../lib/carts/find-carts.ts';
import type { Clock } from '../../../lib/core/clock.ts';
import { UnreadableItemError } from '../../../lib/database/schema-version.ts';
import { deliveryId, parseDeliveryId } from '../../../lib/deliveries/records/delivery.ts';
import { createCartEraser } from '../../../lib/erasures/cart-eraser.ts';
import { countWithText, type DeliveryKey, eraseResponses } from '../../../lib/erasures/delivery-eraser.ts';
import { eraseEvents } from '../../../lib/erasures/event-eraser.ts';
import { type LogId, type LoggedEvent, logKey, parseLogKey } from '../../../lib/events/logged-event.ts';
import type { Mode } from '../../../lib/stores/mode.ts';
import type { Context } from '../frame/context.ts';
import { entriesSince } from '../shared/log-events.ts';
import type { ScanPosition } from '../shared/scan.ts';
import { type Repositories, repositoriesOf } from '../target/repositories.ts';
import type { Stage } from '../target/stage.ts';

/** The state of a search, as JSON, with the keys of the items that it has found. They hold no personal data. */
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
type Gaps = Set<string>;

/** Reads items, as they are now. Those that DynamoDB has deleted, or that are gaps, are missing. */
const readEach = async <Key, Item>(
  keys: Iterable<Key>,
  gaps: Gaps,
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
      gaps.add(nameOf(key));
    }
  }
  return items;
};

export type Tables = Pick<Stage, 'documents' | 'tableNames'>;

/** Reads found carts as they are now. */
export const readCarts = (keys: SearchState['carts'], { documents, tableNames }: Tables, gaps: Gaps) =>
  readEach(
    keys,
    gaps,
    ({ id }) => `cart ${id}`,
    async ({ table, id }): Promise<FoundCart | undefined> => {
      const tableName = tableNames[table];
      const cart = await createCartRepository(documents, tableName, BEFORE_DELETION).find(id);
      return cart && { tableName, cart };
    },
  );

/** Reads found items as they are now. The bodies of the events are valid. */
export const readFound = async (found: SearchState, stage: Tables) => {
  const { events, deliveries } = repositoriesOf(stage, BEFORE_DELETION);
  const gaps: Gaps = new Set();
  return {
    found,
    gaps,
    carts: await readCarts(found.carts, stage, gaps),
    events: await readEach(
      found.events,
      gaps,
      ({ id }) => `event ${id}`,
      async ({ log, sequence }) => {
        const event = await events.find(parseLogKey(log), sequence, BEFORE_DELETION());
        if (event) requireEventBody(event.body);
        return event;
      },
    ),
    deliveries: await readEach(
      found.deliveries,
      gaps,
      ({ endpointId, id }) => `delivery ${id} to ${endpointId}`,
      ({ endpointId, id }) => deliveries.find({ endpoint: { endpointId }, ...parseDeliveryId(id) }),
    ),
  };
};

export type FoundItems = Awaited<ReturnType<typeof readFound>>;

/** The items that an erasure will change, or has changed. */
export interface Counts {
  readonly carts: Readonly<Record<Mode, number>>;
  readonly events: number;
  readonly deliveries: number;
}

/** Counts the found items that an erasure will change. */
export const countFound = async (
  { found, carts, events }: FoundItems,
  { documents, tableNames }: Tables,
): Promise<Counts> => {
  const unerased = (mode: Mode) => carts.filter(({ cart }) => cart.mode === mode && !isErased(cart)).length;
  return {
    carts: { live: unerased('live'), test: unerased('test') },
    events: events.length,
    deliveries: await countWithText(documents, tableNames.deliveries, found.deliveries),
  };
};

/** An eventually consistent scan, and the clock of a writer, may be behind by this. */
const LATE_MS = 60_000;

/**
 * The found events, and those of the found carts that were recorded since the search began. Once the carts are erased, no
 * further event has the buyer's data. Events with an invalid body are gaps.
 */
const withLateEvents = async (
  { carts, events: found, found: { startedAtMs }, gaps }: FoundItems,
  repository: Repositories['events'],
): Promise<readonly LoggedEvent[]> => {
  const cartIds = new Set(carts.map(({ cart }) => cart.id));
  const events = new Map<string, LoggedEvent>(found.map((event) => [event.id, event]));
  const logs = new Map(carts.map(({ cart }) => [logKey(cart), cart])).values();
  const nameOf = ({ storeId, mode }: LogId) => `new events of the store ${storeId} in ${mode} mode`;
  await readEach(logs, gaps, nameOf, async (log) => {
    for await (const { id, cartId, event } of entriesSince(repository, log, startedAtMs - LATE_MS)) {
      if (cartId === undefined || !cartIds.has(cartId)) continue;
      if (event && parseEventBody(event.body)) events.set(id, event);
      else gaps.add(`event ${id}`);
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
): Promise<Counts> => {
  const eraser = createCartEraser(documents, repositories.erasures, now);
  const eraseMode = (mode: Mode) => eraser.erase(items.carts.filter(({ cart }) => cart.mode === mode));
  const carts = { live: await eraseMode('live'), test: await eraseMode('test') };
  const events = await withLateEvents(items, repositories.events);
  const deliveries = await deliveriesOf(events, items.found.deliveries, repositories);
  return {
    carts,
    deliveries: await eraseResponses(documents, tableNames.deliveries, deliveries, now()),
    events: await eraseEvents(documents, tableNames.events, events),
  };
};
