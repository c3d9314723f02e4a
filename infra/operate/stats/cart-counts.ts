import { unitsLeft } from '../../../lib/carts/cart-refunds.ts';
import { statusAt } from '../../../lib/carts/cart-status.ts';
import type { CartStatus } from '../../../lib/carts/cart.ts';
import { toMinorUnits } from '../../../lib/products/price.ts';
import type { ListedCart } from '../shared/cart-scan.ts';

/** The sum of each currency, in its minor unit. Numbers would round large sums. */
export type Sums = Map<string, bigint>;

/** Carts by their status, and the amounts of the completed ones. The refunds of duplicate payments do not count. */
export interface CartCounts {
  readonly byStatus: Record<CartStatus, number>;
  readonly completedUnits: Sums;
  readonly refundedUnits: Sums;
  /** The payments minus their refunds. A payment whose refunds exceed it counts as zero. */
  readonly netUnits: Sums;
}

export const noCarts = (): CartCounts => ({
  byStatus: { waiting_payment: 0, completed: 0, abandoned: 0, payment_failed: 0 },
  completedUnits: new Map(),
  refundedUnits: new Map(),
  netUnits: new Map(),
});

const add = (sums: Sums, currency: string, units: bigint): void =>
  void sums.set(currency, (sums.get(currency) ?? 0n) + units);

/** Adds a cart to counts, with its status at `nowMs`. */
export const countCart = (
  { byStatus, completedUnits, refundedUnits, netUnits }: CartCounts,
  cart: ListedCart,
  nowMs: number,
): void => {
  const { status } = statusAt(cart, nowMs);
  byStatus[status] += 1;
  if (status !== 'completed') return;
  const { amount, currency } = cart.price;
  const units = toMinorUnits(amount, currency);
  const left = unitsLeft(cart, cart.paymentId);
  add(completedUnits, currency, units);
  if (left < units) add(refundedUnits, currency, units - left);
  add(netUnits, currency, left > 0n ? left : 0n);
};

/** The number of carts, whatever their status. */
export const countOf = ({ byStatus }: CartCounts): number =>
  Object.values(byStatus).reduce((sum, count) => sum + count, 0);

/** The part of all carts that is completed, from 0 to 1. `undefined` without a cart. */
export const conversionOf = (counts: CartCounts): number | undefined => {
  const carts = countOf(counts);
  return carts === 0 ? undefined : counts.byStatus.completed / carts;
};
