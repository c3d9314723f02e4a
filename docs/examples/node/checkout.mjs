// Creates a cart, prints the payment address, and waits for the payment. Needs Node.js 20 or later, and no packages:
//
//   BASE_URL=http://127.0.0.1:3000 API_KEY=cck_test_... PRODUCT_ID=one-course node checkout.mjs
//
// It waits at most POLL_SECONDS (30). Exit codes: 0 paid, 1 error, 2 payment failed or cart abandoned, 3 unpaid.

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

const BASE_URL = setting('BASE_URL', /^https?:\/\/[!-~]+$/).replace(/\/$/, '');
const API_KEY = setting('API_KEY', /^[!-~]+$/);
const PRODUCT_ID = setting('PRODUCT_ID', /^[!-~]+$/);
const POLL_SECONDS = Number(setting('POLL_SECONDS', /^\d+$/, '30'));

const STATUSES_TO_RETRY = new Set([408, 429, 500, 503, 504]);
const RETRIES_MAX = 5;
const RETRY_AFTER_SECONDS_MAX = 60;
const EXIT_CODES = { completed: 0, payment_failed: 2, abandoned: 2, waiting_payment: 3 };

function setting(name, pattern, fallback = '') {
  const value = process.env[name] ?? fallback;
  if (!pattern.test(value)) {
    console.error(`${name} is missing or malformed.`);
    process.exit(1);
  }
  return value;
}

class CheckoutError extends Error {}

/** Sends a request once. Rejects unless a complete JSON response arrives. */
async function send(path, options) {
  const headers = { ...options.headers, Authorization: `Bearer ${API_KEY}` };
  const response = await fetch(BASE_URL + path, { ...options, headers, signal: AbortSignal.timeout(10_000) });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

function describe({ headers, body }) {
  const details = (body.details ?? []).map(({ path, message }) => `\n  ${path}: ${message}`);
  return `${body.code}: ${body.message} (request ${headers.get('X-Request-Id') ?? 'unknown'})${details.join('')}`;
}

/** Sends a request and retries it, up to RETRIES_MAX times. The request must be safe to repeat. */
async function call(path, options = {}) {
  for (let retries = 0; ; retries += 1) {
    let mayRetry = true;
    let retryAfterSeconds = 0;
    let failure;
    try {
      const response = await send(path, options);
      if (response.status < 300) return response.body;
      mayRetry = STATUSES_TO_RETRY.has(response.status);
      retryAfterSeconds = Number(response.headers.get('Retry-After'));
      failure = describe(response);
    } catch (error) {
      // The request may have arrived. The Idempotency-Key makes the retry safe.
      failure = `No response: ${error.cause?.code ?? error.message}`;
    }
    if (!mayRetry || retries === RETRIES_MAX || retryAfterSeconds > RETRY_AFTER_SECONDS_MAX) {
      throw new CheckoutError(failure);
    }
    // The random part spreads the retries of clients that failed at the same time.
    await sleep(1000 * (retryAfterSeconds + Math.random() * 0.5 * 2 ** retries));
  }
}

function createCart(idempotencyKey) {
  const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': idempotencyKey };
  const buyer = { email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace' };
  const body = JSON.stringify({ productDocumentId: PRODUCT_ID, ...buyer });
  return call('/api/v1/stores/cart/checkout', { method: 'POST', headers, body });
}

/** Retrieves the cart, at growing intervals, until its status changes or POLL_SECONDS are over. */
async function waitForPayment(cartId) {
  const endsAtMs = performance.now() + 1000 * POLL_SECONDS;
  for (let pauseMs = 1000; ; pauseMs = Math.min(2 * pauseMs, 8000)) {
    const cart = await call(`/api/v1/stores/cart/${cartId}`);
    const leftMs = endsAtMs - performance.now();
    if (cart.status !== 'waiting_payment' || leftMs <= 0) return cart;
    await sleep(Math.min(pauseMs, leftMs));
  }
}

try {
  // One key per purchase attempt. A shop stores it with the order before the first request.
  const { cart, redirectUrl } = await createCart(randomUUID());
  console.log(`Redirect the buyer to ${redirectUrl}`);
  const { status, paymentId } = await waitForPayment(cart.id);
  console.log(`Status ${status}${paymentId ? `, payment ${paymentId}` : ''}`);
  process.exitCode = EXIT_CODES[status];
} catch (error) {
  if (!(error instanceof CheckoutError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
