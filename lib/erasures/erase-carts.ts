import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { isTransactionConflict } from '../aws/errors.ts';
import { attributesOf, IS_NOT_ERASED } from '../carts/cart-item.ts';
import { awaitsErasure } from '../carts/cart-timer.ts';
import type { Cart } from '../carts/cart.ts';
import type { Clock } from '../core/clock.ts';
import { inParallel, WRITES_AT_ONCE } from '../core/in-parallel.ts';
import { tookEffect } from '../database/conditional-writes.ts';
import { callOptions, DATABASE_BUDGET_MS, type DocumentClient } from '../database/documents.ts';
import { updateOf } from '../database/expressions.ts';
import { retryConflicts } from '../database/retry-conflicts.ts';
import { TIMER_ATTRIBUTES } from '../timers/timer.ts';
import { erasedCart } from './erased-cart.ts';

/** A stored cart, and the table that has it. */
export interface CartInTable {
  readonly tableName: string;
  readonly cart: Cart;
}

/**
 * The update of a cart, and the values that it sets. It names only what it erases, so it undoes no payment that another writer
 * stores at the same time. A payment in turn requires that the cart was not erased since it was read: see
 * `payment-record-repository.ts`.
 */
const erasureUpdate = (TableName: string, cart: Cart, nowMs: number) => {
  const before = attributesOf(cart);
  const erased = attributesOf(erasedCart(cart, nowMs));
  const changed = Object.entries(erased).filter(([name, value]) => value !== before[name]);
  const changes = {
    set: Object.fromEntries(changed),
    remove: [
      ...Object.keys(before).filter((name) => !Object.hasOwn(erased, name)),
      ...(awaitsErasure(cart) ? TIMER_ATTRIBUTES : []),
    ],
  };
  const update = new UpdateCommand({
    TableName,
    Key: { id: cart.id },
    ...updateOf(changes, {
      // A deleted cart has no status. UpdateItem would create it again.
      ConditionExpression: `attribute_exists(#status) AND ${IS_NOT_ERASED}`,
      ExpressionAttributeNames: { '#status': 'status' },
    }),
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  });
  return { update, written: changes.set };
};

/** Erases a cart. Returns `false` if the cart is erased or deleted already. */
const eraseOne = async (
  documents: DocumentClient,
  { tableName, cart }: CartInTable,
  now: Clock,
  signal: AbortSignal,
): Promise<boolean> => {
  const attempt = async (): Promise<boolean | undefined> => {
    try {
      const { update, written } = erasureUpdate(tableName, cart, now());
      return await tookEffect(documents.send(update, callOptions(signal)), written);
    } catch (error) {
      if (isTransactionConflict(error)) return undefined;
      throw error;
    }
  };
  return retryConflicts(attempt, { signal });
};

/**
 * Erases the buyers' data of carts in the tables of `cart-repository.ts`. It changes no payment, sends no event, and skips carts
 * that were erased or deleted since they were read. After a failure, repeat it.
 *
 * @param signal by default, each cart has the time for a request's database calls
 * @returns how many carts it erased
 * @throws when DynamoDB is slow, throttles or is down
 */
export const eraseCarts = async (
  documents: DocumentClient,
  found: readonly CartInTable[],
  now: Clock,
  signal?: AbortSignal,
): Promise<number> => {
  let erased = 0;
  await inParallel(found, WRITES_AT_ONCE, async (each) => {
    if (await eraseOne(documents, each, now, signal ?? AbortSignal.timeout(DATABASE_BUDGET_MS))) erased += 1;
  });
  return erased;
};
