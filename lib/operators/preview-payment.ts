import type { CartRepository } from '../carts/cart-repository.ts';
import type { PaymentEvent } from '../payments/payment-event.ts';
import {
  type PaymentEventOutcome,
  applyPaymentEvent,
  claimOf,
  PAYMENT_OF_ANOTHER_CART,
} from '../payments/record-payment-event.ts';
import type { ClaimRepository } from './claim-repository.ts';

interface PreviewPaymentDependencies {
  readonly carts: Pick<CartRepository, 'find'>;
  readonly claims: ClaimRepository;
}

/** The outcome of `recordPaymentEvent`, without a write. */
export const previewPayment = async (
  event: PaymentEvent,
  { carts, claims }: PreviewPaymentDependencies,
): Promise<PaymentEventOutcome> => {
  const applied = applyPaymentEvent(await carts.find(event.cartId), event);
  const claim = claimOf(event, applied);
  if (!claim) return applied;
  const claimedBy = await claims.find(claim.paymentId);
  return claimedBy === undefined || claimedBy === event.cartId ? applied : PAYMENT_OF_ANOTHER_CART;
};
