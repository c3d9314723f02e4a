// SPDX-License-Identifier: MIT-0
// A shop with one product: it creates a cart, sends the buyer to pay, and checks the cart when the buyer returns. It needs
// Node.js 20.19 or later, and the package cart-checkout-client:
//
//   BASE_URL=http://127.0.0.1:3000 API_KEY=cck_test_... PRODUCT_ID=one-course node checkout.mjs
//
// Open http://127.0.0.1:8081 (PORT). The product is a course (PRODUCT_NAME) for 49.90 EUR (AMOUNT, CURRENCY). A buyer who
// returns waits at most 10 seconds for the payment (WAIT_SECONDS). `webhooks.mjs` and `worker.mjs` handle
// a payment that comes later. The pages use the template `../shop.html`.

import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { CartCheckout, CartCheckoutError } from 'cart-checkout-client';
import { setting } from './setting.mjs';

const PRODUCT_ID = setting('PRODUCT_ID', /^[\w-]+$/);
const PRODUCT_NAME = setting('PRODUCT_NAME', /^[\w -]+$/, 'Course');
const AMOUNT = Number(setting('AMOUNT', /^[\d.]+$/, '49.90'));
const CURRENCY = setting('CURRENCY', /^[A-Z]{3}$/, 'EUR');
const PORT = setting('PORT', /^\d+$/, '8081');
const WAIT_SECONDS = Number(setting('WAIT_SECONDS', /^\d+$/, '10'));
const client = new CartCheckout({
  baseUrl: setting('BASE_URL', /^https?:\/\/[!-~]+$/),
  apiKey: setting('API_KEY', /^[!-~]+$/),
});

const PAGES = {
  waiting_payment: '<h1>Thank you</h1><p>We will e-mail you once your payment has arrived.</p>',
  payment_failed:
    '<h1>Payment failed</h1><p>You were not charged.</p><a class="button" href="PAY_URL">Try again</a>',
  abandoned: '<h1>Order expired</h1><p>Nobody paid it in time.</p><a class="button" href="/">Order again</a>',
  completed: '<h1>Thank you for your order</h1><p>You have paid.</p>',
};

const LEFT =
  '<h1>Not paid yet</h1><p>You left the payment page.</p><a class="button" href="PAY_URL">Continue to the payment</a>';

const CHECK = '<h1>Thank you</h1><p>Your payment needs a check. We will e-mail you.</p>';

/**
 * In a shop, a table of the database.
 *
 * @type {Map<string, { id: string, cartId: string, payUrl: string, isDelivered: boolean }>}
 */
const orders = new Map();

/**
 * The page of an order: its result, its number and the way back.
 *
 * @param {string} result
 * @param {{ id: string, payUrl: string }} order
 */
const orderPage = (result, { id, payUrl }) =>
  `${result.replace('PAY_URL', payUrl)}\n<p>Order ${id.slice(0, 8)} · <a href="/">Back to the shop</a></p>`;

/** Creates an order and its cart. Returns the address at which the buyer pays. */
async function buy() {
  const id = randomUUID();
  const buyer = { email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace' };
  const shop = `http://127.0.0.1:${PORT}`;
  const addresses = { redirectURL: `${shop}/return?order=${id}`, cancelURL: `${shop}/left?order=${id}` };
  const { cart, redirectUrl } = await client.createCart(
    { productDocumentId: PRODUCT_ID, ...buyer, ...addresses, meta: { order: id } },
    // One key per purchase attempt. A shop stores it with the order before the call.
    { idempotencyKey: id },
  );
  orders.set(id, { id, cartId: cart.id, payUrl: redirectUrl, isDelivered: false });
  return redirectUrl;
}

/**
 * Checks the order of a buyer who returns. Returns the page. Anyone can type the address: only the retrieved cart counts.
 *
 * @param {string | null} orderId
 * @param {boolean} hasLeft without a payment, so none is on its way
 */
async function handleReturn(orderId, hasLeft) {
  const order = orders.get(orderId ?? '');
  if (!order) return '<h1>This order does not exist</h1><a class="button" href="/">Back to the shop</a>';
  const { status, price, meta } = hasLeft
    ? await client.retrieveCart(order.cartId)
    : await client.waitForStatus(order.cartId, { deadlineSeconds: WAIT_SECONDS });
  if (hasLeft && status === 'waiting_payment') return orderPage(LEFT, order);
  if (status === 'completed' && !order.isDelivered) {
    if (price.amount !== AMOUNT || price.currency !== CURRENCY || meta['order'] !== order.id) {
      console.error(`Order ${order.id} differs from its cart`);
      return orderPage(CHECK, order);
    }
    order.isDelivered = true;
    console.log(`Deliver order ${order.id}`);
  }
  return orderPage(PAGES[status], order);
}

const TEMPLATE = readFileSync(new URL('../shop.html', import.meta.url), 'utf8');

/**
 * @param {import('node:http').ServerResponse} response
 * @param {number} status
 * @param {string} content
 */
function sendPage(response, status, content) {
  response.writeHead(status, { 'Content-Type': 'text/html' }).end(TEMPLATE.replace('CONTENT', () => content));
}

const PRICE = new Intl.NumberFormat('en', { style: 'currency', currency: CURRENCY }).format(AMOUNT);
const PRODUCT_PAGE = `<h1>${PRODUCT_NAME}</h1>
<p class="price">${PRICE}</p>
<form method="post" action="/buy"><button>Buy</button></form>`;

/**
 * @param {import('node:http').IncomingMessage} request
 * @param {import('node:http').ServerResponse} response
 */
async function respond({ method, url = '' }, response) {
  const { pathname, searchParams } = new URL(`http://shop${url}`);
  if (method === 'POST' && pathname === '/buy') {
    response.writeHead(303, { Location: await buy() }).end();
    return;
  }
  const hasLeft = pathname === '/left';
  const isBack = hasLeft || pathname === '/return';
  sendPage(response, 200, isBack ? await handleReturn(searchParams.get('order'), hasLeft) : PRODUCT_PAGE);
}

const server = createServer((request, response) => {
  respond(request, response).catch((error) => {
    console.error(error instanceof CartCheckoutError ? error.message : error);
    sendPage(response, 502, '<h1>Please try again in a minute</h1>');
  });
});

server.listen(Number(PORT), '127.0.0.1', () => console.log(`Open http://127.0.0.1:${PORT}`));
