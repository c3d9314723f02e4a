// SPDX-License-Identifier: MIT-0
import type { IncomingMessage, RequestListener } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { type Outcome, type PaymentCart, toMinorUnits } from './cart.ts';
import { type PaymentEvent, type ProviderWebhook, toPaymentEvent } from './payment-event.ts';
import { isSigned } from './provider-signature.ts';

/** A payment to create at the provider. */
export interface NewPayment {
  /** The provider creates one payment for all requests with the same key. */
  readonly idempotencyKey: string;
  /** The provider's webhooks repeat it. */
  readonly reference: string;
  /** In the currency's minor unit. */
  readonly amount: number;
  readonly currency: string;
  readonly live: boolean;
  readonly description: string;
  readonly email?: string | undefined;
  readonly locale?: string | undefined;
  /** The provider appends `?outcome=` and sends the buyer there. */
  readonly returnUrl: string;
}

export interface AdapterOptions {
  /** The adapter's own address, without a slash at the end. */
  readonly publicUrl: string;
  /** Reads a cart. Resolves to `undefined` if it does not exist. */
  readonly readCart: (cartId: string) => Promise<PaymentCart | undefined>;
  /** Creates a payment at the provider. Resolves to the address of its payment page. */
  readonly createPayment: (payment: NewPayment) => Promise<string>;
  /** Resolves once the event is stored. The provider retries a webhook after a rejection. */
  readonly sendPaymentEvent: (event: PaymentEvent) => Promise<void>;
  /** The secrets of the provider's webhooks: two while they change. */
  readonly webhookSecrets: readonly string[];
  readonly now?: () => number;
}

interface Response {
  readonly status: number;
  readonly location?: string;
  readonly text?: string;
}

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const OUTCOMES: readonly string[] = ['succeeded', 'failed', 'left'] satisfies Outcome[];
const BODY_BYTES_MAX = 64 * 1_024;

const NO_CART: Response = { status: 404, text: 'There is no such checkout.' };

const ENDINGS: Readonly<Record<Outcome, string>> = {
  succeeded: 'Thank you. You can close this page.',
  failed: 'The payment failed. You can try again at the same address.',
  left: 'Nothing was charged. You can close this page.',
};

/** Sends the buyer back to the merchant. */
const sendBack = ({ returnUrls }: PaymentCart, outcome: Outcome): Response => {
  const location = returnUrls?.[outcome];
  return location === undefined ? { status: 200, text: ENDINGS[outcome] } : { status: 303, location };
};

/** Opens the provider's page for exactly the cart's price. Never charges a cart that is paid or has expired. */
const openPayment = async (
  cartId: string,
  { publicUrl, readCart, createPayment }: AdapterOptions,
): Promise<Response> => {
  const cart = await readCart(cartId);
  if (!cart) return NO_CART;
  if (cart.status === 'completed') return sendBack(cart, 'succeeded');
  if (cart.status === 'abandoned') return sendBack(cart, 'left');
  const location = await createPayment({
    idempotencyKey: cart.id,
    reference: cart.id,
    amount: toMinorUnits(cart.price),
    currency: cart.price.currency,
    live: cart.mode === 'live',
    description: `${cart.product.name} – ${cart.store.name}`,
    email: cart.customerInfo.email,
    locale: cart.customerInfo.lang,
    returnUrl: `${publicUrl}/return/${cart.id}`,
  });
  return { status: 303, location };
};

/** Sends a buyer from the provider back to the merchant. The query only selects the address. */
const returnBuyer = async (
  cartId: string,
  query: URLSearchParams,
  { readCart }: AdapterOptions,
): Promise<Response> => {
  const cart = await readCart(cartId);
  if (!cart) return NO_CART;
  const outcome = query.get('outcome') ?? '';
  return sendBack(cart, OUTCOMES.includes(outcome) ? (outcome as Outcome) : 'left');
};

/** Reports a webhook's payment. The response is 204 only after the event is stored. */
const takeWebhook = async (
  request: IncomingMessage,
  { sendPaymentEvent, webhookSecrets, now = Date.now }: AdapterOptions,
): Promise<Response> => {
  if (Number(request.headers['content-length'] ?? BODY_BYTES_MAX + 1) > BODY_BYTES_MAX)
    return { status: 413 };
  const body = await buffer(request);
  const signature = String(request.headers['acme-signature'] ?? '');
  if (!isSigned(signature, body, { secrets: webhookSecrets, nowMs: now() })) return { status: 400 };
  const event = toPaymentEvent(JSON.parse(body.toString()) as ProviderWebhook);
  if (event) await sendPaymentEvent(event);
  return { status: 204 };
};

const route = async (request: IncomingMessage, options: AdapterOptions): Promise<Response> => {
  const { pathname, searchParams } = new URL(request.url ?? '', options.publicUrl);
  const [, pay] = new RegExp(`^/pay/(${UUID})$`).exec(pathname) ?? [];
  if (request.method === 'GET' && pay !== undefined) return openPayment(pay, options);
  const [, back] = new RegExp(`^/return/(${UUID})$`).exec(pathname) ?? [];
  if (request.method === 'GET' && back !== undefined) return returnBuyer(back, searchParams, options);
  if (request.method === 'POST' && pathname === '/webhooks/acme') return takeWebhook(request, options);
  return NO_CART;
};

/**
 * The adapter between a payment provider and Cart Checkout, for `createServer`:
 *
 * - `GET /pay/{cartId}` is the payment page of live carts (`-c checkoutUrl=https://.../pay`).
 * - `GET /return/{cartId}` receives the buyer from the provider.
 * - `POST /webhooks/acme` receives the provider's webhooks.
 */
export const createAdapter =
  (options: AdapterOptions): RequestListener =>
  (request, response) => {
    const respond = ({ status, location, text = '' }: Response): void => {
      const headers = { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' };
      response.writeHead(status, location === undefined ? headers : { ...headers, Location: location });
      response.end(text);
    };
    route(request, options).then(respond, (error: unknown) => {
      // Only the name: a message may contain the buyer's data.
      console.error(`${request.method} failed: ${error instanceof Error ? error.name : 'unknown'}`);
      respond({ status: 500, text: 'Please try again later.' });
    });
  };
