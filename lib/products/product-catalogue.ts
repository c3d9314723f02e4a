import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, paginateScan, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Product } from './product.ts';

/** The operators' side of products. Requests never come here: they find one product at a time. */
export interface ProductCatalogue {
  /**
   * Stores a product, in place of an earlier one of that identifier; but another store's stays, since identifiers are
   * shared by all stores: `foreign`.
   */
  put(product: Product): Promise<'stored' | 'foreign'>;

  /** All products, in no order. It reads the whole table. */
  list(): Promise<readonly Product[]>;

  /** Puts a product on sale, or takes it off; `unknown` if there is none. */
  setAvailable(productId: string, available: boolean): Promise<'set' | 'unknown'>;
}

/** The catalogue in DynamoDB: one item a product. */
export const createProductCatalogue = (
  documents: DynamoDBDocumentClient,
  tableName: string,
): ProductCatalogue => ({
  async put(product) {
    const command = new PutCommand({
      TableName: tableName,
      Item: product,
      ConditionExpression: 'attribute_not_exists(id) OR storeId = :storeId',
      ExpressionAttributeValues: { ':storeId': product.storeId },
    });
    try {
      await documents.send(command);
      return 'stored';
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return 'foreign';
      throw error;
    }
  },

  async list() {
    const pages = paginateScan({ client: documents }, { TableName: tableName, ConsistentRead: true });
    const products: Product[] = [];
    for await (const { Items = [] } of pages) products.push(...(Items as Product[]));
    return products;
  },

  async setAvailable(productId, available) {
    const command = new UpdateCommand({
      TableName: tableName,
      Key: { id: productId },
      // UpdateItem creates a missing item.
      ConditionExpression: 'attribute_exists(id)',
      UpdateExpression: 'SET available = :available',
      ExpressionAttributeValues: { ':available': available },
    });
    try {
      await documents.send(command);
      return 'set';
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return 'unknown';
      throw error;
    }
  },
});
