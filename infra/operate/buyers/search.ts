import type { ScanCommandInput } from '@aws-sdk/lib-dynamodb';
import type { DeliveryKey } from '../../../lib/buyers/delivery-eraser.ts';
import { possibleEventIds } from '../../../lib/events/cart-event-ids.ts';
import { parseEventBody } from '../../../lib/events/event-body.ts';
import { logKey } from '../../../lib/events/store-event.ts';
import type { DeliveryRecord } from '../../../lib/webhooks/delivery.ts';
import type { Host } from '../options.ts';
import { isoTime } from '../output.ts';
import { showProgress } from '../progress.ts';
import { pausesOf } from '../queues.ts';
import { READ_UNITS_PER_SECOND, sayScanCost } from '../scan-cost.ts';
import { SCAN_SEGMENTS } from '../scan-tables.ts';
import { scanInSegments } from '../segmented-scan.ts';
import type { Stage } from '../stage.ts';
import type { Buyer } from './email.ts';
import { readFoundCarts } from './found-items.ts';
import {
  type Found,
  SEARCHED_TABLES,
  type SearchedTable,
  type SearchFile,
  type SearchState,
} from './search-state.ts';

export interface Search {
  readonly buyer: Buyer;
  /** By default, all stores. */
  readonly store?: string | undefined;
}

type Item = Readonly<Record<string, unknown>>;

/** The part of each table that a search reads. DynamoDB charges for whole items. */
const READS: Readonly<Record<SearchedTable, (store: string | undefined) => Partial<ScanCommandInput>>> = {
  carts: (store) => readCarts(store),
  testCarts: (store) => readCarts(store),
  events: (store) =>
    store === undefined
      ? {}
      : {
          FilterExpression: '#log IN (:live, :test)',
          ExpressionAttributeNames: { '#log': 'log' },
          ExpressionAttributeValues: {
            ':live': logKey({ storeId: store, mode: 'live' }),
            ':test': logKey({ storeId: store, mode: 'test' }),
          },
        },
  deliveries: () => ({ ProjectionExpression: 'endpointId, id, eventId, attempts' }),
};

const readCarts = (store: string | undefined): Partial<ScanCommandInput> => ({
  ProjectionExpression: 'id, customerInfo.email',
  // Neither an erased cart nor the claim of a payment has an address.
  FilterExpression: `attribute_exists(customerInfo.email)${store === undefined ? '' : ' AND storeId = :store'}`,
  ...(store !== undefined && { ExpressionAttributeValues: { ':store': store } }),
});

const emailOf = (container: unknown): unknown =>
  (container as { customerInfo?: { email?: unknown } } | undefined)?.customerInfo?.email;

/** Whether an event is about a cart of the buyer. An invalid body that names the address counts: it may be the buyer's. */
const isEventOf = (buyer: Buyer, { body }: Item): boolean => {
  if (typeof body !== 'string' || !buyer.isIn(body)) return false;
  const event = parseEventBody(body);
  return event === undefined || buyer.has(event.data.customerInfo.email);
};

/** Adds keys that are not there yet: after an interruption, a page may come again. */
const withNew = <Key extends object>(keys: readonly Key[], added: readonly Key[]): readonly Key[] => {
  const known = new Set(keys.map((key) => JSON.stringify(key)));
  return [...keys, ...added.filter((key) => !known.has(JSON.stringify(key)))];
};

/** The keys of the buyer's items in a page of a table. */
const matchesIn = (
  table: SearchedTable,
  items: readonly Item[],
  buyer: Buyer,
  eventIds: ReadonlySet<unknown>,
): Partial<Found> => {
  if (table === 'events') {
    const events = items.filter((item) => isEventOf(buyer, item)) as unknown as Found['events'];
    return { events: events.map(({ log, sequence, id }) => ({ log, sequence, id })) };
  }
  if (table === 'deliveries') {
    const deliveries = items.filter(({ eventId }) => eventIds.has(eventId)) as unknown as (DeliveryKey &
      Partial<DeliveryRecord>)[];
    return {
      deliveries: deliveries.map(({ endpointId, id, attempts = [] }) => {
        return { endpointId, id, hasText: attempts.some(({ response }) => response !== undefined) };
      }),
    };
  }
  const carts = items.filter((item) => buyer.has(emailOf(item)));
  return { carts: carts.map(({ id }) => ({ table, id: String(id) })) };
};

/** The ids of the events of found carts, and of found events, whose cart may be erased already, or unreadable. */
const eventIdsOf = async (stage: Stage, found: Found): Promise<ReadonlySet<string>> => {
  const { items: carts } = await readFoundCarts(stage, found);
  return new Set([
    ...carts.flatMap(({ cart }) => possibleEventIds(cart)),
    ...found.events.map(({ id }) => id),
  ]);
};

/** Reads the rest of a table. */
const searchTable = async (
  host: Host,
  stage: Stage,
  table: SearchedTable,
  { buyer, store }: Search,
  begun: SearchState,
  { save, report }: { readonly save: (state: SearchState) => void; readonly report: (items: number) => void },
): Promise<SearchState> => {
  const { documents, tableNames } = stage;
  let state = begun;
  const eventIds = table === 'deliveries' ? await eventIdsOf(stage, begun.found) : new Set();
  if (table === 'deliveries' && eventIds.size === 0) return begun;
  await scanInSegments(
    documents,
    {
      scan: { TableName: tableNames[table], ...READS[table](store) },
      segments: SCAN_SEGMENTS,
      unitsPerSecond: READ_UNITS_PER_SECOND,
      from: begun.positions[table],
    },
    {
      handle: async (items) => {
        const { carts = [], events = [], deliveries = [] } = matchesIn(table, items, buyer, eventIds);
        const { found } = state;
        state = {
          ...state,
          found: {
            carts: withNew(found.carts, carts),
            events: withNew(found.events, events),
            deliveries: withNew(found.deliveries, deliveries),
          },
        };
      },
      save: (position) => {
        state = { ...state, positions: { ...state.positions, [table]: position } };
        save(state);
      },
      report,
    },
    pausesOf(host),
  );
  return state;
};

/**
 * Searches a stage for a buyer: reads the tables of carts, events and deliveries, at a limited rate. An interrupted search
 * continues. It reads carts first: if it misses an event of a found cart, the event was recorded after its start.
 *
 * @throws any error of DynamoDB. The file then has the state
 */
export const searchBuyer = async (
  host: Host,
  stage: Stage,
  search: Search,
  file: SearchFile,
): Promise<SearchState> => {
  const names = SEARCHED_TABLES.map((table) => stage.tableNames[table]);
  let state = file.read(host.now());
  if (state)
    host.stderr.write(
      `Continues the search of ${isoTime(state.startedAtMs)}. It finds no carts created since.\n`,
    );
  else state = { startedAtMs: host.now(), positions: {}, found: { carts: [], events: [], deliveries: [] } };
  const total = await sayScanCost(host, stage, names, 'at most ');
  const progress = showProgress(host);
  progress.begin('Searching');
  try {
    let earlier = 0;
    for (const table of SEARCHED_TABLES) {
      let items = 0;
      const report = (scanned: number): void => {
        items = scanned;
        progress.update(earlier + items, Math.max(total, earlier + items, 1));
      };
      const save = (next: SearchState): void => file.write(next);
      state = await searchTable(host, stage, table, search, state, { save, report });
      earlier += items;
    }
  } finally {
    progress.end();
  }
  return state;
};
