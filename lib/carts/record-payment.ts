import { DatabaseContentionError } from '../dynamodb.ts';
import { applyPayment, type PaymentOutcome } from './cart-lifecycle.ts';
import type { CartStore } from './cart-store.ts';
import type { Payment } from './payment.ts';
import type { PaymentStore } from './payment-store.ts';

export type RecordedPayment =
  PaymentOutcome | { readonly outcome: 'rejected'; readonly reason: 'unknownCart' };

export interface PaymentStores {
  readonly carts: Pick<CartStore, 'find'>;
  readonly payments: PaymentStore;
}

/** An attempt fails only if another payment of the cart is saved meanwhile, which is rare. */
const ATTEMPTS_MAX = 5;

/**
 * Records a payment on its cart by one read and one conditional write. Each payment of the same cart that is saved
 * meanwhile costs one write more.
 *
 * @throws DatabaseContentionError if other payments of the cart are saved first five times
 * @throws any error of the SDK when DynamoDB is slow, throttles or is down
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
    // oxlint-disable-next-line no-await-in-loop -- each attempt starts from the cart that the one before found
    const saved = await payments.save(applied.cart, applied.change, signal);
    if (saved.outcome === 'saved') return applied;
    cart = saved.cart;
  }
  throw new DatabaseContentionError();
};
