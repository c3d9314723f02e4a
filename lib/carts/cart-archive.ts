import { scanPages } from '../dynamodb-pages.ts';
import type { Documents } from '../dynamodb.ts';
import type { Mode } from '../api-keys/api-key.ts';
import { fromItem } from './cart-item.ts';
import { statusAt } from './cart-lifecycle.ts';
import type { Cart, CartStatus } from './cart.ts';

export interface CartSearch {
  readonly storeId: string;
  /** By default, carts of both modes match. */
  readonly mode?: Mode | undefined;
  /** The status at `nowMs`. By default, every status matches. */
  readonly status?: CartStatus | undefined;
  readonly nowMs: number;
}

/** Carts for operators. Requests never use it: each finds one cart by its id. */
export interface CartArchive {
  /** Finds a store's carts, in no order. Reads the whole tables. */
  search(search: CartSearch): Promise<readonly Cart[]>;
}

/** Searches carts in DynamoDB by a scan. An index by store would cost every new cart one more write unit. */
export const createCartArchive = (documents: Documents, tableNames: readonly string[]): CartArchive => {
  const searchTable = async (TableName: string, { storeId, mode, status, nowMs }: CartSearch) => {
    const pages = scanPages(documents, {
      TableName,
      FilterExpression: 'storeId = :storeId',
      ExpressionAttributeValues: { ':storeId': storeId },
    });
    const found: Cart[] = [];
    for await (const { Items = [] } of pages) {
      const matches = Items.map(fromItem).filter(
        (cart) =>
          (mode === undefined || cart.mode === mode) &&
          (status === undefined || statusAt(cart, nowMs).status === status),
      );
      found.push(...matches);
    }
    return found;
  };
  return {
    search: async (search) =>
      (await Promise.all(tableNames.map((tableName) => searchTable(tableName, search)))).flat(),
  };
};
