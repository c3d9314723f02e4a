import { PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { unlessConditionFails } from '../database/conditional-writes.ts';
import type { DocumentClient } from '../database/documents.ts';
import { updateOf } from '../database/expressions.ts';
import { scanItems } from '../database/paginate.ts';
import { createProductRepository } from '../products/product-repository.ts';
import type { Product } from '../products/product.ts';

/** The fields that requests need. `infra/operate/products/product-schema.ts` has the rules for an operator's product. */
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

/** A listed product. `product` is `undefined` if somebody edited the item by hand and made it invalid. */
interface ListedProduct {
  readonly id: string;
  readonly product: Product | undefined;
}

/** Products for operators. Every method throws when DynamoDB is slow, throttles or is down. */
export const createOperatorProductRepository = (documents: DocumentClient, tableName: string) => ({
  ...createProductRepository(documents, tableName),

  /**
   * Stores a product, in place of an earlier one with the same id.
   *
   * @returns `foreign` if another store's product has the id and therefore stays
   */
  async put(product: Product): Promise<'stored' | 'foreign'> {
    const command = new PutCommand({
      TableName: tableName,
      Item: product,
      ConditionExpression: 'attribute_not_exists(id) OR storeId = :storeId',
      ExpressionAttributeValues: { ':storeId': product.storeId },
    });
    return (await unlessConditionFails(documents.send(command))) ? 'stored' : 'foreign';
  },

  /** Lists the products of all stores, in no order. Reads the whole table. */
  listAll: (): Promise<readonly ListedProduct[]> =>
    scanItems(documents, tableName, (item) => ({
      id: String(item['id']),
      product: storedProductSchema.safeParse(item).data,
    })),

  async setAvailable(productId: string, available: boolean): Promise<'set' | 'unknown'> {
    const command = new UpdateCommand({
      TableName: tableName,
      Key: { id: productId },
      // UpdateItem creates a missing item.
      ...updateOf({ set: { available } }, { ConditionExpression: 'attribute_exists(id)' }),
    });
    return (await unlessConditionFails(documents.send(command))) ? 'set' : 'unknown';
  },
});
