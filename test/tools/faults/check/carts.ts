import { isDeepStrictEqual } from 'node:util';
import { viewCreatedCart, viewRetrievedCart } from '../../../../lib/carts/cart-view.ts';
import type { Cart } from '../../../../lib/carts/cart.ts';
import {
  responseOf,
  type CreateRequest,
  type Exchange,
  type History,
  statusOf,
  type Violation,
} from '../history.ts';

const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** The issue of a successful response, given its stored cart. No cart is paid, so the views do not depend on time. */
const findIssue = (
  { request, ...exchange }: Exchange,
  cart: Cart | undefined,
  { keys }: History,
): string | undefined => {
  const body = responseOf({ request, ...exchange })?.body ?? {};
  if (!cart) return 'the database does not have it';
  const key = keys.get(request.keyName);
  if (cart.storeId !== key?.storeId || cart.mode !== key.mode) return 'it belongs to another store or mode';
  const isCreated = request.operation === 'createCartCheckout';
  const view = isCreated ? viewCreatedCart : viewRetrievedCart;
  if (!isDeepStrictEqual(isCreated ? body['cart'] : body, asJson(view(cart, cart.createdAtMs)))) {
    return 'the stored cart differs';
  }
  if (!isCreated) return undefined;
  if (cart.meta['marker'] !== request.marker) return 'it has another payload';
  return String(body['redirectUrl']).endsWith(`/${cart.id}`) ? undefined : 'its redirectUrl has another cart';
};

const cartIdIn = (exchange: Exchange): string => {
  const body = responseOf(exchange)?.body;
  const cart = statusOf(exchange) === 201 ? (body?.['cart'] as Partial<Cart> | undefined) : body;
  return String(cart?.['id']);
};

const checkResponded = (history: History): Violation[] => {
  const stored = new Map(history.storedCarts.map((cart) => [cart.id, cart]));
  return history.exchanges.flatMap((exchange): Violation[] => {
    const status = statusOf(exchange);
    if (status !== 201 && status !== 200) return [];
    const id = cartIdIn(exchange);
    const issue = findIssue(exchange, stored.get(id), history);
    if (issue === undefined) return [];
    const detail = `cart ${id}: ${issue}`;
    return [{ rule: 'each cart of a response is stored, and equal', detail, exchanges: [exchange] }];
  });
};

/** Whether the request may have made a cart: the response confirms it, is lost or leaves it open. */
const mayHaveMade = (exchange: Exchange): boolean => {
  const status = statusOf(exchange);
  return status === 'cut' || status === 201 || status >= 500;
};

const checkStored = ({ exchanges, storedCarts }: History): Violation[] => {
  const byMarker = Map.groupBy(
    exchanges.filter(({ request }) => request.operation === 'createCartCheckout'),
    ({ request }) => (request as CreateRequest).marker,
  );
  const carts = Map.groupBy(storedCarts, ({ meta }) => String(meta['marker']));
  return [...carts].flatMap(([marker, made]): Violation[] => {
    const requests = byMarker.get(marker) ?? [];
    const detail = `${made.map(({ id }) => id).join(', ')} of the payload ${marker}`;
    const violations: Violation[] = [];
    if (made.length > 1) violations.push({ rule: 'one request makes one cart', detail, exchanges: requests });
    if (!requests.some(mayHaveMade)) {
      violations.push({
        rule: 'no cart exists whose request was rejected or never sent',
        detail,
        exchanges: requests,
      });
    }
    return violations;
  });
};

/** Compares the carts of the responses with the stored carts, in both directions. */
export const checkCarts = (history: History): Violation[] => [
  ...checkResponded(history),
  ...checkStored(history),
];
