import { GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { callOptions, type DocumentClient } from '../database/documents.ts';
import { fromProductItem } from './product-item.ts';
import { type Product, STORE_INDEX } from './product.ts';

/** Consecutive products of a store, in the order of their ids. */
export interface ProductPage {
  readonly products: readonly Product[];
  /** The store has further products. */
  readonly hasMore: boolean;
}

/**
 * Reads products for requests. All methods throw when DynamoDB is slow, throttles or is down, and as {@link fromProductItem}
 * does.
 */
export const createProductRepository = (documents: DocumentClient, tableName: string) => ({
  /** Finds a product of any store. The caller checks the store. A change becomes visible within about a second. */
  async find(productId: string, signal?: AbortSignal): Promise<Product | undefined> {
    // Eventually consistent: a strong read costs twice as much, and a product seldom changes.
    const command = new GetCommand({ TableName: tableName, Key: { id: productId } });
    const { Item } = await documents.send(command, callOptions(signal));
    return Item && fromProductItem(Item);
  },

  /**
   * Lists products of a store by one Query, also those that are not available. A change becomes visible within about a second.
   *
   * @param after the id after which the page begins. It need not be a product's
   * @param limit the most products to return. 100 products have at most 120 KB, so DynamoDB returns them all
   */
  async list(
    storeId: string,
    { after, limit }: { readonly after?: string | undefined; readonly limit: number },
    signal?: AbortSignal,
  ): Promise<ProductPage> {
    const command = new QueryCommand({
      TableName: tableName,
      IndexName: STORE_INDEX,
      KeyConditionExpression:
        after === undefined ? 'storeId = :storeId' : 'storeId = :storeId AND id > :after',
      ExpressionAttributeValues: {
        ':storeId': storeId,
        ...(after !== undefined && { ':after': after }),
      },
      // One more shows that the store has further products.
      Limit: limit + 1,
    });
    const { Items = [] } = await documents.send(command, callOptions(signal));
    return { products: Items.slice(0, limit).map(fromProductItem), hasMore: Items.length > limit };
  },
});

export type ProductRepository = ReturnType<typeof createProductRepository>;
