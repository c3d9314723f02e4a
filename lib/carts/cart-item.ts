import type { Cart } from './cart.ts';

/** The item that stores a cart. `meta` is a Map because the SDK reads an object's `constructor`, a possible meta key. */
export const toItem = (cart: Cart): Record<string, unknown> => ({
  ...cart,
  meta: new Map(Object.entries(cart.meta)),
});

type IsRequired<Value> = undefined extends Value ? false : true;

/** Every field of a cart, and whether it is required. A missing field, or a wrong value, does not compile. */
const CART_FIELDS = Object.entries({
  id: true,
  storeId: true,
  mode: true,
  status: true,
  createdAtMs: true,
  updatedAtMs: true,
  expiresAtMs: true,
  customerInfo: true,
  productId: true,
  productName: true,
  price: true,
  redirectUrl: false,
  meta: true,
  paymentId: false,
  payments: false,
  latePayment: false,
  deleteAtSeconds: false,
  requestFingerprint: true,
} satisfies { [Field in keyof Cart]-?: IsRequired<Cart[Field]> });

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
  for (const [field, isRequired] of CART_FIELDS) {
    const value = item[field];
    if (value !== undefined) cart[field] = value;
    else if (isRequired) throw new Error(`A stored cart has no ${field}`);
  }
  return cart as unknown as Cart;
};
