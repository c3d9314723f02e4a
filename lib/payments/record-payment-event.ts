import { applyPayment, type PaymentOutcome } from '../carts/cart-payments.ts';
import { applyRefund, type RefundOutcome, releaseRefund } from '../carts/cart-refunds.ts';
import type { CartRepository } from '../carts/cart-repository.ts';
import type { Cart } from '../carts/cart.ts';
import { tookMoney } from '../carts/payment.ts';
import type { Pauses } from '../core/retry.ts';
import { DATABASE_BUDGET_MS } from '../database/documents.ts';
import { retryConflicts } from '../database/retry-conflicts.ts';
import type { PaymentEvent } from './payment-event.ts';
import type { Claim, PaymentRecordRepository } from './payment-record-repository.ts';

/** The outcome of a payment or a refund, with the cart after it unless it is rejected. */
export type PaymentEventOutcome =
  | PaymentOutcome
  | RefundOutcome
  | {
      readonly outcome: 'rejected';
      readonly reason: 'unknownCart' | 'paymentOfAnotherCart';
    };

/** The outcome of a recording. `refundCount`: how many refunds have taken effect. Absent if none has. */
export type RecordOutcome = PaymentEventOutcome & { readonly refundCount?: number };

export interface RecordDependencies {
  readonly carts: Pick<CartRepository, 'find'>;
  readonly paymentRecords: Pick<PaymentRecordRepository, 'save'>;
  readonly pauses?: Pauses;
}

const UNKNOWN_CART = { outcome: 'rejected', reason: 'unknownCart' } as const;
export const PAYMENT_OF_ANOTHER_CART = { outcome: 'rejected', reason: 'paymentOfAnotherCart' } as const;

/** Applies an event to the cart that was found. */
export const applyPaymentEvent = (
  cart: Cart | undefined,
  { payment, refund }: PaymentEvent,
): PaymentEventOutcome => {
  if (!cart) return UNKNOWN_CART;
  return refund ? applyRefund(cart, refund) : applyPayment(cart, payment);
};

/** The claim of an applied event, if it needs one. The payment of a refund that takes effect is the cart's own. */
export const claimOf = (
  { payment, refund }: PaymentEvent,
  applied: PaymentEventOutcome,
): Claim | undefined => {
  if (applied.outcome !== 'recorded') return undefined;
  if (refund) return applied.event ? undefined : { by: 'refund', paymentId: refund.paymentId };
  return tookMoney(payment.result) ? { by: 'success', paymentId: payment.paymentId } : undefined;
};

/** The cart after the release of refunds, and how many were released. */
interface Released {
  readonly cart: Cart;
  readonly count: number;
}

/** Gives effect to the refunds whose payment is recorded, each by a write with its event. */
const releaseRefunds = async (
  cart: Cart,
  { carts, paymentRecords, pauses }: RecordDependencies,
  signal: AbortSignal,
): Promise<Released> => {
  let count = 0;
  const attempt = async (nth: number): Promise<Released | undefined> => {
    // oxlint-disable no-await-in-loop -- each write needs the one before
    // A cart that was deleted since conflicts until the signal aborts. A redelivery then finds no cart.
    let current = nth === 1 ? cart : ((await carts.find(cart.id, signal)) ?? cart);
    for (let next = releaseRefund(current); next; next = releaseRefund(current)) {
      if ((await paymentRecords.save(current, next, signal)) !== 'saved') return undefined;
      current = next.cart;
      count += 1;
    }
    // oxlint-enable no-await-in-loop
    return { cart: current, count };
  };
  return retryConflicts(attempt, { pauses, signal });
};

/**
 * Records a payment or a refund on its cart by a read and a transaction, which stores the cart, its event, and for a success
 * the claim. A change that another writer saves first costs one more of each. It retries until the signal aborts, because a
 * burst of payments must not turn valid ones into dead letters.
 *
 * Refunds that came before the payment then take effect, each by a transaction of its own. If the process ends in between, a
 * redelivery continues.
 *
 * @param signal by default, it aborts after the time for a request's database calls
 * @throws ContentionError if other writers win each time
 * @throws any error of the SDK when DynamoDB is slow, throttles or is down
 */
export const recordPaymentEvent = async (
  event: PaymentEvent,
  repositories: RecordDependencies,
  signal = AbortSignal.timeout(DATABASE_BUDGET_MS),
): Promise<RecordOutcome> => {
  const { carts, paymentRecords, pauses } = repositories;
  const attempt = async (): Promise<PaymentEventOutcome | undefined> => {
    const cart = await carts.find(event.cartId, signal);
    const applied = applyPaymentEvent(cart, event);
    if (!cart || applied.outcome !== 'recorded') return applied;
    const saved = await paymentRecords.save(cart, { ...applied, claim: claimOf(event, applied) }, signal);
    if (saved === 'saved') return applied;
    return saved === 'claimed' ? PAYMENT_OF_ANOTHER_CART : undefined;
  };
  const recorded = await retryConflicts(attempt, { pauses, signal });
  if (recorded.outcome === 'rejected') return recorded;
  const { cart, count } = await releaseRefunds(recorded.cart, repositories, signal);
  const isRefund = recorded.outcome === 'recorded' && recorded.event?.type === 'cart.refunded';
  const refundCount = count + (isRefund ? 1 : 0);
  return { ...recorded, cart, ...(refundCount > 0 && { refundCount }) };
};
