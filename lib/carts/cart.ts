import type { Price } from '../products/price.ts';
import type { Mode } from '../stores/mode.ts';
import type { Payment } from './payment.ts';
import type { Refund } from './refund.ts';
import type { CreateCartRequest } from './request/create-cart-request.ts';

/** The statuses of a cart (`docs/contract.md`, "Statuses"). */
export const CART_STATUSES = ['waiting_payment', 'completed', 'abandoned', 'payment_failed'] as const;

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

/**
 * The request's fields that a cart keeps in another form, or not at all. It keeps any other one as it was sent, so a new optional
 * field needs no change here.
 */
const CONVERTED_FIELDS = [
  'firstName',
  'lastName',
  'email',
  'phone',
  'lang',
  'productDocumentId',
  'redirectURL',
  'cancelURL',
  'customerPrice',
  'expiresInMinutes',
] as const satisfies readonly (keyof CreateCartRequest)[];

/** A field of the request that a cart keeps in another form, or not at all. */
export type ConvertedField = (typeof CONVERTED_FIELDS)[number];

/** The request's fields that a cart keeps as they were sent. `meta` is empty if none was sent. */
type KeptFields = Omit<CreateCartRequest & { meta: Readonly<Record<string, string>> }, ConvertedField>;

/** Whether a cart keeps a field of its request as it was sent. */
export const isKeptField = (field: string): field is keyof KeptFields =>
  !CONVERTED_FIELDS.some((converted) => converted === field);

/** The fields of a request that its cart keeps. */
export const keptFieldsOf = ({ meta = {}, ...request }: CreateCartRequest): KeptFields =>
  Object.fromEntries(
    Object.entries({ ...request, meta }).filter(([field]) => isKeptField(field)),
  ) as unknown as KeptFields;

/** A cart for one product, as it is stored. */
export interface Cart extends Readonly<KeptFields> {
  readonly id: string;
  readonly storeId: string;
  readonly mode: Mode;
  /** The stored status. `abandoned` is never stored, because it follows from the time: see `statusAt`. */
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
  readonly returnUrl?: string | undefined;
  /** The address to which the buyer goes who leaves without a payment. Default: `returnUrl` */
  readonly cancelUrl?: string | undefined;
  /** The payment that completed the cart, or the last one that failed. */
  readonly paymentId?: string | undefined;
  /** All payments, failed ones too, in the order in which they happened. Absent before the first. */
  readonly payments?: readonly Payment[] | undefined;
  /** The refunds of its successful payments, in the order in which they happened. Absent before the first. */
  readonly refunds?: readonly Refund[] | undefined;
  /** The refunds whose payment is not recorded yet. They have no effect and no event. Absent if there is none. */
  readonly earlyRefunds?: readonly Refund[] | undefined;
  /** The cart was abandoned when the payment succeeded. */
  readonly latePayment?: true | undefined;
  /** Why the last payment failed, if the payment side said so. Only a cart in `payment_failed` has it. */
  readonly failureReason?: string | undefined;
  /** When the payment that completed the cart happened. The stage keeps the buyer's data for a time from then on. */
  readonly completedAtMs?: number | undefined;
  /** When the service recorded that the cart was abandoned, and sent `cart.abandoned`. */
  readonly abandonmentRecordedAtMs?: number | undefined;
  /** When the table's TTL may delete the cart, in Unix seconds. Absent in a completed cart, which is never deleted. */
  readonly deleteAtSeconds?: number | undefined;
  /** The fingerprint of the request that created the cart. Retries have the same one. */
  readonly requestFingerprint: string;
  /** When the personal data was erased (`lib/erasures/erased-cart.ts`). */
  readonly personalDataErasedAtMs?: number | undefined;
}

/** The input of {@link newCart}, which sets the other fields. */
export interface NewCart
  extends
    KeptFields,
    Pick<Cart, 'id' | 'storeId' | 'mode' | 'customerInfo' | 'productId' | 'productName' | 'price'>,
    Pick<Cart, 'returnUrl' | 'cancelUrl' | 'requestFingerprint'> {
  readonly nowMs: number;
}

/** How long the carts of a stage live. */
export interface CartLifetime {
  /** From creation to expiry. */
  readonly expirySeconds: number;
  /** From the expiry of an unpaid cart to its deletion. */
  readonly retentionSeconds: number;
}

/** A new cart, which waits for its payment (`docs/contract.md`, "Statuses"). */
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

/** Whether a cart belongs to the store and the mode of an API key. */
export const isVisibleTo = (cart: Cart, { storeId, mode }: Pick<Cart, 'storeId' | 'mode'>): boolean =>
  cart.storeId === storeId && cart.mode === mode;

/** Whether the buyer's data of a cart is erased. */
export const isErased = ({ personalDataErasedAtMs }: Pick<Cart, 'personalDataErasedAtMs'>): boolean =>
  personalDataErasedAtMs !== undefined;
