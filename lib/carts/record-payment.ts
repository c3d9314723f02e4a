import { DatabaseContentionError } from '../dynamodb.ts';
import { applyPayment, type PaymentOutcome } from './cart-lifecycle.ts';
import type { CartStore } from './cart-store.ts';
import type { Payment } from './payment.ts';
import type { PaymentStore } from './payment-store.ts';

/** What became of a payment: see `applyPayment`; or there is no such cart. */
export type RecordedPayment =
  PaymentOutcome | { readonly outcome: 'rejected'; readonly reason: 'unknownCart' };

export interface PaymentStores {
  readonly carts: Pick<CartStore, 'find'>;
  readonly payments: PaymentStore;
}

/** Each lost attempt is another payment's success, and few payments of one cart come at once. */
const ATTEMPTS_MAX = 5;

/**
 * Records a payment on its cart: one read and one conditional write, and another write for each payment of the same cart
 * that was faster.
 *
 * @throws DatabaseContentionError if other payments of the cart were faster five times
 * @throws whatever the SDK throws when DynamoDB is slow, throttling or down
 */
export const recordPayment = async (
  cartId: string,
  payment: Payment,
  { carts, payments }: PaymentStores,
  signal?: AbortSignal,
): Promise<RecordedPayment> => {
  let cart = await carts.find(cartId, signal);
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    if (!cart) return { outcome: 'rejected', reason: 'unknownCart' };
    const applied = applyPayment(cart, payment);
    if (applied.outcome !== 'recorded') return applied;
    // oxlint-disable-next-line no-await-in-loop -- each attempt starts from what overtook the one before it
    const saved = await payments.save(applied.cart, applied.change, signal);
    if (saved.outcome === 'saved') return applied;
    cart = saved.cart;
  }
  throw new DatabaseContentionError();
};
