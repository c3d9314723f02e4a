import { type BackOff, createBackOff } from '../core/back-off.ts';
import { DATABASE_BUDGET_MS, DatabaseContentionError } from '../dynamodb.ts';
import { applyPayment, type PaymentOutcome } from './cart-lifecycle.ts';
import type { CartStore } from './cart-store.ts';
import type { Cart } from './cart.ts';
import type { PaymentEvent } from './payment-event.ts';
import type { PaymentStore } from './payment-store.ts';
import { tookMoney } from './payment.ts';

export type RecordedPayment =
  | PaymentOutcome
  | {
      readonly outcome: 'rejected';
      readonly reason: 'unknownCart' | 'paymentOfAnotherCart';
    };

export interface PaymentStores {
  readonly carts: Pick<CartStore, 'find'>;
  readonly payments: Pick<PaymentStore, 'save'>;
  /** The wait after a conflict with a writer of the same cart. */
  readonly backOff?: BackOff;
}

const CONFLICT_BACK_OFF = createBackOff({ firstMs: 20, maxMs: 160 });

const applyEvent = (cart: Cart | undefined, { payment }: PaymentEvent): RecordedPayment =>
  cart ? applyPayment(cart, payment) : { outcome: 'rejected', reason: 'unknownCart' };

/**
 * Records a payment on its cart by a read and a transaction, which stores the cart, its event, and for a success the claim.
 * A payment that another writer saves first costs one more of each. It retries until the signal aborts, because a
 * burst of payments must not turn valid ones into dead letters.
 *
 * @param signal by default, it aborts after the time for a request's database calls
 * @throws DatabaseContentionError if other writers win each time
 * @throws any error of the SDK when DynamoDB is slow, throttles or is down
 */
export const recordPayment = async (
  event: PaymentEvent,
  { carts, payments, backOff = CONFLICT_BACK_OFF }: PaymentStores,
  signal = AbortSignal.timeout(DATABASE_BUDGET_MS),
): Promise<RecordedPayment> => {
  let cart = await carts.find(event.cartId, signal);
  for (let failed = 1; ; failed += 1) {
    const applied = applyEvent(cart, event);
    if (applied.outcome !== 'recorded') return applied;
    // oxlint-disable-next-line no-await-in-loop -- each attempt starts from the cart that the one before found
    const saved = await payments.save(applied, event.payment, signal);
    if (saved === 'saved') return applied;
    if (saved === 'claimed') return { outcome: 'rejected', reason: 'paymentOfAnotherCart' };
    if (signal.aborted) throw new DatabaseContentionError();
    // oxlint-disable no-await-in-loop -- as above
    await backOff(failed, signal);
    cart = await carts.find(event.cartId, signal);
    // oxlint-enable no-await-in-loop
  }
};

/** The outcome of {@link recordPayment}, without a write. */
export const previewPayment = async (
  event: PaymentEvent,
  { carts, payments }: Pick<PaymentStores, 'carts'> & { readonly payments: Pick<PaymentStore, 'findClaim'> },
): Promise<RecordedPayment> => {
  const applied = applyEvent(await carts.find(event.cartId), event);
  if (applied.outcome !== 'recorded' || !tookMoney(event.payment.result)) return applied;
  const claimedBy = await payments.findClaim(event.payment.paymentId);
  return claimedBy === undefined || claimedBy === event.cartId
    ? applied
    : { outcome: 'rejected', reason: 'paymentOfAnotherCart' };
};
