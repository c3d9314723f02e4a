import { createCartRepositories } from '../../../lib/carts/cart-repository.ts';
import type { Cart } from '../../../lib/carts/cart.ts';
import { IS_CART } from '../../../lib/carts/item-ids.ts';
import { memo } from '../../../lib/core/memo.ts';
import type { DocumentClient } from '../../../lib/database/documents.ts';
import { scanPages } from '../../../lib/database/paginate.ts';
import { UnreadableItemError } from '../../../lib/database/readable-item.ts';
import { createSecretRepository } from '../../../lib/endpoints/secret-repository.ts';
import { eventsAmong } from '../../../lib/events/event-item.ts';
import { createEventRepository, type EventRepository } from '../../../lib/events/event-repository.ts';
import type { LoggedEvent } from '../../../lib/events/logged-event.ts';
import { createOperatorDeliveryRepository } from '../../../lib/operators/operator-delivery-repository.ts';
import { createOperatorEndpointRepository } from '../../../lib/operators/operator-endpoint-repository.ts';
import type { StoreMode } from '../../../lib/stores/mode.ts';
import type { IntegrationChecklist } from '../checklist/checklist.ts';
import type { Checks } from '../checklist/endpoint-check.ts';
import type { StageTables } from '../database/local-tables.ts';
import type { RequestLog } from '../requests/request-log.ts';

/** 10 MB, about 10,000 carts. On a larger table, the list may lack carts of earlier processes. */
const PAGES_MAX = 10;

type DatedId = Pick<Cart, 'id' | 'createdAtMs'>;

/** The ids of the carts of a table. */
const idsOf = async (documents: DocumentClient, TableName: string): Promise<readonly DatedId[]> => {
  const carts: DatedId[] = [];
  let pages = 0;
  const scan = {
    TableName,
    ProjectionExpression: 'id, createdAtMs',
    FilterExpression: IS_CART,
  };
  for await (const page of scanPages(documents, scan)) {
    carts.push(...((page.Items ?? []) as DatedId[]));
    pages += 1;
    if (pages === PAGES_MAX) break;
  }
  return carts;
};

/** Passes over a cart that another version stored. */
const unlessUnreadable = (error: unknown): undefined => {
  if (!(error instanceof UnreadableItemError)) throw error;
};

const latestEvents = async (
  events: EventRepository,
  log: StoreMode,
  entriesMax: number,
): Promise<readonly LoggedEvent[]> => {
  const last = await events.last(log);
  if (!last) return [];
  const found: LoggedEvent[] = [];
  // A page has at most 1 MB. It begins with the oldest events.
  for (let after = Math.max(0, last.sequence - entriesMax); after < last.sequence;) {
    const { entries } = await events.after(log, after, entriesMax);
    found.push(...eventsAmong(entries));
    after = entries.at(-1)?.sequence ?? last.sequence;
  }
  return found;
};

/** The parts of a stage that its process keeps in memory. */
export interface StageMemory {
  readonly requests: RequestLog;
  readonly checklist: Pick<IntegrationChecklist, 'progress'>;
  readonly checks: Pick<Checks, 'get'>;
}

/**
 * The sources of the pages: the database, and the memory of the process. A read of the database throws when DynamoDB is slow,
 * throttles or is down.
 */
export const createPageSources = ({ documents, tableNames, now }: StageTables, memory: StageMemory) => {
  const tables = [tableNames.carts, tableNames.testCarts] as const;
  const [cartsTable, testCartsTable] = tables;
  const { live, test } = createCartRepositories(documents, { cartsTable, testCartsTable }, now);
  const findCart = async (cartId: string): Promise<Cart | undefined> =>
    (await test.find(cartId)) ?? live.find(cartId);
  // The carts of earlier processes. The log of requests has the newer ones.
  const earlierIds = memo(async () => {
    const ids = (await Promise.all(tables.map((table) => idsOf(documents, table)))).flat();
    return ids.toSorted((a, b) => b.createdAtMs - a.createdAtMs).map(({ id }) => id);
  });
  const cartIds = async (): Promise<readonly string[]> => [
    ...new Set([...memory.requests.cartIds(), ...(await earlierIds())]),
  ];
  const readCarts = async (ids: readonly string[]): Promise<readonly Cart[]> => {
    const found = await Promise.all(ids.map((id) => findCart(id).catch(unlessUnreadable)));
    return found.filter((cart) => cart !== undefined);
  };
  const events = createEventRepository(documents, tableNames.events);
  return {
    endpoints: createOperatorEndpointRepository(documents, tableNames.webhookEndpoints),
    deliveries: createOperatorDeliveryRepository(documents, tableNames.deliveries, now),
    secrets: createSecretRepository(documents, tableNames.secrets),
    events,
    ...memory,
    now,

    /** Reads the latest events of a log, the oldest first, from at most so many entries of the log. */
    latestEvents: (log: StoreMode, entriesMax: number) => latestEvents(events, log, entriesMax),

    /** Finds a cart of either mode. */
    findCart,

    /** The ids of all carts, those of the newest first. Some may be deleted. */
    cartIds,

    /** Reads carts as they are stored now, in the order of the ids. It leaves out what is deleted. */
    readCarts,

    /** Reads the newest carts. If many of them are deleted, there may be more. */
    newestCarts: async (cartsMax: number): Promise<readonly Cart[]> => {
      const ids = (await cartIds()).slice(0, 4 * cartsMax);
      const carts: Cart[] = [];
      for (let read = 0; read < ids.length && carts.length < cartsMax; read += cartsMax)
        carts.push(...(await readCarts(ids.slice(read, read + cartsMax))));
      return carts.slice(0, cartsMax);
    },
  };
};

export type PageSources = ReturnType<typeof createPageSources>;
