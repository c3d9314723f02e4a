import { viewRetrievedCart } from '../../../lib/carts/cart-view.ts';
import type { Cart } from '../../../lib/carts/cart.ts';

/** A cart as its merchant retrieves it, with the fields that only operators see. */
export const cartJson = (cart: Cart, nowMs: number) => {
  const { storeId, mode, returnUrl, cancelUrl } = cart;
  return { ...viewRetrievedCart(cart, nowMs), storeId, mode, returnUrl, cancelUrl };
};
