import type { Cart } from './cart.ts';

/** The item that stores a cart. `meta` is a Map because the SDK reads an object's `constructor`, a possible meta key. */
export const toItem = (cart: Cart): Record<string, unknown> => ({
  ...cart,
  meta: new Map(Object.entries(cart.meta)),
});

type RequiredField = { [Field in keyof Cart]-?: undefined extends Cart[Field] ? never : Field }[keyof Cart];

/** The fields that every cart has. A field that is missing here, or is optional, does not compile. */
const REQUIRED_FIELDS = Object.keys({
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
  meta: true,
  requestFingerprint: true,
} satisfies Record<RequiredField, true>);

/**
 * The cart of a stored item: the inverse of {@link toItem}.
 *
 * It drops `statusChange`, which is for the table's stream, and checks that every required field is present. It keeps
 * unknown fields: a payment writes the whole cart back, and a later release may have created it. It does not validate
 * values: only this service writes them, and validation would slow every request.
 *
 * @param item as the document client or `unmarshall` returns it
 * @throws Error if a required field is missing
 */
export const fromItem = (item: Readonly<Record<string, unknown>>): Cart => {
  const { statusChange: _, ...cart } = item;
  const missing = REQUIRED_FIELDS.find((field) => cart[field] === undefined);
  if (missing !== undefined) throw new Error(`A stored cart has no ${missing}`);
  return cart as unknown as Cart;
};
