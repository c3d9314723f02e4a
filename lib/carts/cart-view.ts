import type { Price } from '../products/price.ts';
import { statusAt } from './cart-lifecycle.ts';
import type { Cart, CartStatus, CustomerInfo } from './cart.ts';

/** A cart in the response to its creation (`docs/contract.md`, "Cart"). Timestamps are ISO 8601 in UTC. */
export interface CreatedCartView {
  readonly id: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly status: CartStatus;
  readonly customerInfo: CustomerInfo;
  readonly price: Price;
}

/** A cart in the response to its retrieval (`docs/contract.md`, "Cart"). */
export interface RetrievedCartView extends CreatedCartView {
  readonly meta: Readonly<Record<string, string>>;
  readonly expiresAt: string;
  readonly paymentId?: string | undefined;
  readonly latePayment?: true | undefined;
}

/** The response to a cart's creation. */
export interface CheckoutView {
  readonly cart: CreatedCartView;
  /** Where the buyer pays. */
  readonly redirectUrl: string;
}

const isoTime = (timeMs: number): string => new Date(timeMs).toISOString();

/** Converts a cart for the response to its creation, with its status at `nowMs`. */
export const viewCreatedCart = (cart: Cart, nowMs: number): CreatedCartView => {
  const { status, updatedAtMs } = statusAt(cart, nowMs);
  const { firstName, lastName, email, phone, lang } = cart.customerInfo;
  return {
    id: cart.id,
    createdAt: isoTime(cart.createdAtMs),
    updatedAt: isoTime(updatedAtMs),
    status,
    // DynamoDB does not keep the order of a map's fields. The same cart must have the same text each time.
    customerInfo: { firstName, lastName, email, phone, lang },
    price: { amount: cart.price.amount, currency: cart.price.currency },
  };
};

/** A copy of `meta` with its keys in the order of their code units. */
const sortedMeta = (meta: Cart['meta']): Cart['meta'] =>
  Object.fromEntries(Object.entries(meta).toSorted(([left], [right]) => (left < right ? -1 : 1)));

/** Converts a cart for the response to its retrieval, with its status at `nowMs`. */
export const viewRetrievedCart = (cart: Cart, nowMs: number): RetrievedCartView => {
  const { price, ...created } = viewCreatedCart(cart, nowMs);
  return {
    ...created,
    paymentId: cart.paymentId,
    meta: sortedMeta(cart.meta),
    price,
    expiresAt: isoTime(cart.expiresAtMs),
    latePayment: cart.latePayment,
  };
};
