import { statusAt } from '../../../../lib/carts/cart-status.ts';
import type { Cart } from '../../../../lib/carts/cart.ts';
import { formatPrice } from '../../../../lib/pages/format-price.ts';
import { type Markup, markup } from '../../../../lib/pages/markup.ts';
import type { PageSources } from '../page-sources.ts';
import { cartReference, storeCell, tableSection, time } from '../parts/elements.ts';
import { type ListEnd, type ListPage, listPages, PAGE_SIZE, pageEnd, searchOf } from '../parts/list-page.ts';
import { cartMarks, cartPills } from './cart-pills.ts';

const PATH = '/carts';

const FILTERS = {
  status: [
    ['', 'All'],
    ['waiting_payment', 'Waiting payment'],
    ['completed', 'Completed'],
    ['payment_failed', 'Payment failed'],
    ['abandoned', 'Abandoned'],
    ['refunded', 'Refunded'],
    ['late', 'Late'],
    ['paid twice', 'Paid twice'],
  ],
} as const;

/** The most carts that a page with a filter reads: about 0.1 s. */
const READ_MAX = 500;

/** A section with a table of carts. It shows nothing about the buyers. */
const cartsSection = (carts: readonly Cart[], nowMs: number, end: ListEnd): Markup =>
  tableSection({
    id: 'carts',
    heading: 'Carts',
    items: carts,
    columns: {
      Cart: ({ id }) => cartReference(id),
      Product: ({ productName }) => productName,
      Amount: ({ price }) => markup`<span class="keep">${formatPrice(price, 'en')}</span>`,
      Status: (cart) => cartPills(cart, nowMs),
      Store: storeCell,
      Created: ({ createdAtMs }) => time(createdAtMs),
    },
    ...end,
  });

/** The section of the dashboard with the newest carts. */
export const newestCartsSection = (carts: readonly Cart[], nowMs: number): Markup =>
  cartsSection(carts, nowMs, { empty: 'No cart yet. Create a test cart above.', all: PATH });

const matches = (cart: Cart, status: string | null, nowMs: number): boolean =>
  status === null ||
  statusAt(cart, nowMs).status === status ||
  cartMarks(cart).some((mark) => mark === status);

type CartSources = Pick<PageSources, 'cartIds' | 'readCarts' | 'now'>;

/** Reads the page of carts that a query asks for. With a filter, it may have few, or none, although a next page has some. */
const readPage = async (
  query: URLSearchParams,
  { cartIds, readCarts, now }: CartSources,
): Promise<ListPage<Cart>> => {
  const search = searchOf(query);
  const ids = (await cartIds()).filter((id) => id.startsWith(search));
  const begin = ids.indexOf(query.get('after') ?? '') + 1;
  const end = Math.min(ids.length, begin + READ_MAX);
  const found: Cart[] = [];
  // Further carts are read only if these do not fill the page.
  for (let read = begin; read < end && found.length <= PAGE_SIZE; read += PAGE_SIZE) {
    const carts = await readCarts(ids.slice(read, read + PAGE_SIZE));
    found.push(...carts.filter((cart) => matches(cart, query.get('status'), now())));
  }
  const items = found.slice(0, PAGE_SIZE);
  if (found.length > PAGE_SIZE) return { items, next: items.at(-1)?.id };
  return { items, next: end < ids.length ? ids[end - 1] : undefined };
};

/** Finds the list of carts, `/carts`. */
export const cartListPages = (sources: CartSources) =>
  listPages({ path: PATH, title: 'Carts', filters: FILTERS, searches: 'Search by id' }, async (query) => {
    const page = await readPage(query, sources);
    const end = pageEnd(PATH, query, page, 'No cart yet. Create one on the dashboard or with your program.');
    return cartsSection(page.items, sources.now(), end);
  });
