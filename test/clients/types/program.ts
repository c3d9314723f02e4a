// The program of a merchant, in each module system. Each line below `@ts-expect-error` must not compile.
import {
  type Cart,
  CartCheckout,
  CartCheckoutError,
  EVENT_TYPES,
  type EventType,
  isKnownEvent,
  type NewWebhookEndpoint,
  type Options,
  type WebhookEvent,
} from 'cart-checkout-client';

const options: Options = { baseUrl: 'https://api.example.com', apiKey: undefined, timeoutSeconds: undefined };
const client = new CartCheckout(options);
// @ts-expect-error -- the address is missing
new CartCheckout({ apiKey: 'cck_' });
// @ts-expect-error -- an unknown option
new CartCheckout({ ...options, baseURL: 'https://api.example.com' });

const buyer = { email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace' };

export const buy = async (signal: { readonly aborted: boolean }): Promise<string> => {
  const cart = {
    productDocumentId: 'one-course',
    ...buyer,
    phone: null,
    customerPrice: undefined,
    lang: 'fr-CA',
  };
  const checkout = await client.createCart(cart, { idempotencyKey: 'order-1', signal });
  // @ts-expect-error -- the product is missing
  await client.createCart(buyer);
  // @ts-expect-error -- values of `meta` are texts
  await client.createCart({ ...cart, meta: { order: 1 } });
  // @ts-expect-error -- the options are an object
  await client.createCart(cart, 'order-1');
  // @ts-expect-error -- an unknown option
  await client.listEvents({ cursor: 'x' });
  // @ts-expect-error -- the created cart has no metadata
  void checkout.cart.meta;
  const { status, meta, refunds = [] }: Cart = await client.waitForStatus(checkout.cart.id);
  // @ts-expect-error -- no such status
  if (status === 'paid') return '';
  return status === 'completed' ? `${meta['order']} ${refunds[0]?.amount.toFixed(2)}` : checkout.redirectUrl;
};

export const handle = (event: WebhookEvent): string => {
  if (!isKnownEvent(event)) return '';
  if (event.type === 'cart.refunded') return event.data.refund.id;
  if (event.type === 'cart.duplicate_payment') return event.data.duplicatePaymentId;
  if (event.type === 'webhook_endpoint.created') return event.data.url;
  // @ts-expect-error -- a test has no cart
  if (event.type === 'webhook.ping') return event.data.id;
  // @ts-expect-error -- no such type
  if (event.type === 'cart.paid') return '';
  // @ts-expect-error -- only a refund has it
  if (event.type === 'cart.completed') return event.data.refund.id;
  return event.type === 'cart.abandoned' ? event.data.expiresAt : event.id;
};

export const subscribe = async (): Promise<void> => {
  const eventTypes: readonly EventType[] = EVENT_TYPES;
  const endpoint: NewWebhookEndpoint = { url: 'https://shop.example.com', eventTypes };
  const { secret } = await client.createWebhookEndpoint(endpoint);
  // @ts-expect-error -- a replay has no secret
  void secret.length;
  // @ts-expect-error -- no such type
  await client.updateWebhookEndpoint('we_1', { eventTypes: ['cart.paid'] });
  for await (const { products } of client.productPages({ limit: 10 })) {
    // @ts-expect-error -- a product has a price or a range
    for (const { price } of products) void price.amount;
  }
  void (await client.retrieveProduct('one-course')).priceRange?.suggested;
  for await (const { deliveries } of client.webhookDeliveryPages('we_1', { limit: 10 })) {
    for (const { status, attempts } of deliveries) if (status === 'failed') void attempts[0]?.response;
  }
};

export const verify = (headers: Record<string, string | string[] | undefined>, body: ArrayBuffer): string => {
  // @ts-expect-error -- the body was parsed
  CartCheckout.verifyWebhook('whsec_', headers, { id: 'evt_1' });
  const { id } = CartCheckout.verifyWebhook(['whsec_', 'whsec_'], { get: () => null }, new Uint8Array(body));
  return id;
};

export const report = (error: unknown): string | null => {
  if (!(error instanceof CartCheckoutError)) throw error;
  if (error.code === 'NO_RESPONSE' || error.code === 'RATE_LIMITED') return null;
  // @ts-expect-error -- the number of a status
  if (error.status === '422') return null;
  return error.details.map(({ path, message }) => `${path}: ${message}`).join() + (error.helpUrl ?? '');
};
