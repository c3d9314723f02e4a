import { CREATED, invalid, invalidInTest, order, rejected, type Programs } from '../support/program.ts';

const PRODUCTS = '/api/v1/stores/products';
const EVENTS = '/api/v1/stores/events';
const DELIVERIES = '/api/v1/stores/webhook-endpoints/we_1/deliveries';

const OK = { status: 200 };

/** How programs read lists and products. */
export const programs: Programs = {
  /** Ruby, code for another API: a page of deliveries begins after an id. */
  'deliveries-starting-after': {
    creates: () => ({ method: 'GET', target: `${DELIVERIES}?starting_after=evt_1` }),
    gets: {
      test: invalid({ 'query.starting_after': 'Unknown parameter starting_after; did you mean after?' }),
      live: rejected('webhookEndpointNotFound'),
    },
  },
  /** Go, a loop over deliveries: `after` has the time of the last one, as `before` does. */
  'deliveries-after-a-time': {
    creates: () => ({ method: 'GET', target: `${DELIVERIES}?after=2026-11-20T15:00:00Z` }),
    gets: invalid({ 'query.after': 'Must be a cursor from a response' }),
  },
  /** PHP, a job that sends the cursor by its name in the response. In live mode, it reads the first page for ever. */
  'feed-cursor': {
    creates: () => ({ method: 'GET', target: `${EVENTS}?cursor=00000000000000&limit=100` }),
    gets: {
      test: invalid({ 'query.cursor': 'Unknown parameter cursor; did you mean after?' }),
      live: OK,
    },
  },
  /** PHP, `arg_separator.output` is `&amp;`: the second parameter has another name. */
  'feed-escaped-ampersand': {
    creates: () => ({ method: 'GET', target: `${EVENTS}?limit=100&amp;after=` }),
    gets: {
      test: invalid({ 'query.amp;after': 'Unknown parameter amp;after; did you mean after?' }),
      live: OK,
    },
  },
  /** JavaScript, a filter that the feed does not have: the code would take each event for a payment. */
  'feed-of-a-type': {
    creates: () => ({ method: 'GET', target: `${EVENTS}?types=cart.completed` }),
    gets: {
      test: invalid({
        'query.types': 'Unknown parameter types; the list has all events',
      }),
      live: OK,
    },
  },
  /** TypeScript, a shop's nightly catalogue: it follows the cursor, and keeps what is on sale. */
  'products-catalogue': {
    creates: () => ({ method: 'GET', target: `${PRODUCTS}?limit=1` }),
    gets: OK,
    reads: async (first, { send, course, donation }) => {
      const catalogue = new Map<string, object>();
      for (let page = first.body; ;) {
        for (const { id, available, price, priceRange } of page.products) {
          if (available) catalogue.set(id, price ?? priceRange);
        }
        if (!page.hasMore) return [course, donation].map((id) => catalogue.get(id));
        page = (await send({ method: 'GET', target: `${PRODUCTS}?after=${page.cursor}` })).body;
      }
    },
    sees: [
      { amount: 49.9, currency: 'EUR' },
      { minimum: 1, maximum: 9999999999999.99, suggested: 5, currency: 'EUR' },
    ],
  },
  /** Java, a page of a shop that sends `page` and `per_page`. In live mode, each page is the first one. */
  'products-page-number': {
    creates: () => ({ method: 'GET', target: `${PRODUCTS}?page=2&per_page=1` }),
    gets: {
      test: invalid({
        'query.page': 'Unknown parameter page; did you mean after?',
        'query.per_page': 'Unknown parameter per_page; did you mean limit?',
      }),
      live: OK,
    },
  },
  /** Python, a product page: it shows the price of the product, and then creates a cart with the same one. */
  'product-before-cart': {
    creates: ({ course }) => ({ method: 'GET', target: `${PRODUCTS}/${course}` }),
    gets: OK,
    reads: async ({ body: { id, price } }, shop) => {
      const { body } = await shop.send({ body: order(shop, { productDocumentId: id, price }) });
      return [body.cart.price.amount === price.amount, body.cart.price.currency === price.currency];
    },
    sees: [true, true],
  },
  /** C#, an id of another store. Nobody learns that the product exists. */
  'product-of-another-shop': {
    creates: ({ foreignProduct }) => ({ method: 'GET', target: `${PRODUCTS}/${foreignProduct}` }),
    gets: rejected('productNotFound'),
  },
  /** JavaScript, a shop that states the currency of its own catalogue: the buyer would pay another amount. */
  'product-currency-of-own-catalogue': {
    orders: { currency: 'USD' },
    gets: invalidInTest({
      currency: 'Unknown field currency; the price of the product is in EUR: omit the field',
    }),
  },
  /** Kotlin, a currency in lower case that is the product's. */
  'product-currency-in-lower-case': { orders: { currency: 'eur' }, gets: CREATED },
};
