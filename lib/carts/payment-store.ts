import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { callOptions } from '../dynamodb.ts';
import type { StatusChange } from './cart-lifecycle.ts';
import { toItem } from './cart-store.ts';
import type { Cart } from './cart.ts';
import { type StoredStatusChange, statusChanges } from './status-changes.ts';

/** `saved`, or `overtaken`: another payment was saved first, and the cart is as it made it, unless it is gone. */
export type SaveResult =
  { readonly outcome: 'saved' } | { readonly outcome: 'overtaken'; readonly cart: Cart | undefined };

/** Carts after a payment. */
export interface PaymentStore {
  /**
   * Saves a cart that has one payment more than the stored one.
   *
   * @param change how the payment changed the cart's status, if it did: the table's stream tells it on
   * @throws when DynamoDB is slow, throttling or down
   */
  save(cart: Cart, change: StatusChange | undefined, signal?: AbortSignal): Promise<SaveResult>;
}

/**
 * Payments only ever join a cart, so their number says whether the cart is still as it was read. UpdateItem and PutItem
 * alike create a missing item, hence the first clause.
 */
const IS_AS_READ = 'attribute_exists(id) AND size(payments) = :payments';
const IS_UNPAID = 'attribute_exists(id) AND attribute_not_exists(payments)';

/** Carts in DynamoDB; see `cart-store.ts`. */
export const createPaymentStore = (documents: DynamoDBDocumentClient, tableName: string): PaymentStore => ({
  async save(cart, change, signal) {
    const paymentsBefore = (cart.payments?.length ?? 0) - 1;
    const command = new PutCommand({
      TableName: tableName,
      Item: { ...toItem(cart), statusChange: change },
      ConditionExpression: paymentsBefore > 0 ? IS_AS_READ : IS_UNPAID,
      ...(paymentsBefore > 0 && { ExpressionAttributeValues: { ':payments': paymentsBefore } }),
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
    try {
      await documents.send(command, callOptions(signal));
      if (change) statusChanges.publish({ cart, change } satisfies StoredStatusChange);
      return { outcome: 'saved' };
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      return { outcome: 'overtaken', cart: error.Item && (unmarshall(error.Item) as Cart) };
    }
  },
});
