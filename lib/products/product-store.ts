import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { callOptions, type Documents } from '../core/documents.ts';
import type { Product } from './product.ts';

/** Products by their public id. Both methods throw when DynamoDB is slow, throttles or is down. */
export interface ProductStore {
  /** Finds a product of any store. The caller checks the store. A change becomes visible within about a second. */
  find(productId: string, signal?: AbortSignal): Promise<Product | undefined>;

  /** Stores a product and replaces an earlier one with the same id. */
  put(product: Product): Promise<void>;
}

export const createProductStore = (documents: Documents, tableName: string): ProductStore => ({
  async find(productId, signal) {
    // Eventually consistent: a strong read costs twice as much, and a product seldom changes.
    const { Item } = await documents.send(
      new GetItemCommand({ TableName: tableName, Key: { id: { S: productId } } }),
      callOptions(signal),
    );
    return Item && (unmarshall(Item) as Product);
  },

  async put(product) {
    await documents.send(new PutCommand({ TableName: tableName, Item: product }));
  },
});
