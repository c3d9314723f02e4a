import type { Cart } from '../carts/cart.ts';
import { CART_RULES, keepFields } from './erased-fields.ts';

/** The stored fingerprint of an erased cart. No request has it: a fingerprint is 43 characters of base64url. */
export const ERASED_FINGERPRINT = 'erased';

/**
 * A cart, not erased yet, without its erased fields (`erased-fields.ts`). Amounts, payments, statuses and times stay,
 * `updatedAtMs` too: it is the time of the last change of status or payment.
 */
export const erasedCart = (cart: Cart, nowMs: number): Cart => ({
  ...(keepFields(cart, CART_RULES) as Cart),
  requestFingerprint: ERASED_FINGERPRINT,
  personalDataErasedAtMs: nowMs,
});
