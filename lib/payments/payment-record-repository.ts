import { type CancellationReason, ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { PutCommand, type PutCommandInput, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { cartEvent } from '../carts/cart-event.ts';
import { IS_NOT_ERASED, IS_SAME_CART, sameCartValues, toCartItem } from '../carts/cart-item.ts';
import { isErased, type Cart } from '../carts/cart.ts';
import type { ChangedCart } from '../carts/changed-cart.ts';
import { otherItemId } from '../carts/item-ids.ts';
import type { Clock } from '../core/clock.ts';
import { failedByItself } from '../database/conditional-writes.ts';
import { callOptions, type DocumentClient } from '../database/documents.ts';
import type { EventLog } from '../events/event-log.ts';
import { hasFailed, reasonsOf, type TransactItem } from '../events/event-transaction.ts';

/**
 * - `conflict`: the cart was changed, erased or deleted since it was read, or another writer was writing cart or claim at the
 *   same time. Read the cart again.
 * - `claimed`: the payment belongs to another cart.
 */
export type SaveResult = 'saved' | 'conflict' | 'claimed';

/** A `paymentId` that belongs to no other cart. A success takes it, and a refund only checks that. */
export interface Claim {
  readonly by: 'success' | 'refund';
  readonly paymentId: string;
}

/**
 * The lists whose lengths show whether payments or refunds have changed a cart since it was read. Only an early refund is ever
 * removed, and `refunds` then grows.
 */
export const PAYMENT_LISTS = ['payments', 'refunds', 'earlyRefunds'] as const;

/** No abandonment was recorded since the cart was read. Otherwise, the write would remove the mark. */
const IS_UNMARKED = 'attribute_not_exists(abandonmentRecordedAtMs)';

/** A cart may get several events about one payment. */
const IS_FREE_OR_OWN = 'attribute_not_exists(id) OR cartId = :cartId';

/** The id of a payment's claim, in the table of its cart. */
export const claimId = (paymentId: string): string => otherItemId('payment', paymentId);

const putCart = (TableName: string, read: Cart, cart: Cart, nowMs: number): PutCommandInput => {
  const present = PAYMENT_LISTS.filter((list) => read[list]);
  const conditions = [
    IS_SAME_CART,
    ...PAYMENT_LISTS.map((list) =>
      read[list] ? `size(${list}) = :${list}` : `attribute_not_exists(${list})`,
    ),
    ...(cart.abandonmentRecordedAtMs === undefined ? [IS_UNMARKED] : []),
    // Otherwise, the write would bring back data that was erased since the cart was read.
    ...(isErased(cart) ? [] : [IS_NOT_ERASED]),
  ];
  return {
    TableName,
    Item: toCartItem(cart),
    ConditionExpression: conditions.join(' AND '),
    ExpressionAttributeValues: {
      ...sameCartValues(cart, nowMs),
      ...Object.fromEntries(present.map((list) => [`:${list}`, read[list]?.length])),
    },
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  };
};

/** A claim has no TTL, because a completed cart is never deleted. It has no store, so no search finds it. */
const claimWrite = (TableName: string, { by, paymentId }: Claim, cartId: string): TransactItem => {
  const id = claimId(paymentId);
  const condition = {
    ConditionExpression: IS_FREE_OR_OWN,
    ExpressionAttributeValues: { ':cartId': cartId },
  };
  switch (by) {
    case 'success':
      return { Put: { TableName, Item: { id, cartId }, ...condition } };
    case 'refund':
      return { ConditionCheck: { TableName, Key: { id }, ...condition } };
  }
};

/** The result of a rejected transaction, by the reasons of its writes: first that of the cart, then that of the claim, if any. */
const resultOf = (reasons: readonly CancellationReason[]): SaveResult => {
  const [, claimReason] = reasons;
  // It counts first, because no later attempt can succeed.
  return claimReason && hasFailed(claimReason) ? 'claimed' : 'conflict';
};

/** Saves a cart that causes no event. */
const saveAlone = async (
  documents: DocumentClient,
  put: PutCommandInput,
  claimItem: TransactItem | undefined,
  signal: AbortSignal | undefined,
): Promise<SaveResult> => {
  const options = callOptions(signal);
  try {
    if (claimItem) {
      await documents.send(new TransactWriteCommand({ TransactItems: [{ Put: put }, claimItem] }), options);
    } else {
      await documents.send(new PutCommand(put), options);
    }
    return 'saved';
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) {
      return failedByItself(error, put.Item ?? {}) ? 'saved' : 'conflict';
    }
    return resultOf(reasonsOf(error));
  }
};

interface PaymentRecordRepositoryOptions {
  /** The log of the carts' events. */
  readonly log: EventLog;
  readonly now: Clock;
}

/** Records payments and refunds in their carts, in the DynamoDB table that `cart-repository.ts` reads. */
export const createPaymentRecordRepository = (
  documents: DocumentClient,
  tableName: string,
  { log, now }: PaymentRecordRepositoryOptions,
) => ({
  /**
   * Saves a cart after a payment or a refund, its event and its claim, if it has them. All this is one transaction.
   * For the first success of a small cart, it takes ten write units: `docs/cost.md`, "Payments, events and webhooks".
   *
   * @param read the cart before the change
   * @throws when DynamoDB is slow, throttles or is down
   */
  async save(
    read: Cart,
    { cart, event, claim }: ChangedCart & { readonly claim?: Claim | undefined },
    signal?: AbortSignal,
  ): Promise<SaveResult> {
    const put = putCart(tableName, read, cart, now());
    const claimItem = claim && claimWrite(tableName, claim, cart.id);
    if (!event) return saveAlone(documents, put, claimItem, signal);
    const writes = [{ Put: put }, ...(claimItem ? [claimItem] : [])];
    const appended = await log.append(cart, { event: cartEvent({ ...event, cart }), writes }, signal);
    return appended.outcome === 'appended' ? 'saved' : resultOf(appended.reasons);
  },
});

export type PaymentRecordRepository = ReturnType<typeof createPaymentRecordRepository>;
