import { type DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';
import { fromItem } from './cart-item.ts';
import { statusAt } from './cart-lifecycle.ts';
import type { Cart, CartStatus } from './cart.ts';

export interface CartSearch {
  readonly storeId: string;
  /** The status at `nowMs`. By default, every status matches. */
  readonly status?: CartStatus | undefined;
  readonly nowMs: number;
}

/** Carts for operators. Requests never use it: each finds one cart by its id. */
export interface CartArchive {
  /** Finds a store's carts, in no order. Reads the whole table. */
  search(search: CartSearch): Promise<readonly Cart[]>;
}

/** Searches carts in DynamoDB by a scan. An index by store would cost every new cart one more write unit. */
export const createCartArchive = (documents: DynamoDBDocumentClient, tableName: string): CartArchive => ({
  async search({ storeId, status, nowMs }) {
    const pages = paginateScan(
      { client: documents },
      {
        TableName: tableName,
        FilterExpression: 'storeId = :storeId',
        ExpressionAttributeValues: { ':storeId': storeId },
      },
    );
    const found: Cart[] = [];
    for await (const { Items = [] } of pages) {
      const carts = Items.map(fromItem);
      found.push(...carts.filter((cart) => status === undefined || statusAt(cart, nowMs).status === status));
    }
    return found;
  },
});
