import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, paginateScan, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Product } from './product.ts';

/** What a request relies on; the rest of what operators must keep to is checked when they put a product. */
const storedProductSchema = z.object({
  id: z.string(),
  storeId: z.string(),
  name: z.string(),
  available: z.boolean(),
  currency: z.string(),
  pricing: z.discriminatedUnion('type', [
    z.object({ type: z.literal('fixed'), amount: z.number() }),
    z.object({
      type: z.literal('free'),
      minimum: z.optional(z.number()),
      suggested: z.optional(z.number()),
    }),
  ]),
}) satisfies z.ZodMiniType<Product>;

/** A product of the list; `product` is missing where somebody edited its item by hand into nonsense. */
export interface ListedProduct {
  readonly id: string;
  readonly product: Product | undefined;
}

/** The operators' side of products. Requests never come here: they find one product at a time. */
export interface ProductCatalogue {
  /**
   * Stores a product, in place of an earlier one of that identifier; but another store's stays, since identifiers are
   * shared by all stores: `foreign`.
   */
  put(product: Product): Promise<'stored' | 'foreign'>;

  /** All products, in no order. It reads the whole table. */
  list(): Promise<readonly ListedProduct[]>;

  /** Puts a product on sale, or takes it off; `unknown` if there is none. */
  setAvailable(productId: string, available: boolean): Promise<'set' | 'unknown'>;
}

/** Whether a conditional write was done: `false` where its condition did not hold. */
const isDone = async (write: Promise<unknown>): Promise<boolean> => {
  try {
    await write;
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
};

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
    return (await isDone(documents.send(command))) ? 'stored' : 'foreign';
  },

  async list() {
    const pages = paginateScan({ client: documents }, { TableName: tableName, ConsistentRead: true });
    const products: ListedProduct[] = [];
    for await (const { Items = [] } of pages) {
      for (const item of Items) {
        products.push({ id: String(item['id']), product: storedProductSchema.safeParse(item).data });
      }
    }
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
    return (await isDone(documents.send(command))) ? 'set' : 'unknown';
  },
});
