import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Clock } from '../core/clock.ts';
import { batchGet } from '../database/batch-get.ts';
import type { DocumentClient } from '../database/documents.ts';
import { existingCart } from './cart-item.ts';
import type { Cart } from './cart.ts';

/** A table of carts, and the means to read it. */
export interface CartSource {
  readonly documents: DocumentClient;
  readonly tableName: string;
  readonly now: Clock;
}

/**
 * Reads carts by strongly consistent reads, in no order. Deleted carts are missing in the result.
 *
 * @throws any error of the SDK when DynamoDB is slow, throttles or is down
 */
export const findCarts = async (
  cartIds: readonly string[],
  { documents, tableName, now }: CartSource,
  signal?: AbortSignal,
): Promise<readonly Cart[]> => {
  const keys = cartIds.map((id) => ({ id: { S: id } }));
  const items = await batchGet(documents, tableName, keys, { signal });
  return items.map((item) => existingCart(unmarshall(item), now())).filter((cart) => cart !== undefined);
};
