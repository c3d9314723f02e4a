import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { callOptions } from '../dynamodb.ts';
import type { Cart } from './cart.ts';

/** `created`: the cart is new; `exists`: a cart of that id was there first, and is returned as it is. */
export interface CreateResult {
  readonly outcome: 'created' | 'exists';
  readonly cart: Cart;
}

/** Carts by id. Both methods throw when DynamoDB is slow, throttling or down. */
export interface CartStore {
  /** Stores a new cart unless its id is taken. */
  create(cart: Cart, signal?: AbortSignal): Promise<CreateResult>;

  /** Finds a cart of any store and mode, strongly consistent: whose it is, is the caller's to check. */
  find(cartId: string, signal?: AbortSignal): Promise<Cart | undefined>;
}

/**
 * A cart as an item. The SDK asks an object for its `constructor`; in a Map, a merchant's key of that name is data like
 * any other.
 */
export const toItem = (cart: Cart): Record<string, unknown> => ({
  ...cart,
  meta: new Map(Object.entries(cart.meta)),
});

/** Carts in DynamoDB: one item a cart. */
export const createCartStore = (documents: DynamoDBDocumentClient, tableName: string): CartStore => ({
  async create(cart, signal) {
    const command = new PutCommand({
      TableName: tableName,
      Item: toItem(cart),
      ConditionExpression: 'attribute_not_exists(id)',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
    try {
      await documents.send(command, callOptions(signal));
      return { outcome: 'created', cart };
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException) || !error.Item) throw error;
      return { outcome: 'exists', cart: unmarshall(error.Item) as Cart };
    }
  },

  async find(cartId, signal) {
    const command = new GetCommand({ TableName: tableName, Key: { id: cartId }, ConsistentRead: true });
    const { Item } = await documents.send(command, callOptions(signal));
    return Item as Cart | undefined;
  },
});
