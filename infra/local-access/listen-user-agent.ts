/** The `User-Agent` of `cart-checkout listen`. The local stage then does not take it for a merchant's program. */
export const LISTEN_USER_AGENT = 'cart-checkout-listen';
