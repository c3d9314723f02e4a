import { type DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';
import { statusAt } from './cart-lifecycle.ts';
import type { Cart, CartStatus } from './cart.ts';

/** Which carts an operator looks for. */
export interface CartSearch {
  readonly storeId: string;
  /** Carts that have this status now; of any if not given. */
  readonly status?: CartStatus | undefined;
  readonly nowMs: number;
}

/** The operators' side of carts. Requests never come here: they find one cart at a time. */
export interface CartArchive {
  /** A store's carts, in no order. It reads the whole table. */
  search(search: CartSearch): Promise<readonly Cart[]>;
}

/** Carts in DynamoDB; see `cart-store.ts`. An index by store would cost a write unit with every cart. */
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
      const carts = Items as Cart[];
      found.push(...carts.filter((cart) => status === undefined || statusAt(cart, nowMs).status === status));
    }
    return found;
  },
});
