import { ConditionalCheckFailedException, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import {
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  type PutCommandInput,
  TransactWriteCommand,
} from '@aws-sdk/lib-dynamodb';
import { callOptions, isTransactionConflict } from '../dynamodb.ts';
import { paidCarts } from './cart-events.ts';
import { fromRawCart, type RawCart, toItem } from './cart-item.ts';
import type { PaidCart } from './cart-lifecycle.ts';
import type { Cart } from './cart.ts';
import type { Payment } from './payment.ts';

/**
 * - `overtaken`: another writer changed or deleted the cart first. `cart` is its current state, if there is one.
 * - `conflict`: another writer was writing the cart or the claim at the same time.
 * - `claimed`: the payment belongs to another cart.
 */
export type SaveResult =
  | { readonly outcome: 'saved' | 'conflict' | 'claimed' }
  | { readonly outcome: 'overtaken'; readonly cart: Cart | undefined };

export interface PaymentStore {
  /**
   * Saves a cart that has one payment more than the stored cart. A success also claims its `paymentId` for the cart.
   *
   * @param paid the cart, and what the table's stream publishes about it
   * @param payment the added payment
   * @throws when DynamoDB is slow, throttles or is down
   */
  save(paid: PaidCart, payment: Payment, signal?: AbortSignal): Promise<SaveResult>;

  /** Finds the id of the cart that a payment belongs to, by a strongly consistent read. */
  findClaim(paymentId: string): Promise<string | undefined>;
}

/**
 * Payments are never removed, so a cart with the same count has not changed since it was read. The first clause: PutItem
 * creates a missing item.
 */
const IS_UNCHANGED = 'attribute_exists(id) AND size(payments) = :payments';
const IS_UNPAID = 'attribute_exists(id) AND attribute_not_exists(payments)';

/** A cart may get several events about one payment. */
const IS_FREE_OR_OWN = 'attribute_not_exists(id) OR cartId = :cartId';

/** The id of a payment's claim, in the table of its cart. Cart ids are UUIDs, so no cart has the same id. */
const claimId = (paymentId: string): string => `payment#${paymentId}`;

const putCart = (TableName: string, { cart, change, duplicate }: PaidCart): PutCommandInput => {
  const paymentsBefore = (cart.payments?.length ?? 0) - 1;
  return {
    TableName,
    Item: { ...toItem(cart), statusChange: change, duplicatePayment: duplicate },
    ConditionExpression: paymentsBefore > 0 ? IS_UNCHANGED : IS_UNPAID,
    ...(paymentsBefore > 0 && { ExpressionAttributeValues: { ':payments': paymentsBefore } }),
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  };
};

/** A claim has no TTL, because a completed cart is never deleted. It has no store, so no search finds it. */
const putClaim = (TableName: string, paymentId: string, cartId: string): PutCommandInput => ({
  TableName,
  Item: { id: claimId(paymentId), cartId },
  ConditionExpression: IS_FREE_OR_OWN,
  ExpressionAttributeValues: { ':cartId': cartId },
});

const overtakenBy = (item: RawCart | undefined): SaveResult => ({
  outcome: 'overtaken',
  cart: item && fromRawCart(item),
});

/** The result of a write that DynamoDB rejected because of the stored items. `undefined` for any other error. */
const resultOf = (error: unknown): SaveResult | undefined => {
  if (error instanceof ConditionalCheckFailedException) return overtakenBy(error.Item);
  if (error instanceof TransactionCanceledException) {
    // The reasons have the order of the transaction. The claim counts first, because no later attempt can succeed.
    const [cart, claim] = error.CancellationReasons ?? [];
    if (claim?.Code === 'ConditionalCheckFailed') return { outcome: 'claimed' };
    if (cart?.Code === 'ConditionalCheckFailed') return overtakenBy(cart.Item);
  }
  return isTransactionConflict(error) ? { outcome: 'conflict' } : undefined;
};

/** Saves carts in a DynamoDB table of `cart-store.ts`. */
export const createPaymentStore = (documents: DynamoDBDocumentClient, tableName: string): PaymentStore => ({
  async save(paid, { result, paymentId }, signal) {
    const put = putCart(tableName, paid);
    try {
      if (result === 'failed') {
        await documents.send(new PutCommand(put), callOptions(signal));
      } else {
        const TransactItems = [{ Put: put }, { Put: putClaim(tableName, paymentId, paid.cart.id) }];
        await documents.send(new TransactWriteCommand({ TransactItems }), callOptions(signal));
      }
      paidCarts.publish(paid satisfies PaidCart);
      return { outcome: 'saved' };
    } catch (error) {
      const saved = resultOf(error);
      if (!saved) throw error;
      return saved;
    }
  },

  async findClaim(paymentId) {
    const Key = { id: claimId(paymentId) };
    const command = new GetCommand({ TableName: tableName, Key, ConsistentRead: true });
    const { Item } = await documents.send(command);
    return Item?.['cartId'] as string | undefined;
  },
});
