import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Clock } from '../core/clock.ts';
import { resultOfFailure } from '../database/conditional-writes.ts';
import { callOptions, type DocumentClient } from '../database/documents.ts';
import { IS_PAST_DELETION, ttlValues } from '../database/time-to-live.ts';
import type { Mode } from '../stores/mode.ts';
import { existingCart, fromCartItem, toCartItem } from './cart-item.ts';
import { type CartTables, cartTableOf } from './cart-tables.ts';
import type { Cart } from './cart.ts';

/** `created`: the new cart is stored. `exists`: the id is taken, and `cart` is the stored cart. */
interface CreateResult {
  readonly outcome: 'created' | 'exists';
  readonly cart: Cart;
}

/**
 * Carts by id. A cart past its deletion time counts as deleted: a new one with its id replaces it. All methods throw when
 * DynamoDB is slow, throttles or is down.
 */
export const createCartRepository = (documents: DocumentClient, tableName: string, now: Clock) => ({
  /** Stores a new cart unless its id is taken. */
  async create(cart: Cart, signal?: AbortSignal): Promise<CreateResult> {
    const item = toCartItem(cart);
    const command = new PutCommand({
      TableName: tableName,
      Item: item,
      ConditionExpression: `attribute_not_exists(id) OR ${IS_PAST_DELETION}`,
      ExpressionAttributeValues: ttlValues(now()),
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
    try {
      await documents.send(command, callOptions(signal));
      return { outcome: 'created', cart };
    } catch (error) {
      const { applied, item: stored } = resultOfFailure(error, item);
      if (applied) return { outcome: 'created', cart };
      if (!stored) throw error;
      return { outcome: 'exists', cart: fromCartItem(stored) };
    }
  },

  /** Finds a cart of any store and mode by a strongly consistent read. The caller checks who may see it. */
  async find(cartId: string, signal?: AbortSignal): Promise<Cart | undefined> {
    const command = new GetCommand({ TableName: tableName, Key: { id: cartId }, ConsistentRead: true });
    const { Item } = await documents.send(command, callOptions(signal));
    return existingCart(Item, now());
  },
});

export type CartRepository = ReturnType<typeof createCartRepository>;

/** The carts of each mode. */
export type CartRepositories = Readonly<Record<Mode, CartRepository>>;

/** Carts in DynamoDB, one table for each mode. */
export const createCartRepositories = (
  documents: DocumentClient,
  tables: CartTables,
  now: Clock,
): CartRepositories => {
  const { live, test } = cartTableOf(tables);
  return {
    live: createCartRepository(documents, live, now),
    test: createCartRepository(documents, test, now),
  };
};
