import { type DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { callOptions } from '../dynamodb.ts';
import type { Product } from './product.ts';

/** Products by their public identifier. Both methods throw when DynamoDB is slow, throttling or down. */
export interface ProductStore {
  /** Finds a product of any store: whose it is, is the caller's to check. A change shows within about a second. */
  find(productId: string, signal?: AbortSignal): Promise<Product | undefined>;

  /** Stores a product, in place of an earlier one of that identifier. */
  put(product: Product): Promise<void>;
}

/** Products in DynamoDB: one item a product. */
export const createProductStore = (documents: DynamoDBDocumentClient, tableName: string): ProductStore => ({
  async find(productId, signal) {
    // Eventually consistent: half the price of a strong read, and a product seldom changes.
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
