import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { callOptions, type Documents } from '../core/documents.ts';
import type { Product } from './product.ts';

/** Products by their public id, for requests. */
export const createProductRepository = (documents: Documents, tableName: string) => ({
  /**
   * Finds a product of any store. The caller checks the store. A change becomes visible within about a second.
   *
   * @throws when DynamoDB is slow, throttles or is down
   */
  async find(productId: string, signal?: AbortSignal): Promise<Product | undefined> {
    // Eventually consistent: a strong read costs twice as much, and a product seldom changes.
    const { Item } = await documents.send(
      new GetItemCommand({ TableName: tableName, Key: { id: { S: productId } } }),
      callOptions(signal),
    );
    return Item && (unmarshall(Item) as Product);
  },
});

export type ProductRepository = ReturnType<typeof createProductRepository>;
