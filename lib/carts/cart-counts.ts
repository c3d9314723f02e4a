import { toMinorUnits } from '../products/price.ts';
import type { ListedCart } from './cart-scan.ts';
import { statusAt } from './cart-lifecycle.ts';
import type { CartStatus } from './cart.ts';

/** Carts by their status, and the amounts of the completed ones. */
export interface CartCounts {
  readonly byStatus: Record<CartStatus, number>;
  /** The sum of each currency, in its minor unit. Numbers would round large sums. */
  readonly completedUnits: Map<string, bigint>;
}

export const noCarts = (): CartCounts => ({
  byStatus: { waiting_payment: 0, completed: 0, abandoned: 0, payment_failed: 0 },
  completedUnits: new Map(),
});

/** Adds a cart to counts, with its status at `nowMs`. */
export const countCart = (
  { byStatus, completedUnits }: CartCounts,
  cart: ListedCart,
  nowMs: number,
): void => {
  const { status } = statusAt(cart, nowMs);
  byStatus[status] += 1;
  if (status !== 'completed') return;
  const { amount, currency } = cart.price;
  const sum = completedUnits.get(currency) ?? 0n;
  completedUnits.set(currency, sum + toMinorUnits(amount, currency));
};

/** The number of carts, whatever their status. */
export const countOf = ({ byStatus }: CartCounts): number =>
  Object.values(byStatus).reduce((sum, count) => sum + count, 0);

/** The part of all carts that is completed, from 0 to 1. `undefined` without a cart. */
export const conversionOf = (counts: CartCounts): number | undefined => {
  const carts = countOf(counts);
  return carts === 0 ? undefined : counts.byStatus.completed / carts;
};
