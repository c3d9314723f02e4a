import { duplicatePaymentIds } from '../../../lib/carts/cart-payments.ts';
import type { Cart } from '../../../lib/carts/cart.ts';
import type { Payment } from '../../../lib/carts/payment.ts';
import type { Refund } from '../../../lib/carts/refund.ts';

/** An event in the life of a cart. */
type TimelineEntry =
  | {
      /** `abandonmentRecorded`: the service recorded the expiry and sent `cart.abandoned`. */
      readonly what: 'created' | 'expired' | 'abandonmentRecorded' | 'personalDataErased';
      readonly atMs: number;
    }
  | {
      readonly what: 'paymentSucceeded' | 'duplicatePayment' | 'paymentFailed';
      readonly atMs: number;
      readonly payment: Payment;
    }
  | {
      /** `earlyRefund`: its payment is not recorded yet. */
      readonly what: 'refund' | 'earlyRefund';
      readonly atMs: number;
      readonly refund: Refund;
    };

/** The expiry of a cart, if it has expired and no payment came first. */
const expiry = (cart: Cart, nowMs: number): TimelineEntry[] => {
  const hasPaymentBefore =
    cart.payments?.some(({ occurredAtMs }) => occurredAtMs < cart.expiresAtMs) ?? false;
  return hasPaymentBefore || cart.expiresAtMs > nowMs ? [] : [{ what: 'expired', atMs: cart.expiresAtMs }];
};

/**
 * The events of a cart, in the order in which they happened.
 *
 * @param others other entries about the cart, which come after its own of the same time
 */
export const timelineOf = <Other extends { readonly atMs: number } = never>(
  cart: Cart,
  nowMs: number,
  others: readonly Other[] = [],
): readonly (TimelineEntry | Other)[] => {
  const duplicates = duplicatePaymentIds(cart);
  const whatOf = ({ result, paymentId }: Payment) => {
    switch (result) {
      case 'succeeded':
        return duplicates.includes(paymentId) ? 'duplicatePayment' : 'paymentSucceeded';
      case 'failed':
        return 'paymentFailed';
    }
  };
  const payments = (cart.payments ?? []).map((payment): TimelineEntry => ({
    what: whatOf(payment),
    atMs: payment.occurredAtMs,
    payment,
  }));
  const refundsAs = (what: 'refund' | 'earlyRefund', refunds: readonly Refund[] = []) =>
    refunds.map((refund): TimelineEntry => ({ what, atMs: refund.occurredAtMs, refund }));
  const at = (
    what: 'abandonmentRecorded' | 'personalDataErased',
    atMs: number | undefined,
  ): TimelineEntry[] => (atMs === undefined ? [] : [{ what, atMs }]);
  const changes: readonly (TimelineEntry | Other)[] = [
    ...expiry(cart, nowMs),
    ...at('abandonmentRecorded', cart.abandonmentRecordedAtMs),
    ...at('personalDataErased', cart.personalDataErasedAtMs),
    ...payments,
    ...refundsAs('refund', cart.refunds),
    ...refundsAs('earlyRefund', cart.earlyRefunds),
    ...others,
  ];
  // A sender's clock may date a payment before the creation.
  return [{ what: 'created', atMs: cart.createdAtMs }, ...changes.toSorted((a, b) => a.atMs - b.atMs)];
};
