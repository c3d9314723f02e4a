import type { Mode } from '../api-keys/api-key.ts';
import type { Price } from '../products/price.ts';
import type { Payment } from './payment.ts';

/** The statuses of a cart (`docs/contract.md`, "Statuses"). */
export const CART_STATUSES = ['waiting_payment', 'completed', 'abandoned', 'payment_failed'] as const;

/** See {@link CART_STATUSES}. */
export type CartStatus = (typeof CART_STATUSES)[number];

/** The buyer (`docs/contract.md`, "CustomerInfo"). Fields that the merchant did not send are absent. */
export interface CustomerInfo {
  readonly firstName?: string | undefined;
  readonly lastName?: string | undefined;
  readonly email?: string | undefined;
  readonly phone?: string | undefined;
  /** A locale of the form language-REGION. */
  readonly lang?: string | undefined;
}

/** A cart for one product, as it is stored. */
export interface Cart {
  readonly id: string;
  readonly storeId: string;
  readonly mode: Mode;
  /** The last written status. `abandoned` is never written, because it follows from the time: see `statusAt`. */
  readonly status: Exclude<CartStatus, 'abandoned'>;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  /** When the cart becomes abandoned if no payment arrives. */
  readonly expiresAtMs: number;
  readonly customerInfo: CustomerInfo;
  readonly productId: string;
  /** The product's name at the cart's creation. */
  readonly productName: string;
  readonly price: Price;
  /** The address to which the buyer returns after payment. */
  readonly redirectUrl?: string | undefined;
  readonly meta: Readonly<Record<string, string>>;
  /** The payment that completed the cart, or the last one that failed. */
  readonly paymentId?: string | undefined;
  /** Every attempt to pay, in the order in which they happened. Absent before the first. */
  readonly payments?: readonly Payment[] | undefined;
  /** The cart was abandoned when the payment succeeded. */
  readonly latePayment?: true | undefined;
  /** When the table's TTL may delete the cart, in Unix seconds. Absent once completed: such a cart is never deleted. */
  readonly deleteAtSeconds?: number | undefined;
  /** The fingerprint of the request that created the cart. A retry has the same one. */
  readonly requestFingerprint: string;
}

/** The input of {@link newCart}. */
export type NewCart = Pick<
  Cart,
  | 'id'
  | 'storeId'
  | 'mode'
  | 'customerInfo'
  | 'productId'
  | 'productName'
  | 'price'
  | 'redirectUrl'
  | 'meta'
  | 'requestFingerprint'
> & { readonly nowMs: number };

/** How long the carts of a stage live. */
export interface CartLifetime {
  /** From creation to expiry. */
  readonly expirySeconds: number;
  /** From the expiry of an unpaid cart to its deletion. */
  readonly retentionSeconds: number;
}

/** Makes a cart that waits for its payment (`docs/contract.md`, "Statuses"). */
export const newCart = (
  { nowMs, ...cart }: NewCart,
  { expirySeconds, retentionSeconds }: CartLifetime,
): Cart => {
  const expiresAtMs = nowMs + expirySeconds * 1_000;
  return {
    ...cart,
    status: 'waiting_payment',
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    expiresAtMs,
    deleteAtSeconds: Math.ceil(expiresAtMs / 1_000) + retentionSeconds,
  };
};

/** Whether a cart belongs to an API key's store and mode. */
export const isVisibleTo = (
  cart: Cart | undefined,
  { storeId, mode }: { readonly storeId: string; readonly mode: Mode },
): cart is Cart => cart !== undefined && cart.storeId === storeId && cart.mode === mode;
