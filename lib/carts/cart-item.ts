import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { assertReadable, type ItemSchema, schemaVersionOf } from '../database/readable-item.ts';
import { IS_NOT_PAST_DELETION, isPastDeletion, ttlValues } from '../database/time-to-live.ts';
import { timerOfCart } from './cart-timer.ts';
import type { Cart } from './cart.ts';

const CART_SCHEMA: ItemSchema = { kind: 'cart', version: 1 };

/** The attribute of a cart's `returnUrl`. In responses, `redirectUrl` is the address of the payment page. */
export const RETURN_URL_ATTRIBUTE = 'redirectUrl';

/** The fields of a cart by the names of their attributes. */
export const attributesOf = ({ returnUrl, ...cart }: Cart): Readonly<Record<string, unknown>> =>
  returnUrl === undefined ? cart : { ...cart, [RETURN_URL_ATTRIBUTE]: returnUrl };

/** The item that stores a cart. `meta` is a Map because the SDK reads an object's `constructor`, a possible meta key. */
export const toCartItem = (cart: Cart): Record<string, unknown> => ({
  ...attributesOf(cart),
  meta: new Map(Object.entries(cart.meta)),
  ...timerOfCart(cart),
  ...schemaVersionOf(CART_SCHEMA),
});

type RequiredField = { [Field in keyof Cart]-?: undefined extends Cart[Field] ? never : Field }[keyof Cart];

type TypeName<Value> = Value extends string ? 'string' : Value extends number ? 'number' : 'object';

/** The type of each field that every cart has. A field that is missing here, or is optional, does not compile. */
const REQUIRED_FIELDS = Object.entries({
  id: 'string',
  storeId: 'string',
  mode: 'string',
  status: 'string',
  createdAtMs: 'number',
  updatedAtMs: 'number',
  expiresAtMs: 'number',
  customerInfo: 'object',
  productId: 'string',
  productName: 'string',
  price: 'object',
  meta: 'object',
  requestFingerprint: 'string',
} satisfies { [Field in RequiredField]: TypeName<Cart[Field]> });

/**
 * The cart of a stored item: the inverse of {@link toCartItem}.
 *
 * It drops the schema version and the timer, and checks the type of every required field. It keeps unknown fields: a payment writes the
 * whole cart back, and a later release may have created it. It does not validate more: only this service writes carts, and
 * validation would slow every request.
 *
 * @param item as the document client or `unmarshall` returns it
 * @throws UnreadableItemError if the item has a later schema version, or if a required field is missing or has another type
 */
export const fromCartItem = (item: Readonly<Record<string, unknown>>): Cart => {
  assertReadable(CART_SCHEMA, item, REQUIRED_FIELDS);
  const {
    schemaVersion: _version,
    timer: _timer,
    timerAtMs: _timerAtMs,
    [RETURN_URL_ATTRIBUTE]: returnUrl,
    ...cart
  } = item;
  return (returnUrl === undefined ? cart : { ...cart, returnUrl }) as unknown as Cart;
};

/** A stored cart as DynamoDB returns it. */
type RawCart = Readonly<Record<string, AttributeValue>>;

/** The cart of a stored item as DynamoDB returns it. Throws as {@link fromCartItem} does. */
export const fromRawCart = (raw: RawCart): Cart => fromCartItem(unmarshall(raw));

/** The cart of a stored item, or `undefined` if it is past its deletion time. Throws as {@link fromCartItem} does. */
export const existingCart = (
  item: Readonly<Record<string, unknown>> | undefined,
  nowMs: number,
): Cart | undefined =>
  !item || isPastDeletion(Number(item['deleteAtSeconds']), nowMs) ? undefined : fromCartItem(item);

/**
 * The condition of a change: the stored cart is the one that was read, and not past its deletion time. The time of creation
 * distinguishes it from a new cart with its id.
 */
export const IS_SAME_CART = `createdAtMs = :createdAtMs AND ${IS_NOT_PAST_DELETION}`;

/** The values of {@link IS_SAME_CART}. */
export const sameCartValues = ({ createdAtMs }: Pick<Cart, 'createdAtMs'>, nowMs: number) => ({
  ':createdAtMs': createdAtMs,
  ...ttlValues(nowMs),
});

/** Condition: not erased. */
export const IS_NOT_ERASED = 'attribute_not_exists(personalDataErasedAtMs)';
