import type { Price } from '../products/price.ts';
import { statusAt } from './cart-lifecycle.ts';
import type { Cart, CartStatus, CustomerInfo } from './cart.ts';

/** Cart of the document, as returned on creation. Times are ISO 8601 in UTC. */
export interface CreatedCartView {
  readonly id: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly status: CartStatus;
  readonly customerInfo: CustomerInfo;
}

/** Cart of the document, as returned on retrieval; `price`, `expiresAt` and `latePayment` are ours to add. */
export interface RetrievedCartView extends CreatedCartView {
  readonly meta: Readonly<Record<string, string>>;
  readonly price: Price;
  readonly expiresAt: string;
  readonly paymentId?: string | undefined;
  readonly latePayment?: true | undefined;
}

/** CreateCartCheckoutResponse of the contract. */
export interface CheckoutView {
  readonly cart: CreatedCartView;
  /** Where the buyer pays. */
  readonly redirectUrl: string;
}

const isoTime = (timeMs: number): string => new Date(timeMs).toISOString();

/** A cart as its creation answers it, at the given time. */
export const viewCreatedCart = (cart: Cart, nowMs: number): CreatedCartView => {
  const { status, updatedAtMs } = statusAt(cart, nowMs);
  const { firstName, lastName, email, phone, lang } = cart.customerInfo;
  return {
    id: cart.id,
    createdAt: isoTime(cart.createdAtMs),
    updatedAt: isoTime(updatedAtMs),
    status,
    // Named one by one, for an order that does not depend on how the database keeps maps.
    customerInfo: { firstName, lastName, email, phone, lang },
  };
};

/** A cart as its retrieval answers it, at the given time. */
export const viewRetrievedCart = (cart: Cart, nowMs: number): RetrievedCartView => ({
  ...viewCreatedCart(cart, nowMs),
  paymentId: cart.paymentId,
  meta: cart.meta,
  price: { amount: cart.price.amount, currency: cart.price.currency },
  expiresAt: isoTime(cart.expiresAtMs),
  latePayment: cart.latePayment,
});
