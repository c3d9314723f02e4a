import { DATABASE_BUDGET_MS } from '../core/documents.ts';
import { OutageError } from '../core/errors.ts';
import { type Pauses, retry } from '../core/retry.ts';
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
  readonly pauses?: Pauses;
}

/** The pauses after conflicts with writers of the same cart. A transaction takes about 12 ms. */
const CONFLICT_PAUSES = { firstMs: 20, maxMs: 160 };

const applyEvent = (cart: Cart | undefined, { payment }: PaymentEvent): RecordedPayment =>
  cart ? applyPayment(cart, payment) : { outcome: 'rejected', reason: 'unknownCart' };

/**
 * Records a payment on its cart by a read and a transaction, which stores the cart, its event, and for a success the claim.
 * A payment that another writer saves first costs one more of each. It retries until the signal aborts, because a
 * burst of payments must not turn valid ones into dead letters.
 *
 * @param signal by default, it aborts after the time for a request's database calls
 * @throws OutageError if other writers win each time
 * @throws any error of the SDK when DynamoDB is slow, throttles or is down
 */
export const recordPayment = async (
  event: PaymentEvent,
  { carts, payments, pauses }: PaymentStores,
  signal = AbortSignal.timeout(DATABASE_BUDGET_MS),
): Promise<RecordedPayment> => {
  const attempt = async (): Promise<RecordedPayment | undefined> => {
    const applied = applyEvent(await carts.find(event.cartId, signal), event);
    if (applied.outcome !== 'recorded') return applied;
    const saved = await payments.save(applied, event.payment, signal);
    if (saved === 'saved') return applied;
    return saved === 'claimed' ? { outcome: 'rejected', reason: 'paymentOfAnotherCart' } : undefined;
  };
  const recorded = await retry(attempt, { ...CONFLICT_PAUSES, signal, pauses });
  if (!recorded) throw new OutageError('Other writers of the cart always came first');
  return recorded;
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
