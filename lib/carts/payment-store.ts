import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { callOptions } from '../dynamodb.ts';
import { fromRawCart, toItem } from './cart-item.ts';
import type { StatusChange } from './cart-lifecycle.ts';
import type { Cart } from './cart.ts';
import { type StoredStatusChange, statusChanges } from './status-changes.ts';

/** `overtaken`: another writer changed or deleted the cart first. `cart` is its current state, if there is one. */
export type SaveResult =
  { readonly outcome: 'saved' } | { readonly outcome: 'overtaken'; readonly cart: Cart | undefined };

export interface PaymentStore {
  /**
   * Saves a cart that has one payment more than the stored cart.
   *
   * @param change the status change that the payment caused, if any. The table's stream publishes it.
   * @throws when DynamoDB is slow, throttles or is down
   */
  save(cart: Cart, change: StatusChange | undefined, signal?: AbortSignal): Promise<SaveResult>;
}

/**
 * Payments are never removed, so a cart with the same count has not changed since it was read. The first clause: PutItem
 * creates a missing item.
 */
const IS_UNCHANGED = 'attribute_exists(id) AND size(payments) = :payments';
const IS_UNPAID = 'attribute_exists(id) AND attribute_not_exists(payments)';

/** Saves carts in the DynamoDB table of `cart-store.ts`. */
export const createPaymentStore = (documents: DynamoDBDocumentClient, tableName: string): PaymentStore => ({
  async save(cart, change, signal) {
    const paymentsBefore = (cart.payments?.length ?? 0) - 1;
    const command = new PutCommand({
      TableName: tableName,
      Item: { ...toItem(cart), statusChange: change },
      ConditionExpression: paymentsBefore > 0 ? IS_UNCHANGED : IS_UNPAID,
      ...(paymentsBefore > 0 && { ExpressionAttributeValues: { ':payments': paymentsBefore } }),
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
    try {
      await documents.send(command, callOptions(signal));
      if (change) statusChanges.publish({ cart, change } satisfies StoredStatusChange);
      return { outcome: 'saved' };
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      return { outcome: 'overtaken', cart: error.Item && fromRawCart(error.Item) };
    }
  },
});
