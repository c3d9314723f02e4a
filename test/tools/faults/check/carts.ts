import { isDeepStrictEqual } from 'node:util';
import { viewCreatedCart, viewRetrievedCart } from '../../../../lib/carts/cart-view.ts';
import type { Cart } from '../../../../lib/carts/cart.ts';
import {
  responseOf,
  type CreateRequest,
  type Exchange,
  groupBy,
  type History,
  statusOf,
  type Violation,
} from '../history.ts';

/** As it goes over the wire: without what is undefined. */
const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** What is wrong about the stored cart of an answer 201 or 200; its views are as of its creation, since none is paid. */
const storedFault = (exchange: Exchange, cart: Cart | undefined, { keys }: History): string | undefined => {
  const { request } = exchange;
  const body = responseOf(exchange)?.body ?? {};
  if (!cart) return 'the database does not have it';
  const key = keys.get(request.keyName);
  if (cart.storeId !== key?.storeId || cart.mode !== key.mode) return 'it belongs to another store or mode';
  if (request.operation === 'retrieve') {
    return isDeepStrictEqual(body, asJson(viewRetrievedCart(cart, cart.createdAtMs)))
      ? undefined
      : 'the database has it otherwise';
  }
  if (!isDeepStrictEqual(body['cart'], asJson(viewCreatedCart(cart, cart.createdAtMs)))) {
    return 'the database has it otherwise';
  }
  if (cart.meta['marker'] !== request.marker) return 'it was made of another payload';
  return String(body['redirectUrl']).endsWith(`/${cart.id}`)
    ? undefined
    : 'its redirectUrl is of another cart';
};

const cartIdIn = (exchange: Exchange): string | undefined => {
  const body = responseOf(exchange)?.body;
  return (statusOf(exchange) === 201 ? (body?.['cart'] as Partial<Cart> | undefined)?.id : body?.['id']) as
    string | undefined;
};

const checkAnswered = (history: History): Violation[] => {
  const stored = new Map(history.storedCarts.map((cart) => [cart.id, cart]));
  return history.exchanges.flatMap((exchange): Violation[] => {
    const status = statusOf(exchange);
    if (status !== 201 && status !== 200) return [];
    const id = cartIdIn(exchange);
    const fault = storedFault(exchange, stored.get(String(id)), history);
    return fault === undefined
      ? []
      : [
          {
            rule: 'each cart that was answered exists, and equals its answer',
            detail: `cart ${String(id)}: ${fault}`,
            exchanges: [exchange],
          },
        ];
  });
};

/** Whether an outcome leaves open that the cart was made: the answer was lost, or says so. */
const mayHaveMade = (exchange: Exchange): boolean => {
  const status = statusOf(exchange);
  return status === 'cut' || status === 201 || status >= 500;
};

/** Checks the other way round: each stored cart was asked for, by one payload, and never refused. */
const checkStored = (history: History): Violation[] => {
  const creations = history.exchanges.filter(({ request }) => request.operation === 'create');
  const byMarker = groupBy(creations, ({ request }) => (request as CreateRequest).marker);
  const carts = groupBy(history.storedCarts, ({ meta }) => String(meta['marker']));
  return [...carts].flatMap(([marker, made]): Violation[] => {
    const exchanges = byMarker.get(marker) ?? [];
    const detail = `${made.map(({ id }) => id).join(', ')} of the payload ${marker}`;
    const violations: Violation[] = [];
    if (made.length > 1) violations.push({ rule: 'one request makes one cart', detail, exchanges });
    if (!exchanges.some(mayHaveMade)) {
      violations.push({ rule: 'no cart is made that was refused or not asked for', detail, exchanges });
    }
    return violations;
  });
};

/** Checks the carts that were answered against those that the database holds afterwards, and the other way round. */
export const checkCarts = (history: History): Violation[] => [
  ...checkAnswered(history),
  ...checkStored(history),
];
