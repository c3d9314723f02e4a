import { viewRetrievedCart } from '../../../lib/carts/cart-view.ts';
import type { Cart } from '../../../lib/carts/cart.ts';

/** A cart as its merchant retrieves it, with the fields that only operators see, and without the payment address. */
export const cartJson = (cart: Cart, nowMs: number) => {
  const { storeId, mode, returnUrl, cancelUrl } = cart;
  const { redirectUrl: _, ...view } = viewRetrievedCart(cart, nowMs);
  return { ...view, storeId, mode, returnUrl, cancelUrl };
};

/** A cart without any optional field. */
const BARE_CART: Cart = {
  id: '',
  storeId: '',
  mode: 'test',
  status: 'waiting_payment',
  createdAtMs: 0,
  updatedAtMs: 0,
  expiresAtMs: 0,
  customerInfo: {},
  productId: '',
  productName: '',
  price: { amount: 0, currency: 'EUR' },
  meta: {},
  requestFingerprint: '',
};

/** The names in {@link cartJson}, for the declaration of a command. Those that a cart may lack have a question mark. */
export const CART_JSON = Object.entries(cartJson(BARE_CART, 0))
  .map(([name, value]) => (value === undefined ? `${name}?` : name))
  .join(' ');
