import type { Mode } from '../api-keys/api-key.ts';
import type { Price } from '../products/price.ts';
import type { Payment } from './payment.ts';

/** CartStatus of the document. */
export const CART_STATUSES = ['waiting_payment', 'completed', 'abandoned', 'payment_failed'] as const;

/** See {@link CART_STATUSES}. */
export type CartStatus = (typeof CART_STATUSES)[number];

/** The buyer (document, "CustomerInfo"). What was not given is absent. */
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
  /** As last written; `abandoned` is never written, it follows from the time: see `statusAt`. */
  readonly status: Exclude<CartStatus, 'abandoned'>;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  /** When a cart that nobody paid becomes abandoned. */
  readonly expiresAtMs: number;
  readonly customerInfo: CustomerInfo;
  readonly productId: string;
  /** The product's name when the cart was made. */
  readonly productName: string;
  readonly price: Price;
  /** Where the buyer is sent after payment. */
  readonly redirectUrl?: string | undefined;
  readonly meta: Readonly<Record<string, string>>;
  /** The payment that completed the cart, or the last one that failed. */
  readonly paymentId?: string | undefined;
  /** Every attempt to pay, in the order in which they happened; absent before the first. */
  readonly payments?: readonly Payment[] | undefined;
  /** The payment succeeded after `expiresAtMs`. */
  readonly latePayment?: true | undefined;
  /** When the table's TTL may delete the cart, in Unix seconds; a completed cart has none and is never deleted. */
  readonly deleteAtSeconds?: number | undefined;
  /** Tells a retry of the request that made the cart from another request. */
  readonly requestFingerprint: string;
}

/** What a new cart is made of. */
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

/** How long a stage's carts live. */
export interface CartLifetime {
  /** How long a cart waits for its payment. */
  readonly expirySeconds: number;
  /** How long after its expiry a cart that nobody paid is kept. */
  readonly retentionSeconds: number;
}

/** A new cart waits for its payment (document, "States and transitions"). */
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

/** Whether a key may see a cart: its store's, and of its mode. */
export const isVisibleTo = (
  cart: Cart | undefined,
  { storeId, mode }: { readonly storeId: string; readonly mode: Mode },
): cart is Cart => cart !== undefined && cart.storeId === storeId && cart.mode === mode;
