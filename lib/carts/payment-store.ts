import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { callOptions } from '../dynamodb.ts';
import { fromItem, toItem } from './cart-item.ts';
import type { StatusChange } from './cart-lifecycle.ts';
import type { Cart } from './cart.ts';
import { type StoredStatusChange, statusChanges } from './status-changes.ts';

/** `overtaken`: another writer changed the cart first. `cart` is its current state, or `undefined` if it is deleted. */
export type SaveResult =
  { readonly outcome: 'saved' } | { readonly outcome: 'overtaken'; readonly cart: Cart | undefined };

/** Saves carts after a payment. */
export interface PaymentStore {
  /**
   * Saves a cart that has one payment more than the stored cart.
   *
   * @param change the change of status, if the payment caused one; the table's stream publishes it
   * @throws when DynamoDB is slow, throttles or is down
   */
  save(cart: Cart, change: StatusChange | undefined, signal?: AbortSignal): Promise<SaveResult>;
}

/**
 * Payments are only ever added, so an unchanged count means that the cart has not changed since it was read. The first
 * clause is needed because PutItem creates a missing item.
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
      return { outcome: 'overtaken', cart: error.Item && fromItem(unmarshall(error.Item)) };
    }
  },
});
