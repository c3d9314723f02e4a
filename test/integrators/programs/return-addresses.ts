import { CREATED, invalid, order, type Programs } from '../support/program.ts';

/** Return addresses, and what the page behind them reads. */
export const programs: Programs = {
  /** TypeScript: a buyer who leaves returns to the basket, and one whose payment failed to the order. */
  'cancel-address': {
    orders: { redirectURL: 'https://shop.example/orders/7', cancelURL: 'https://shop.example/basket' },
    gets: CREATED,
    reads: async (created, { atCheckout }) => [
      (await atCheckout(created, 'leave')).pathname,
      (await atCheckout(created, 'decline')).pathname,
    ],
    sees: ['/basket', '/orders/7'],
  },
  /** PHP, WordPress: the address of the basket is relative. */
  'cancel-address-relative': {
    orders: { cancelURL: '/basket' },
    gets: invalid({ cancelURL: 'Must begin with https:// or http://' }),
  },
  /** JavaScript, a habit of another payment API: `{CHECKOUT_SESSION_ID}`. */
  'placeholder-checkout-session': {
    orders: { redirectURL: 'https://shop.example/thanks?session_id={CHECKOUT_SESSION_ID}&purchase=7' },
    gets: invalid({
      redirectURL: "Unknown placeholder {CHECKOUT_SESSION_ID}; the only one is {CART_ID}, the cart's id",
    }),
  },
  /** Low-code, an automation whose template was not filled in: `{{order}}` reaches the API. */
  'placeholder-of-a-template': {
    orders: { redirectURL: 'https://shop.example/thanks?order={{order}}' },
    gets: invalid({ redirectURL: /placeholder/i }),
  },
  /**
   * PHP: the return address has a reference of the shop as `cartId`, and `status=approved`. The page reads `cartId`,
   * then asks the API about it.
   */
  'return-cart-id-in-query': {
    orders: { redirectURL: 'https://shop.example/?payment=ok&cartId=pending&status=approved' },
    gets: CREATED,
    reads: async (created, { atCheckout, retrieve }) => {
      const { searchParams } = await atCheckout(created, 'pay');
      const cart = await retrieve(searchParams.get('cartId') ?? searchParams.get('cart_id') ?? '');
      return [searchParams.get('payment'), searchParams.getAll('status'), cart.body.status];
    },
    sees: ['ok', ['completed'], 'completed'],
  },
  /**
   * Dart, a Flutter app: a deep link brings the buyer back into the app. Dart writes header names in lower case.
   */
  'return-deep-link': {
    creates: (shop) => ({
      headers: { authorization: `Bearer ${shop.apiKey}`, 'content-type': 'application/json; charset=utf-8' },
      body: order(shop, { redirectURL: 'myshop://payment/done' }),
    }),
    gets: invalid({ redirectURL: /http/ }),
  },
  /**
   * PHP, WordPress: `esc_url` wrote `&#038;` into the address. It begins the fragment, so the page does not find `key`
   * in the query.
   */
  'return-escaped-ampersand': {
    orders: { redirectURL: 'https://shop.example/received/12/?utm=mail&#038;key=wc_order_1' },
    gets: CREATED,
    reads: async (created, { atCheckout }) => {
      const { searchParams, hash } = await atCheckout(created, 'pay');
      return [searchParams.get('utm'), searchParams.get('status'), hash];
    },
    sees: ['mail', 'completed', '#038;key=wc_order_1'],
  },
  /** JavaScript, a single-page app with routes after `#`: the page reads `location.search`. */
  'return-hash-route': {
    orders: { redirectURL: 'https://shop.example/app#/orders/1001' },
    gets: CREATED,
    reads: async (created, { atCheckout }) => {
      const { hash, searchParams } = await atCheckout(created, 'pay');
      return { hash, status: searchParams.get('status') };
    },
    sees: { hash: '#/orders/1001', status: 'completed' },
  },
  /** JavaScript: the address comes from a secret of the environment that ends with a line break. */
  'return-line-break': {
    orders: { redirectURL: 'https://shop.example/thanks\n' },
    gets: invalid({ redirectURL: /line break|white ?space/i }),
  },
  /** TypeScript, development: the return address is on the developer's machine. */
  'return-localhost': {
    orders: { redirectURL: 'http://127.0.0.1:5173/library' },
    gets: CREATED,
    reads: async (created, { atCheckout }) => (await atCheckout(created, 'leave')).host,
    sees: '127.0.0.1:5173',
  },
  /** Python: the address has letters beyond ASCII in its host and path. */
  'return-not-ascii': {
    orders: { redirectURL: 'https://café.example/merci-à-vous' },
    gets: CREATED,
    reads: async (created, { atCheckout }) => {
      const { host, pathname } = await atCheckout(created, 'pay');
      return { host, pathname };
    },
    sees: { host: 'xn--caf-dma.example', pathname: '/merci-%C3%A0-vous' },
  },
  /** Python, Django: the order's number and the provider's name are in the query of the return address. */
  'return-own-order': {
    orders: { redirectURL: 'https://shop.example/billing/done?order_id=1001&provider=cart' },
    gets: CREATED,
    reads: async (created, { atCheckout }) => {
      const { searchParams } = await atCheckout(created, 'pay');
      return [searchParams.get('order_id'), searchParams.get('provider'), searchParams.get('status')];
    },
    sees: ['1001', 'cart', 'completed'],
  },
  /**
   * JavaScript, a habit of other payment APIs: the address has the placeholder, and `status=success`, which the page
   * reads.
   */
  'return-placeholder-and-status': {
    orders: { redirectURL: 'https://shop.example/return?cart={CART_ID}&status=success' },
    gets: CREATED,
    reads: async (created, { atCheckout }) => {
      const { searchParams } = await atCheckout(created, 'decline');
      return [searchParams.get('cart') === created.body.cart.id, searchParams.getAll('status')];
    },
    sees: [true, ['payment_failed']],
  },
  /** TypeScript: the documented placeholder, in the path of the return address. */
  'return-placeholder': {
    orders: { redirectURL: 'https://shop.example/orders/{CART_ID}/thanks' },
    gets: CREATED,
    reads: async (created, { atCheckout }) =>
      (await atCheckout(created, 'pay')).href ===
      `https://shop.example/orders/${created.body.cart.id}/thanks`,
    sees: true,
  },
  /**
   * JavaScript, a React page: the return address already has `?status=success`. The page reads `status` once. After a
   * decline it must not read `success`.
   */
  'return-status-in-query': {
    orders: { redirectURL: 'https://shop.example/events/2/tickets?status=success&seat=4%20B' },
    gets: CREATED,
    reads: async (created, { atCheckout }) => {
      const { search, searchParams } = await atCheckout(created, 'decline');
      return {
        status: searchParams.get('status'),
        statuses: searchParams.getAll('status').length,
        isCart: searchParams.get('cartId') === created.body.cart.id,
        keepsSeat: search.includes('seat=4%20B'),
      };
    },
    sees: { status: 'payment_failed', statuses: 1, isCart: true, keepsSeat: true },
  },
};
