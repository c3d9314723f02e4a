import type { Cart } from '../carts/cart.ts';
import { readEventBody } from '../events/event-body.ts';

/** The stored fingerprint of an erased cart. No request has it: a fingerprint is 43 characters of base64url. */
export const ERASED_FINGERPRINT = 'erased';

/**
 * Whether a cart keeps each field when its buyer's data is erased. A field that is missing here does not compile. The
 * address for the buyer's return can carry an e-mail in its query. The fingerprint is an unsalted hash over the e-mail.
 */
const IS_KEPT: Readonly<Record<keyof Cart, boolean>> = {
  id: true,
  storeId: true,
  mode: true,
  status: true,
  createdAtMs: true,
  updatedAtMs: true,
  expiresAtMs: true,
  customerInfo: false,
  productId: true,
  productName: true,
  price: true,
  redirectUrl: false,
  paymentId: true,
  payments: true,
  latePayment: true,
  abandonmentRecordedAtMs: true,
  deleteAtSeconds: true,
  meta: false,
  requestFingerprint: false,
  personalDataErasedAtMs: true,
};

/** Whether an erased cart keeps a field of its item. Fields that this release does not know go too. */
export const isKeptField = (name: string): boolean =>
  Object.hasOwn(IS_KEPT, name) && IS_KEPT[name as keyof Cart];

/** Whether the buyer's data of a cart is erased. */
export const isErased = ({ personalDataErasedAtMs }: Pick<Cart, 'personalDataErasedAtMs'>): boolean =>
  personalDataErasedAtMs !== undefined;

/** The condition that a stored cart has its buyer's data. */
export const IS_NOT_ERASED = 'attribute_not_exists(personalDataErasedAtMs)';

/** Whether the retention has yet to erase a cart's data. TTL deletes unpaid carts. */
export const awaitsErasure = (cart: Pick<Cart, 'status' | 'personalDataErasedAtMs'>): boolean =>
  cart.status === 'completed' && !isErased(cart);

/**
 * A cart without its buyer's data and `meta`. Amounts, payments, statuses and times stay, `updatedAtMs` too: it is the time of
 * the last change of status or payment. An erased cart stays as it is.
 */
export const erasedCart = (cart: Cart, nowMs: number): Cart => {
  if (isErased(cart)) return cart;
  const kept = Object.fromEntries(Object.entries(cart).filter(([name]) => isKeptField(name))) as Cart;
  return {
    ...kept,
    customerInfo: {},
    meta: {},
    requestFingerprint: ERASED_FINGERPRINT,
    personalDataErasedAtMs: nowMs,
  };
};

/**
 * The JSON text of an event whose cart has no buyer's data and no `meta`. Fields that this release does not know stay.
 *
 * @throws UnreadableItemError if the text is no event. The message does not quote it
 */
export const erasedEventBody = (body: string): string => {
  const event = readEventBody(body);
  return JSON.stringify({ ...event, data: { ...event.data, customerInfo: {}, meta: {} } });
};
