import { GetCommand } from '@aws-sdk/lib-dynamodb';
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
    const command = new GetCommand({ TableName: tableName, Key: { id: productId } });
    const { Item } = await documents.send(command, callOptions(signal));
    return Item as Product | undefined;
  },
});

export type ProductRepository = ReturnType<typeof createProductRepository>;
