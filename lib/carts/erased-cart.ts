import type { Cart } from './cart.ts';
import { readEventBody } from './cart-event.ts';
import { CART_RULES, eventRules, keepFields } from './erased-fields.ts';

/** The stored fingerprint of an erased cart. No request has it: a fingerprint is 43 characters of base64url. */
export const ERASED_FINGERPRINT = 'erased';

/**
 * A cart, not erased yet, without its erased fields (`erased-fields.ts`). Amounts, payments, statuses and times stay, `updatedAtMs` too: it
 * is the time of the last change of status or payment.
 */
export const erasedCart = (cart: Cart, nowMs: number): Cart => ({
  ...(keepFields(cart, CART_RULES) as Cart),
  requestFingerprint: ERASED_FINGERPRINT,
  personalDataErasedAtMs: nowMs,
});

/**
 * The JSON text of an event without the erased fields of its cart.
 *
 * @throws UnreadableItemError if the text is no event. The message does not quote it
 */
export const erasedEventBody = (body: string): string =>
  JSON.stringify(keepFields(readEventBody(body), eventRules()));
