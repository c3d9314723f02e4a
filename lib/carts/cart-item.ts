import type { Cart } from './cart.ts';

/** The item that stores a cart. `meta` is a Map because the SDK reads an object's `constructor`, a possible meta key. */
export const toItem = (cart: Cart): Record<string, unknown> => ({
  ...cart,
  meta: new Map(Object.entries(cart.meta)),
});

type Presence<Value> = undefined extends Value ? 'optional' : 'required';

/** Every field of a cart. A field that is missing here, or has the wrong presence, does not compile. */
const CART_FIELDS = Object.entries({
  id: 'required',
  storeId: 'required',
  mode: 'required',
  status: 'required',
  createdAtMs: 'required',
  updatedAtMs: 'required',
  expiresAtMs: 'required',
  customerInfo: 'required',
  productId: 'required',
  productName: 'required',
  price: 'required',
  redirectUrl: 'optional',
  meta: 'required',
  paymentId: 'optional',
  payments: 'optional',
  latePayment: 'optional',
  deleteAtSeconds: 'optional',
  requestFingerprint: 'required',
} satisfies { [Field in keyof Cart]-?: Presence<Cart[Field]> });

/**
 * The cart of a stored item: the inverse of {@link toItem}.
 *
 * It drops other attributes, such as `statusChange`, and checks that every required field is present. It does not
 * validate values: only this service writes them, and validation would slow every request.
 *
 * @param item as the document client or `unmarshall` returns it
 * @throws Error if a required field is missing
 */
export const fromItem = (item: Readonly<Record<string, unknown>>): Cart => {
  const cart: Record<string, unknown> = {};
  for (const [field, presence] of CART_FIELDS) {
    const value = item[field];
    if (value !== undefined) cart[field] = value;
    else if (presence === 'required') throw new Error(`A stored cart has no ${field}`);
  }
  return cart as unknown as Cart;
};
