import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { callOptions } from '../dynamodb.ts';
import { fromItem, toItem } from './cart-item.ts';
import type { Cart } from './cart.ts';

/** `created`: the new cart is stored. `exists`: the id is taken, and `cart` is the stored cart. */
export interface CreateResult {
  readonly outcome: 'created' | 'exists';
  readonly cart: Cart;
}

/** Carts by id. Both methods throw when DynamoDB is slow, throttles or is down. */
export interface CartStore {
  /** Stores a new cart unless its id is taken. */
  create(cart: Cart, signal?: AbortSignal): Promise<CreateResult>;

  /** Finds a cart of any store and mode by a strongly consistent read. The caller checks who may see it. */
  find(cartId: string, signal?: AbortSignal): Promise<Cart | undefined>;
}

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
      return { outcome: 'exists', cart: fromItem(unmarshall(error.Item)) };
    }
  },

  async find(cartId, signal) {
    const command = new GetCommand({ TableName: tableName, Key: { id: cartId }, ConsistentRead: true });
    const { Item } = await documents.send(command, callOptions(signal));
    return Item && fromItem(Item);
  },
});
