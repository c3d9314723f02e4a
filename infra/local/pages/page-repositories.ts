import { createCartRepositories } from '../../../lib/carts/cart-repository.ts';
import type { Cart } from '../../../lib/carts/cart.ts';
import type { Documents } from '../../../lib/core/documents.ts';
import { scanPages } from '../../../lib/core/dynamodb-pages.ts';
import { memo } from '../../../lib/core/memo.ts';
import { UnreadableItemError } from '../../../lib/core/schema-version.ts';
import { createEventRepository } from '../../../lib/events/event-repository.ts';
import { createDeliveryRepository } from '../../../lib/deliveries/delivery-repository.ts';
import { createEndpointRepository } from '../../../lib/endpoints/endpoint-repository.ts';
import { createSecretRepository } from '../../../lib/endpoints/secret-repository.ts';
import type { StageTables } from '../database/local-database.ts';
import type { CheckLog } from '../demo/endpoint-check.ts';
import type { Path } from '../demo/path.ts';
import type { RequestLog } from '../gateway/request-log.ts';

export const RECENT_CARTS_MAX = 10;

/** 10 MB, about 10,000 carts. On a larger table, the list may lack carts of earlier processes. */
const PAGES_MAX = 10;

/** The ids of the newest carts of a table. */
const newestIds = async (documents: Documents, TableName: string): Promise<readonly string[]> => {
  const carts: Pick<Cart, 'id' | 'createdAtMs'>[] = [];
  let pages = 0;
  const scan = {
    TableName,
    ProjectionExpression: 'id, createdAtMs',
    // The table has other items, such as the claims of payments.
    FilterExpression: 'attribute_exists(productId)',
  };
  for await (const page of scanPages(documents, scan)) {
    carts.push(...((page.Items ?? []) as typeof carts));
    pages += 1;
    if (pages === PAGES_MAX) break;
  }
  return carts
    .toSorted((a, b) => b.createdAtMs - a.createdAtMs)
    .slice(0, RECENT_CARTS_MAX)
    .map(({ id }) => id);
};

/** Passes over a cart that another version stored. */
const unlessUnreadable = (error: unknown): undefined => {
  if (!(error instanceof UnreadableItemError)) throw error;
};

/** What the process of the stage knows itself. */
export interface StageMemory {
  readonly requests: RequestLog;
  readonly path: Pick<Path, 'progress'>;
  readonly checks: Pick<CheckLog, 'of'>;
}

/** The stores that the pages read. Every method throws when DynamoDB is slow, throttles or is down. */
export const createPageRepositories = ({ documents, tableNames, now }: StageTables, memory: StageMemory) => {
  const tables = [tableNames.carts, tableNames.testCarts] as const;
  const [cartsTable, testCartsTable] = tables;
  const { live, test } = createCartRepositories(documents, { cartsTable, testCartsTable }, now);
  const findCart = async (cartId: string): Promise<Cart | undefined> =>
    (await test.find(cartId)) ?? live.find(cartId);
  // The carts of earlier processes. The log of requests has the newer ones.
  const earlierIds = memo(async () =>
    (await Promise.all(tables.map((table) => newestIds(documents, table)))).flat(),
  );
  return {
    endpoints: createEndpointRepository(documents, tableNames.webhookEndpoints),
    deliveries: createDeliveryRepository(documents, tableNames.deliveries, now),
    secrets: createSecretRepository(documents, tableNames.secrets),
    events: createEventRepository(documents, tableNames.events),
    ...memory,
    now,

    /** Finds a cart of either mode. */
    findCart,

    /** Lists the newest carts as they are stored now, the newest first. */
    recentCarts: async (): Promise<readonly Cart[]> => {
      const ids = new Set([...memory.requests.cartIds(), ...(await earlierIds())]);
      const found = await Promise.all([...ids].map((id) => findCart(id).catch(unlessUnreadable)));
      return found
        .filter((cart) => cart !== undefined)
        .toSorted((a, b) => b.createdAtMs - a.createdAtMs)
        .slice(0, RECENT_CARTS_MAX);
    },
  };
};

export type PageRepositories = ReturnType<typeof createPageRepositories>;
