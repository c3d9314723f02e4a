import { type CartChange, cartEvent } from './cart-event.ts';
import { type CancellationReason, ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { GetCommand, PutCommand, type PutCommandInput, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { IS_NOT_ERASED, isErased } from './erased-cart.ts';
import type { Clock } from '../core/clock.ts';
import { callOptions, type Documents } from '../core/documents.ts';
import type { EventLog } from '../events/event-log.ts';
import { hasFailed, reasonsOf, type TransactItem } from '../events/event-transaction.ts';
import { IS_SAME_CART, sameCartValues, toItem } from './cart-item.ts';
import type { PaidCart } from './cart-lifecycle.ts';
import type { Cart } from './cart.ts';
import { type Payment, tookMoney } from './payment.ts';

/**
 * - `conflict`: the cart was changed, erased or deleted since it was read, or another writer was writing cart or claim at the
 *   same time. Read the cart again.
 * - `claimed`: the payment belongs to another cart.
 */
export type SaveResult = 'saved' | 'conflict' | 'claimed';

export interface PaymentStore {
  /**
   * Saves a cart that has one payment more than the stored cart, and its event, if it causes one. A success also claims its
   * `paymentId` for the cart. All this is one transaction.
   *
   * @param payment the added payment
   * @throws when DynamoDB is slow, throttles or is down
   */
  save(paid: PaidCart, payment: Payment, signal?: AbortSignal): Promise<SaveResult>;

  /** Finds the id of the cart that a payment belongs to, by a strongly consistent read. */
  findClaim(paymentId: string): Promise<string | undefined>;
}

/** Payments are never removed, so a cart with the same count has not changed since it was read. */
const HAS_SAME_PAYMENTS = 'size(payments) = :payments';
const IS_UNPAID = 'attribute_not_exists(payments)';

/** No abandonment was recorded since the cart was read. Otherwise, the write would remove the mark. */
const IS_UNMARKED = 'attribute_not_exists(abandonmentRecordedAtMs)';

/** A cart may get several events about one payment. */
const IS_FREE_OR_OWN = 'attribute_not_exists(id) OR cartId = :cartId';

/** The id of a payment's claim, in the table of its cart. Cart ids are UUIDs, so no cart has the same id. */
export const claimId = (paymentId: string): string => `payment#${paymentId}`;

const putCart = (TableName: string, cart: Cart, nowMs: number): PutCommandInput => {
  const paymentsBefore = (cart.payments?.length ?? 0) - 1;
  const conditions = [
    IS_SAME_CART,
    paymentsBefore > 0 ? HAS_SAME_PAYMENTS : IS_UNPAID,
    ...(cart.abandonmentRecordedAtMs === undefined ? [IS_UNMARKED] : []),
    // Otherwise, the write would bring back data that was erased since the cart was read.
    ...(isErased(cart) ? [] : [IS_NOT_ERASED]),
  ];
  return {
    TableName,
    Item: toItem(cart),
    ConditionExpression: conditions.join(' AND '),
    ExpressionAttributeValues: {
      ...sameCartValues(cart, nowMs),
      ...(paymentsBefore > 0 && { ':payments': paymentsBefore }),
    },
  };
};

/** A claim has no TTL, because a completed cart is never deleted. It has no store, so no search finds it. */
const putClaim = (TableName: string, paymentId: string, cartId: string): PutCommandInput => ({
  TableName,
  Item: { id: claimId(paymentId), cartId },
  ConditionExpression: IS_FREE_OR_OWN,
  ExpressionAttributeValues: { ':cartId': cartId },
});

/** The result of a rejected transaction, by the reasons of cart and claim. */
const resultOfReasons = ([, claim]: readonly CancellationReason[]): SaveResult =>
  // The claim counts first, because no later attempt can succeed.
  claim && hasFailed(claim) ? 'claimed' : 'conflict';

/** The result of a write that DynamoDB rejected because of the stored items. Throws any other error. */
const resultOf = (error: unknown): SaveResult =>
  error instanceof ConditionalCheckFailedException ? 'conflict' : resultOfReasons(reasonsOf(error));

/** Saves a cart and its event in one transaction. */
const saveWithEvent = async (
  log: EventLog,
  change: CartChange,
  writes: readonly TransactItem[],
  signal: AbortSignal | undefined,
): Promise<SaveResult> => {
  const appended = await log.append(change.cart, { event: cartEvent(change), writes }, signal);
  return appended.outcome === 'appended' ? 'saved' : resultOfReasons(appended.reasons);
};

/** Saves a cart that causes no event. */
const saveAlone = async (
  documents: Documents,
  [put, ...claims]: readonly [{ Put: PutCommandInput }, ...TransactItem[]],
  signal: AbortSignal | undefined,
): Promise<SaveResult> => {
  const TransactItems = [put, ...claims];
  const options = callOptions(signal);
  try {
    if (claims.length === 0) await documents.send(new PutCommand(put.Put), options);
    else await documents.send(new TransactWriteCommand({ TransactItems }), options);
    return 'saved';
  } catch (error) {
    return resultOf(error);
  }
};

export interface PaymentStoreOptions {
  /** The log of the carts' events. */
  readonly log: EventLog;
  readonly now: Clock;
}

/** Saves carts in a DynamoDB table of `cart-store.ts`. */
export const createPaymentStore = (
  documents: Documents,
  tableName: string,
  { log, now }: PaymentStoreOptions,
): PaymentStore => ({
  async save({ cart, event }, { result, paymentId, eventId }, signal) {
    const put = { Put: putCart(tableName, cart, now()) };
    const claims = tookMoney(result) ? [{ Put: putClaim(tableName, paymentId, cart.id) }] : [];
    return event
      ? saveWithEvent(log, { ...event, cart, cause: eventId }, [put, ...claims], signal)
      : saveAlone(documents, [put, ...claims], signal);
  },

  async findClaim(paymentId) {
    const Key = { id: claimId(paymentId) };
    const command = new GetCommand({ TableName: tableName, Key, ConsistentRead: true });
    const { Item } = await documents.send(command);
    return Item?.['cartId'] as string | undefined;
  },
});
