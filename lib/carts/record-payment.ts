import { DatabaseContentionError } from '../dynamodb.ts';
import { applyPayment, type PaymentOutcome } from './cart-lifecycle.ts';
import type { CartStore } from './cart-store.ts';
import type { Cart } from './cart.ts';
import type { PaymentEvent } from './payment-event.ts';
import type { PaymentStore } from './payment-store.ts';

export type RecordedPayment =
  | PaymentOutcome
  | {
      readonly outcome: 'rejected';
      readonly reason: 'unknownCart' | 'modeMismatch' | 'paymentOfAnotherCart';
    };

export interface PaymentStores {
  readonly carts: Pick<CartStore, 'find'>;
  readonly payments: Pick<PaymentStore, 'save'>;
}

/** An attempt fails only if another payment of the cart is saved meanwhile, which is rare. */
const ATTEMPTS_MAX = 5;

const applyEvent = (cart: Cart | undefined, { mode, payment }: PaymentEvent): RecordedPayment => {
  if (!cart) return { outcome: 'rejected', reason: 'unknownCart' };
  if (cart.mode !== mode) return { outcome: 'rejected', reason: 'modeMismatch' };
  return applyPayment(cart, payment);
};

/**
 * Records a payment on its cart by one read and one conditional write. For a success, the write is a transaction of
 * cart and claim. Each payment that another writer saves first costs one more write.
 *
 * @throws DatabaseContentionError if other payments of the cart are saved first five times
 * @throws any error of the SDK when DynamoDB is slow, throttles or is down
 */
export const recordPayment = async (
  event: PaymentEvent,
  { carts, payments }: PaymentStores,
  signal?: AbortSignal,
): Promise<RecordedPayment> => {
  let cart = await carts.find(event.cartId, signal);
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const applied = applyEvent(cart, event);
    if (applied.outcome !== 'recorded') return applied;
    // oxlint-disable-next-line no-await-in-loop -- each attempt starts from the cart that the one before found
    const saved = await payments.save(applied, event.payment, signal);
    if (saved.outcome === 'saved') return applied;
    if (saved.outcome === 'claimed') return { outcome: 'rejected', reason: 'paymentOfAnotherCart' };
    // oxlint-disable-next-line no-await-in-loop -- a conflict does not return the cart
    cart = saved.outcome === 'overtaken' ? saved.cart : await carts.find(event.cartId, signal);
  }
  throw new DatabaseContentionError();
};

/** The outcome of {@link recordPayment}, without a write. */
export const previewPayment = async (
  event: PaymentEvent,
  { carts, payments }: Pick<PaymentStores, 'carts'> & { readonly payments: Pick<PaymentStore, 'findClaim'> },
): Promise<RecordedPayment> => {
  const applied = applyEvent(await carts.find(event.cartId), event);
  if (applied.outcome !== 'recorded' || event.payment.result === 'failed') return applied;
  const claimedBy = await payments.findClaim(event.payment.paymentId);
  return claimedBy === undefined || claimedBy === event.cartId
    ? applied
    : { outcome: 'rejected', reason: 'paymentOfAnotherCart' };
};
