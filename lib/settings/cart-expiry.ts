/**
 * Decision: a cart waits for its payment from 30 minutes to 30 days. Each stage has a limit within these bounds, in
 * `CART_EXPIRY_SECONDS`.
 */
export const CART_EXPIRY_MINUTES = { min: 30, max: 30 * 24 * 60 } as const;
