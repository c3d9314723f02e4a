import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, paginateScan, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Product } from './product.ts';

/** The fields that requests rely on. All other rules are checked when an operator puts a product. */
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

/** A listed product. `product` is undefined if somebody edited the item by hand and made it invalid. */
export interface ListedProduct {
  readonly id: string;
  readonly product: Product | undefined;
}

/** Products for operators. Requests never use it: each finds one product by its id. */
export interface ProductCatalogue {
  /**
   * Stores a product and replaces an earlier one with the same id. All stores share the ids.
   *
   * @returns `foreign` if the id belongs to another store, whose product stays
   */
  put(product: Product): Promise<'stored' | 'foreign'>;

  /** Lists all products, in no order. Reads the whole table. */
  list(): Promise<readonly ListedProduct[]>;

  /** Makes a product available or unavailable. */
  setAvailable(productId: string, available: boolean): Promise<'set' | 'unknown'>;
}

/** Awaits a conditional write. Returns `false` if its condition failed. */
const isDone = async (write: Promise<unknown>): Promise<boolean> => {
  try {
    await write;
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
};

/** The catalogue in DynamoDB, one item per product. */
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
      // Without it, UpdateItem creates a missing item.
      ConditionExpression: 'attribute_exists(id)',
      UpdateExpression: 'SET available = :available',
      ExpressionAttributeValues: { ':available': available },
    });
    return (await isDone(documents.send(command))) ? 'set' : 'unknown';
  },
});
