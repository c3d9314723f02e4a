import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { IS_NOT_ERASED } from '../carts/cart-item.ts';
import { awaitsErasure } from '../carts/cart-timer.ts';
import { type Cart, isErased } from '../carts/cart.ts';
import type { FoundCart } from '../carts/find-carts.ts';
import { isTransactionConflict } from '../core/aws-errors.ts';
import type { Clock } from '../core/clock.ts';
import { inParallel, WRITES_AT_ONCE } from '../core/in-parallel.ts';
import { retryConflicts } from '../core/retry.ts';
import { tookEffect } from '../database/conditional-writes.ts';
import { callOptions, DATABASE_BUDGET_MS, type DocumentClient } from '../database/documents.ts';
import { updateOf } from '../database/expressions.ts';
import { TIMER_ATTRIBUTES } from '../timers/timer.ts';
import { erasedCart } from './erased-cart.ts';
import type { ErasureLedger } from './erasure-ledger.ts';

/**
 * The update of a cart, and the values that it sets. It names only what it erases, so it undoes no payment that another writer
 * stores at the same time. A payment in turn requires that the cart was not erased since it was read: see
 * `payment-record-repository.ts`.
 */
const eraseCart = (TableName: string, cart: Cart, nowMs: number) => {
  const erased = erasedCart(cart, nowMs);
  const changed = Object.entries(erased).filter(([name, value]) => value !== cart[name as keyof Cart]);
  const changes = {
    set: Object.fromEntries(changed),
    remove: [
      ...Object.keys(cart).filter((name) => !Object.hasOwn(erased, name)),
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

/** Erases the buyers' data of carts in the tables of `cart-repository.ts`. */
export const createCartEraser = (
  documents: DocumentClient,
  ledger: Pick<ErasureLedger, 'add'>,
  now: Clock,
) => {
  /** Erases a cart. Returns `false` if the cart is erased or deleted already. */
  const eraseOne = async ({ tableName, cart }: FoundCart, signal: AbortSignal): Promise<boolean> => {
    const attempt = async (): Promise<boolean | undefined> => {
      try {
        const { update, written } = eraseCart(tableName, cart, now());
        return await tookEffect(documents.send(update, callOptions(signal)), written);
      } catch (error) {
        if (isTransactionConflict(error)) return undefined;
        throw error;
      }
    };
    return retryConflicts(attempt, { signal });
  };
  return {
    /**
     * Stores the carts in the ledger, then erases their buyers' data. It changes no payment, sends no event, and skips carts
     * that are erased or deleted already. After a failure, repeat it.
     *
     * @returns how many carts it erased
     * @throws when DynamoDB is slow, throttles or is down
     */
    async erase(found: readonly FoundCart[], signal?: AbortSignal): Promise<number> {
      const left = found.filter(({ cart }) => !isErased(cart));
      const erasedAtMs = now();
      await ledger.add(
        left.map(({ cart: { id, mode } }) => ({ cartId: id, mode, erasedAtMs })),
        signal,
      );
      let erased = 0;
      await inParallel(left, WRITES_AT_ONCE, async (each) => {
        const budget = signal ?? AbortSignal.timeout(DATABASE_BUDGET_MS);
        if (await eraseOne(each, budget)) erased += 1;
      });
      return erased;
    },
  };
};
