import { memo } from '../../../lib/core/memo.ts';
import type { Documents } from '../../../lib/core/documents.ts';
import { scanPages } from '../../../lib/core/dynamodb-pages.ts';
import { UnreadableItemError } from '../../../lib/core/unreadable-item.ts';
import type { CartStores, CartTables } from '../../../lib/carts/cart-stores.ts';
import type { Cart } from '../../../lib/carts/cart.ts';
import type { RequestLog } from '../request-log.ts';

const RECENT_CARTS_MAX = 10;

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

/** Finds a cart of either mode by its id. Throws when DynamoDB is slow, throttles or is down. */
export type FindCart = (cartId: string) => Promise<Cart | undefined>;

/** Makes the function that finds a cart of either mode. */
export const findInEither =
  ({ test, live }: Readonly<Record<keyof CartStores, Pick<CartStores['test'], 'find'>>>): FindCart =>
  async (cartId) =>
    (await test.find(cartId)) ?? live.find(cartId);

/** Passes over a cart that another version stored. */
const unlessUnreadable = (error: unknown): undefined => {
  if (!(error instanceof UnreadableItemError)) throw error;
};

/**
 * Makes the function that lists the newest carts of the stage as they are stored now, the newest first. The
 * first call reads the tables, for the carts of earlier processes. The log of requests has the newer ones.
 */
export const createRecentCarts = (
  documents: Documents,
  { cartsTable, testCartsTable }: CartTables,
  requests: Pick<RequestLog, 'cartIds'>,
  findCart: FindCart,
): (() => Promise<readonly Cart[]>) => {
  const earlier = memo(async () =>
    (await Promise.all([cartsTable, testCartsTable].map((table) => newestIds(documents, table)))).flat(),
  );
  return async () => {
    const ids = new Set([...requests.cartIds(), ...(await earlier())]);
    const found = await Promise.all([...ids].map((id) => findCart(id).catch(unlessUnreadable)));
    return found
      .filter((cart) => cart !== undefined)
      .toSorted((a, b) => b.createdAtMs - a.createdAtMs)
      .slice(0, RECENT_CARTS_MAX);
  };
};
