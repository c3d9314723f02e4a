import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { deliveryMessageOf, testMessageOf } from '../../../../lib/deliveries/queue/queue-message.ts';
import { publicDeliveryId } from '../../../../lib/deliveries/records/delivery-view.ts';
import { testBody } from '../../../../lib/deliveries/test-events/test-body.ts';
import { recordPaymentEvent } from '../../../../lib/payments/record-payment-event.ts';
import { NOW_MS } from '../../../support/clock.ts';
import { dropEndpoint, storeEndpoint } from '../../../support/domain/endpoints.ts';
import { paymentRecordRepositoryOf } from '../../../support/domain/event-logs.ts';
import { payment } from '../../../support/domain/payments.ts';
import { BASE_URL, DEMO_LOG, givenDashboard, textOf } from './pages.ts';

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
  const { database, sources, putCart } = dashboard;
  const secret = await storeEndpoint(database, ENDPOINT);
  const cart = await putCart({});
  const paymentRecords = paymentRecordRepositoryOf(database, 'testCarts', sources.now);
  const { amount, currency } = cart.price;
  const paid = payment({ amount, currency, occurredAtMs: NOW_MS });
  await recordPaymentEvent(
    { cartId: cart.id, mode: 'test', payment: paid },
    { carts: { find: sources.findCart }, paymentRecords },
  );
  const event = (await sources.events.last(DEMO_LOG))!.event!;
  const message = deliveryMessageOf(ENDPOINT, event);
  await sources.deliveries.record(message, { status: 'succeeded', result: ATTEMPT }, NOW_MS);
  return { ...dashboard, secret, cart, event, path: `/deliveries/we_1/${publicDeliveryId(message)}` };
};

/** The requests of the buttons of a page, by their texts. */
const requestsOf = (html: string): Record<string, Record<string, unknown>> =>
  Object.fromEntries(
    [...html.matchAll(/name="request" value="([^"]+)">([^<]+)</g)].map(([, request = '', text = '']) => [
      text,
      JSON.parse(request.replaceAll('&quot;', '"')) as Record<string, unknown>,
    ]),
  );

/** The words of a command, as a shell reads them. */
const wordsOf = (command: string): readonly string[] =>
  execFileSync('sh', ['-c', `printf '%s\\0' ${command}`], { encoding: 'utf8' })
    .split('\0')
    .slice(0, -1);

/** The text of a program or JSON in a page. */
const codeOf = (html: string, id: string): string => {
  const [, text = ''] = new RegExp(`<code id="${id}">(.*?)</code>`, 's').exec(html) ?? [];
  return textOf(text).replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&');
};

test('the page of a cart shows what a program retrieves, and its addresses', async () => {
  const { text, putCart } = await givenDashboard();
  const meta = { order: "O'Hara & <1>" };
  const addresses = { redirectUrl: 'https://shop.example/return', cancelUrl: 'https://shop.example/left' };
  const cart = await putCart({ ...addresses, meta });
  const html = await text(`/carts/${cart.id}`);
  expect(JSON.parse(codeOf(html, 'cart-json').replaceAll('&lt;', '<').replaceAll('&gt;', '>'))).toMatchObject(
    {
      id: cart.id,
      status: 'waiting_payment',
      customerInfo: cart.customerInfo,
      meta,
      redirectUrl: `${BASE_URL}/sandbox/checkout/${cart.id}`,
    },
  );
  for (const address of Object.values(addresses)) expect(html).toContain(address);
  expect(html).toContain('O&#39;Hara &amp; &lt;1&gt;');
  expect(html).toMatch(new RegExp(`<h1>${cart.productName} · cart ${cart.id.slice(0, 8)}`));
  expect(html).toContain('>Open the payment page</a>');
});

test('the timeline of a cart has its payments, its events and their deliveries', async () => {
  const { text, cart, event, path } = await givenPaidCart();
  const html = await text(`/carts/${cart.id}`);
  const [, timeline = ''] = /<h2 id="timeline">(.*?)<\/section>/s.exec(html) ?? [];
  for (const shown of [
    'Created',
    'Payment succeeded',
    'Event cart.completed',
    'shop.example/hook',
    '200 · 17 ms',
  ])
    expect(textOf(timeline)).toContain(shown);
  expect(timeline).toContain(`href="${path}"`);
  expect(timeline).toContain(event.id);
  expect(html).toContain('>Open the receipt</a>');
});

test('the page of a cart announces a webhook only if an endpoint gets its event', async () => {
  const { database, text, cart } = await givenPaidCart();
  await dropEndpoint(database, ENDPOINT);
  const none = 'No endpoint was enabled for the events of this cart.';
  for (const [changes, shown] of [
    [{}, 'The webhook follows in a moment.'],
    [{ disabled: { atMs: NOW_MS, reason: 'merchant' } }, none],
    [{ eventTypes: ['cart.refunded'] }, none],
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
  expect(JSON.parse(codeOf(html, 'payload'))).toStrictEqual(JSON.parse(event.body));
  expect(shown).toContain('Thank you');
  expect(requestsOf(html)).toStrictEqual({
    'Send again': expect.objectContaining({ path: expect.stringMatching(/\/resend$/) }),
  });
});

test('a command of a delivery replays it, with a signature of the current minute', async () => {
  const { database, text, path, event, secret } = await givenPaidCart();
  await storeEndpoint(database, { ...ENDPOINT, url: "https://shop.example/o'hara" }, secret);
  const [curl, ...words] = wordsOf(codeOf(await text(path), 'replay-curl'));
  const headers = new Headers(
    words.flatMap((word, i) => (words[i - 1] === '-H' ? [word.split(': ') as [string, string]] : [])),
  );
  expect(curl).toBe('curl');
  expect(words).toContain("https://shop.example/o'hara");
  expect(words.at(-1)).toBe(event.body);
  const signedAtMs = Number(headers.get('webhook-timestamp')) * 1_000;
  expect(signedAtMs).toBe(NOW_MS - (NOW_MS % 60_000));
  expect(headers.get('webhook-signature')).toBe(
    new Webhook(secret).sign(event.id, new Date(signedAtMs), event.body),
  );
});

test('a failed delivery compares the bytes that the receiver verified with those that were sent', async () => {
  const { text, sources } = await givenPaidCart();
  const message = testMessageOf(ENDPOINT, NOW_MS);
  const body = testBody(message, 'test');
  const shownAfter = async (response: string) => {
    const attempt = { ...ATTEMPT, status: 400, response };
    await sources.deliveries.record(message, { status: 'failed', result: attempt }, NOW_MS);
    return textOf(await text(`/deliveries/we_1/${publicDeliveryId(message)}`));
  };
  const verified = hash('sha256', `${body}\n`);
  const compared = await shownAfter(`Rejected: ${verified}`);
  for (const shown of ['a line break at the end', verified, hash('sha256', body)])
    expect(compared).toContain(shown);
  expect(await shownAfter('Bad signature')).toContain('Your receiver responded: Bad signature');
});

test('a ping has a page with its payload, and is not sent again', async () => {
  const { text, sources } = await givenPaidCart();
  const message = testMessageOf(ENDPOINT, NOW_MS);
  await sources.deliveries.record(message, { status: 'succeeded', result: ATTEMPT }, NOW_MS);
  const html = await text(`/deliveries/we_1/${publicDeliveryId(message)}`);
  expect(textOf(html)).toContain('webhook.ping');
  expect(requestsOf(html)).toStrictEqual({});
});

test.each([
  ['/carts/00000000-0000-4000-8000-000000000009', 'No such cart'],
  [`/deliveries/we_9/evt_${'0'.repeat(32)}-${NOW_MS}`, 'No such delivery'],
  ['/endpoints/we_9', 'No such endpoint'],
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
