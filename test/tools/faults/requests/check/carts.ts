import { isDeepStrictEqual } from 'node:util';
import { viewCreatedCart, viewRetrievedCart } from '../../../../../lib/carts/cart-view.ts';
import type { Cart } from '../../../../../lib/carts/cart.ts';
import { type BrokenRule, findBroken } from '../../broken-rule.ts';
import { type Exchange, type History } from '../history.ts';

const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** The issue of a successful response, given its stored cart. No cart is paid, so the views do not depend on time. */
const findIssue = (
  { request, response }: Exchange,
  cart: Cart | undefined,
  { keys }: History,
): string | undefined => {
  const body = response?.body ?? {};
  if (!cart) return 'the database does not have it';
  const key = keys.get(request.keyName);
  if (cart.storeId !== key?.storeId || cart.mode !== key.mode) return 'it belongs to another store or mode';
  const isCreated = request.operation === 'createCartCheckout';
  const view = isCreated ? viewCreatedCart : viewRetrievedCart;
  // The payment address, which is not stored, is beside a created cart and in a retrieved one.
  const { cart: created, redirectUrl, ...retrieved } = body;
  if (!String(redirectUrl).endsWith(`/${cart.id}`)) return 'its redirectUrl has another cart';
  if (!isDeepStrictEqual(isCreated ? created : retrieved, asJson(view(cart, cart.createdAtMs)))) {
    return 'the stored cart differs';
  }
  const isOther = isCreated && cart.meta['marker'] !== request.marker;
  return isOther ? 'it has another payload' : undefined;
};

const checkResponded = (history: History): BrokenRule[] => {
  const stored = new Map(history.storedCarts.map((cart) => [cart.id, cart]));
  return history.exchanges.flatMap((exchange): BrokenRule[] => {
    const { status, response } = exchange;
    if (status !== 201 && status !== 200) return [];
    const cart = (status === 201 ? response?.body['cart'] : response?.body) as Partial<Cart> | undefined;
    const id = String(cart?.id);
    const issue = findIssue(exchange, stored.get(id), history);
    const isBroken = issue !== undefined;
    const rule = 'each cart of a response is stored, and equal';
    return findBroken(`cart ${id}: ${issue}`, [[rule, isBroken, [exchange]]]);
  });
};

/** Whether the request may have made a cart: the response confirms it, is lost or leaves it open. */
const mayHaveMade = ({ status }: Exchange): boolean => status === 'cut' || status === 201 || status >= 500;

const checkStored = ({ exchanges, storedCarts }: History): BrokenRule[] => {
  const byMarker = Map.groupBy(exchanges, ({ request }) => request.marker);
  const carts = Map.groupBy(storedCarts, ({ meta }) => String(meta['marker']));
  return [...carts].flatMap(([marker, made]) => {
    const requests = byMarker.get(marker) ?? [];
    return findBroken(`${made.map(({ id }) => id).join(', ')} of the payload ${marker}`, [
      ['one request makes one cart', made.length > 1, requests],
      ['no cart exists whose request was rejected or never sent', !requests.some(mayHaveMade), requests],
    ]);
  });
};

/** Compares the carts of the responses with the stored carts, in both directions. */
export const checkCarts = (history: History): BrokenRule[] => [
  ...checkResponded(history),
  ...checkStored(history),
];
