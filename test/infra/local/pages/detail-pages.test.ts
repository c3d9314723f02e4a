import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { recordPayment } from '../../../../lib/payments/record-payment.ts';
import { deliveryMessageOf, testMessageOf } from '../../../../lib/deliveries/delivery.ts';
import { publicDeliveryId } from '../../../../lib/deliveries/delivery-view.ts';
import { NOW_MS } from '../../../support/clock.ts';
import { dropEndpoint, storeEndpoint } from '../../../support/domain/endpoints.ts';
import { paymentRepositoryOf } from '../../../support/domain/events.ts';
import { payment } from '../../../support/domain/payments.ts';
import { DEMO_LOG, givenDashboard, textOf } from './pages.ts';

const ENDPOINT = {
  ...DEMO_LOG,
  endpointId: 'we_1',
  url: 'https://shop.example/hook',
  createdAtMs: NOW_MS,
} as const;

const ATTEMPT = { atMs: NOW_MS, attempt: 1, status: 200, ms: 17, response: 'Thank you' };

/** A dashboard with a paid cart, and the delivery of its event to {@link ENDPOINT}. */
const givenPaidCart = async () => {
  const dashboard = await givenDashboard();
  const { database, repositories, putCart } = dashboard;
  const secret = await storeEndpoint(database, ENDPOINT);
  const cart = await putCart({});
  const payments = paymentRepositoryOf(database, 'testCarts', repositories.now);
  const { amount, currency } = cart.price;
  const paid = payment({ amount, currency, occurredAtMs: NOW_MS });
  await recordPayment(
    { cartId: cart.id, mode: 'test', payment: paid },
    { carts: { find: repositories.findCart }, payments },
  );
  const event = (await repositories.events.last(DEMO_LOG))!.event!;
  const message = deliveryMessageOf(ENDPOINT, event);
  await repositories.deliveries.record(message, { status: 'succeeded', attempt: ATTEMPT }, NOW_MS);
  return { ...dashboard, secret, cart, event, path: `/deliveries/we_1/${publicDeliveryId(message)}` };
};

/** The requests of the buttons of a page, by their texts. */
const requestsOf = (html: string): Record<string, Record<string, unknown>> =>
  Object.fromEntries(
    [...html.matchAll(/data-request="([^"]+)">([^<]+)</g)].map(([, request = '', text = '']) => [
      text,
      JSON.parse(request.replaceAll('&quot;', '"')) as Record<string, unknown>,
    ]),
  );

test('the page of a cart shows its status, its events and its webhooks, and nothing about the buyer', async () => {
  const { text, cart, event, path } = await givenPaidCart();
  const html = await text(`/carts/${cart.id}`);
  for (const shown of [
    cart.productName,
    'completed',
    event.id,
    'cart.completed',
    'https://shop.example/hook',
  ])
    expect(textOf(html)).toContain(shown);
  expect(html).toContain(`href="${path}"`);
  for (const value of Object.values(cart.customerInfo)) expect(html).not.toContain(value);
});

test('the page of a cart announces a webhook only if an endpoint gets its event', async () => {
  const { database, text, cart } = await givenPaidCart();
  await dropEndpoint(database, ENDPOINT);
  const none = 'No endpoint was enabled for the events of this cart.';
  for (const [changes, shown] of [
    [{}, 'The webhook follows in a moment.'],
    [{ disabled: { atMs: NOW_MS, reason: 'merchant' } }, none],
    [{ events: ['cart.refunded'] }, none],
    [{ createdAtMs: NOW_MS + 1 }, none],
  ] as const) {
    await storeEndpoint(database, { ...ENDPOINT, endpointId: 'we_2', ...changes });
    expect(textOf(await text(`/carts/${cart.id}`))).toContain(shown);
  }
});

test('the list of carts passes over the claim of a payment, which is in the same table', async () => {
  const { text, cart } = await givenPaidCart();
  expect(await text('/')).toContain(`href="/carts/${cart.id}"`);
});

test('a cart that waits can expire, and a paid one be refunded', async () => {
  const { text, cart, putCart } = await givenPaidCart();
  const waiting = await putCart({ id: '00000000-0000-4000-8000-000000000002' });
  expect(requestsOf(await text(`/carts/${waiting.id}`))).toStrictEqual({
    'Expire now': expect.objectContaining({ path: `/api/v1/stores/cart/${waiting.id}/expire` }),
  });
  expect(requestsOf(await text(`/carts/${cart.id}`))).toStrictEqual({
    Refund: expect.objectContaining({ path: `/sandbox/checkout/${cart.id}`, form: { action: 'refund' } }),
  });
});

test('live carts and carts of other stores have no buttons that need a demo key', async () => {
  const { text, putCart } = await givenDashboard();
  const live = await putCart({ id: '00000000-0000-4000-8000-000000000003', mode: 'live' });
  const other = await putCart({ id: '00000000-0000-4000-8000-000000000004', storeId: 'shop' });
  for (const { id } of [live, other]) expect(requestsOf(await text(`/carts/${id}`))).toStrictEqual({});
});

test('the page of a delivery shows the payload, and the headers by which its receiver verified it', async () => {
  const { text, path, event, secret } = await givenPaidCart();
  const html = await text(path);
  const shown = textOf(html.replaceAll('&quot;', '"').replaceAll('&#39;', "'"));
  const [, signature = ''] = /webhook-signature\s*(v1,\S+)/.exec(shown) ?? [];
  const headers = {
    'webhook-id': event.id,
    'webhook-timestamp': String(Math.floor(NOW_MS / 1_000)),
    'webhook-signature': signature,
  };
  // The library rejects old timestamps by the clock of the machine: verify the signature alone.
  expect(signature).toBe(new Webhook(secret).sign(event.id, new Date(NOW_MS), event.body));
  for (const value of Object.values(headers)) expect(shown).toContain(value);
  const [, payload = ''] = /Payload\s*(\{.*\})/s.exec(shown) ?? [];
  expect(JSON.parse(payload)).toStrictEqual(JSON.parse(event.body));
  expect(shown).toContain('Thank you');
  expect(requestsOf(html)).toStrictEqual({
    'Send again': expect.objectContaining({ path: expect.stringMatching(/\/resend$/) }),
  });
});

test('a ping has a page with its payload, and is not sent again', async () => {
  const { text, repositories } = await givenPaidCart();
  const message = testMessageOf(ENDPOINT, NOW_MS);
  await repositories.deliveries.record(message, { status: 'succeeded', attempt: ATTEMPT }, NOW_MS);
  const html = await text(`/deliveries/we_1/${publicDeliveryId(message)}`);
  expect(textOf(html)).toContain('webhook.ping');
  expect(requestsOf(html)).toStrictEqual({});
});

test.each([
  ['/carts/00000000-0000-4000-8000-000000000009', 'There is no such cart'],
  [`/deliveries/we_9/evt_${'0'.repeat(32)}-${NOW_MS}`, 'There is no such delivery'],
])('an unknown id has a page that leads back: %s', async (path, title) => {
  const { get } = await givenDashboard();
  const response = await get(path);
  expect(response.status).toBe(404);
  expect(await response.text()).toContain(title);
});

test.each(['/carts/', '/carts/x', '/deliveries/we_1', '/deliveries/we_1/evt_1-1'])(
  'a path that names nothing has no page here: %s',
  async (path) => {
    const { get } = await givenDashboard();
    expect((await get(path)).status).toBe(404);
  },
);
