import type * as z from 'zod/mini';
import { isoIfAny, isoTime } from '../core/timestamps.ts';
import type { Mode } from '../stores/mode.ts';
import { refundedAmount } from './cart-refunds.ts';
import { statusAt } from './cart-status.ts';
import type { createdCartSchema, refundSchema, retrievedCartSchema } from './cart-view-schema.ts';
import type { Cart, CartStatus } from './cart.ts';
import type { Refund } from './refund.ts';

/** A cart in the response to its creation (`docs/contract.md`, "Cart"). Timestamps are ISO 8601 in UTC. */
type CreatedCartView = z.output<typeof createdCartSchema>;

/** A refund of a retrieved cart. */
export type RefundView = z.output<typeof refundSchema>;

/** A cart in the response to its retrieval (`docs/contract.md`, "Cart"). An event has it too, without `redirectUrl`. */
export type RetrievedCartView = z.output<typeof retrievedCartSchema>;

/** The response to a cart's creation. */
export interface CheckoutView {
  readonly cart: CreatedCartView;
  /** Where the buyer pays. */
  readonly redirectUrl: string;
}

/** The payment page's address in each mode, without the slash and the cart's id. */
export type CheckoutUrls = Readonly<Record<Mode, string>>;

/** The address where the buyer pays a cart. */
export const checkoutAddress = (urls: CheckoutUrls, { mode, id }: Pick<Cart, 'mode' | 'id'>): string =>
  `${urls[mode]}/${id}`;

/** Whether the buyer of a cart with this status can pay it. */
export const canBePaid = (status: CartStatus): boolean => {
  switch (status) {
    case 'waiting_payment':
    case 'payment_failed':
      return true;
    // The payment page rejects the buyer, although a payment under way still completes the cart.
    case 'abandoned':
    case 'completed':
      return false;
  }
};

/** Converts a cart for the response to its creation, with its status at `nowMs`. */
export const viewCreatedCart = (cart: Cart, nowMs: number): Required<CreatedCartView> => {
  const { status, updatedAtMs } = statusAt(cart, nowMs);
  const { firstName, lastName, email, phone, lang } = cart.customerInfo;
  return {
    id: cart.id,
    createdAt: isoTime(cart.createdAtMs),
    updatedAt: isoTime(updatedAtMs),
    status,
    // DynamoDB does not keep the order of a map's fields. The same cart must have the same text each time.
    customerInfo: { firstName, lastName, email, phone, lang },
    productDocumentId: cart.productId,
    productName: cart.productName,
    price: { amount: cart.price.amount, currency: cart.price.currency },
    expiresAt: isoTime(cart.expiresAtMs),
  };
};

/** Converts a refund for a retrieved cart. */
export const viewRefund = ({ refundId, paymentId, amount, currency, occurredAtMs }: Refund): RefundView => ({
  id: refundId,
  paymentId,
  amount,
  currency,
  refundedAt: isoTime(occurredAtMs),
});

/** A copy of `meta` with its keys in the order of their code units. */
const sortedMeta = (meta: Cart['meta']): Cart['meta'] =>
  Object.fromEntries(Object.entries(meta).toSorted(([left], [right]) => (left < right ? -1 : 1)));

/**
 * Converts a cart for the response to its retrieval, with its status at `nowMs`.
 *
 * @param urls without them, the view has no `redirectUrl`
 */
export const viewRetrievedCart = (
  cart: Cart,
  nowMs: number,
  urls?: CheckoutUrls,
): Required<RetrievedCartView> => {
  const { price, expiresAt, ...created } = viewCreatedCart(cart, nowMs);
  return {
    ...created,
    paymentId: cart.paymentId,
    meta: sortedMeta(cart.meta),
    price,
    expiresAt,
    latePayment: cart.latePayment,
    completedAt: isoIfAny(cart.completedAtMs),
    failureReason: cart.failureReason,
    refunds: cart.refunds?.map(viewRefund),
    refundedAmount: refundedAmount(cart),
    redirectUrl: urls && canBePaid(created.status) ? checkoutAddress(urls, cart) : undefined,
  };
};
