import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { callOptions, type Documents } from '../dynamodb.ts';
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
      new GetCommand({ TableName: tableName, Key: { id: productId } }),
      callOptions(signal),
    );
    return Item as Product | undefined;
  },

  async put(product) {
    await documents.send(new PutCommand({ TableName: tableName, Item: product }));
  },
});
