import { hash, randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { parseCartEvent, possibleEventIds } from '../../../lib/carts/cart-event.ts';
import type { Cart } from '../../../lib/carts/cart.ts';
import { DAY_MS } from '../../../lib/core/durations.ts';
import { isoTime } from '../../../lib/core/timestamps.ts';
import { BODY_ATTRIBUTES, type EventFamily } from '../../../lib/events/event-types.ts';
import { parseLogKey } from '../../../lib/events/logged-event.ts';
import type { DeliveryKey } from '../../../lib/operators/erasures/erase-responses.ts';
import type { Context } from '../frame/context.ts';
import { isSameEmail } from '../shared/buyer-email.ts';
import { cartTablesOf } from '../shared/cart-scan.ts';
import { type ScanContext, scanTables, type TableScan } from '../shared/scan.ts';
import { readStateFile, writeStateFile } from '../shared/state-file.ts';
import { type SearchState, readCarts, type Tables } from './found-items.ts';

const hashOf = (salt: string, subject: readonly unknown[]): string =>
  hash('sha256', salt + JSON.stringify(subject), 'base64url');

/**
 * The file of a search. Only its owner can read it. It names keys, and has a salted hash of the search, so that a search for
 * another buyer does not continue it.
 *
 * @param subject the stage, the store and the buyer of the search
 */
export const openSearchFile = (file: string, subject: readonly unknown[]) => ({
  /** The state of the same search, if one was interrupted in the last 24 hours. */
  read(nowMs: number): SearchState | undefined {
    // A file that cannot be read is ignored: a new search begins.
    const stored = (readStateFile(file) ?? {}) as SearchState & { salt: string; subject: string };
    const { salt, subject: storedSubject, ...found } = stored;
    const isSame = storedSubject === hashOf(salt, subject) && Array.isArray(found.carts);
    return isSame && found.startedAtMs >= nowMs - DAY_MS ? found : undefined;
  },

  write(found: SearchState): void {
    const salt = randomBytes(16).toString('base64url');
    writeStateFile(file, { salt, subject: hashOf(salt, subject), ...found });
  },

  remove: (): void => rmSync(file, { force: true }),
});

interface Buyer {
  /** From `readEmail`. */
  readonly email: string;
  /** By default, all stores. */
  readonly store?: string | undefined;
}

/** An event as the table has it. Only events about carts have a `cartId`. */
type EventItem = SearchState['events'][number] &
  Readonly<Partial<Record<'cartId' | (typeof BODY_ATTRIBUTES)[EventFamily], unknown>>>;

/** Whether an event is about a cart of the buyer. An invalid body that names the address counts: it may be the buyer's. */
const isEventOf = (email: string, { cartId, ...item }: EventItem): boolean =>
  cartId !== undefined &&
  Object.values(BODY_ATTRIBUTES).some((name) => {
    const body = item[name];
    // Parse few of the bodies.
    if (typeof body !== 'string' || !body.toLowerCase().includes(email)) return false;
    const event = parseCartEvent(body);
    return event === undefined || isSameEmail(email, event.data.customerInfo.email);
  });

/** The scan of a table. DynamoDB charges for whole items. */
interface SearchedTable extends TableScan {
  /** Adds the key of an item that is the buyer's. */
  readonly collect: (item: never) => void;
}

/** The tables to search, in their order. */
const searchedTables = (
  { email, store }: Buyer,
  found: SearchState,
  stage: Tables,
): readonly SearchedTable[] => {
  const isOfStore = (storeId: string): boolean => store === undefined || store === storeId;
  const carts = cartTablesOf().map((table): SearchedTable => ({
    input: {
      TableName: stage.tableNames[table],
      ProjectionExpression: 'id, storeId, customerInfo.email',
      // Neither an erased cart nor the claim of a payment has an address.
      FilterExpression: 'attribute_exists(customerInfo.email)',
    },
    collect({ id, storeId, customerInfo }: Pick<Cart, 'id' | 'storeId' | 'customerInfo'>) {
      if (isOfStore(storeId) && isSameEmail(email, customerInfo.email)) found.carts.push({ table, id });
    },
  }));
  const events: SearchedTable = {
    input: { TableName: stage.tableNames.events },
    collect(event: EventItem) {
      const { log, sequence, id } = event;
      if (!isOfStore(parseLogKey(log).storeId) || !isEventOf(email, event)) return;
      found.events.push({ log, sequence, id });
    },
  };
  // The cart of a found event may be erased already, or unreadable.
  let eventIds = new Set<string>();
  const deliveries: SearchedTable = {
    input: {
      TableName: stage.tableNames.deliveries,
      ProjectionExpression: 'endpointId, id, eventId',
    },
    isNeeded: async () => {
      // The command reads the carts again, and names those that are unreadable.
      const read = await readCarts(found.carts, stage, new Set());
      eventIds = new Set([
        ...read.flatMap(({ cart }) => possibleEventIds(cart)),
        ...found.events.map(({ id }) => id),
      ]);
      return eventIds.size > 0;
    },
    collect({ endpointId, id, eventId }: DeliveryKey & { readonly eventId: string }) {
      if (eventIds.has(eventId)) found.deliveries.push({ endpointId, id });
    },
  };
  return [...carts, events, deliveries];
};

/**
 * Searches a stage for a buyer: reads the tables of carts, events and deliveries, at a limited rate. An interrupted search
 * continues. It reads carts first: if it misses an event of a found cart, the event was recorded after its start.
 *
 * @throws any error of DynamoDB. The file then has the state
 */
export const searchBuyer = async (
  buyer: Buyer,
  file: ReturnType<typeof openSearchFile>,
  context: ScanContext & Pick<Context, 'now'> & { readonly stage: Tables },
): Promise<SearchState> => {
  const { now, say, stage } = context;
  const stored = file.read(now());
  if (stored) say(`Continues the search of ${isoTime(stored.startedAtMs)}. It finds no carts created since.`);
  const found: SearchState = stored ?? { startedAtMs: now(), carts: [], events: [], deliveries: [] };
  const tables = searchedTables(buyer, found, stage);
  const options = { step: 'Searching', from: found.position };
  for await (const { table, items, next } of scanTables(context, tables, options)) {
    for (const item of items) tables[table]?.collect(item as never);
    found.position = next;
    file.write(found);
  }
  return found;
};
