import { expect, test } from 'vitest';
import type { ServedRequest } from '../../../../infra/local/gateway/gateway.ts';
import { deliveryMessageOf, type DeliveryMessage } from '../../../../lib/deliveries/queue/queue-message.ts';
import { publicDeliveryId } from '../../../../lib/deliveries/records/delivery-view.ts';
import type { WebhookEndpoint } from '../../../../lib/endpoints/endpoint.ts';
import { recordPaymentEvent } from '../../../../lib/payments/record-payment-event.ts';
import { NOW_MS } from '../../../support/clock.ts';
import { storeEndpoint } from '../../../support/domain/endpoints.ts';
import { paymentRecordRepositoryOf } from '../../../support/domain/event-logs.ts';
import { payment } from '../../../support/domain/payments.ts';
import { createdBy, DEMO_LOG, givenDashboard, idOf, rowsOf, SERVED, textOf } from './pages.ts';

const HOSTILE = '<script>alert(1)</script>';
const ESCAPED = '&lt;script&gt;alert(1)&lt;/script&gt;';

const ENDPOINT: WebhookEndpoint = {
  storeId: 'shop',
  mode: 'test',
  endpointId: 'we_1',
  url: 'https://shop.example/hook?token=a-secret',
  createdAtMs: NOW_MS,
};

const MESSAGE: DeliveryMessage = {
  endpoint: ENDPOINT,
  eventId: 'evt_00000000000000000000000000000001',
  type: 'cart.completed',
  recordedAtMs: NOW_MS,
  attempt: 1,
  sequence: 1,
};

test('the carts are those that are stored, also of an earlier process, with their status at this time', async () => {
  const { putCart, requests, text } = await givenDashboard();
  const open = await putCart({ id: idOf(1), expiresAtMs: NOW_MS + 1, createdAtMs: NOW_MS - 2 });
  const live = await putCart({ id: idOf(2), mode: 'live', expiresAtMs: NOW_MS, createdAtMs: NOW_MS - 1 });
  const html = await text('/carts');
  expect(rowsOf(html, 'carts').map((row) => [row['Store'], row['Status']])).toStrictEqual([
    ['demo-store-one live', 'abandoned'],
    ['demo-store-one', 'waiting payment'],
  ]);
  expect(html).toContain(`href="/carts/${open.id}"`);
  for (const { customerInfo } of [open, live]) {
    for (const value of Object.values(customerInfo)) expect(html).not.toContain(value);
  }

  const later = await putCart({ id: idOf(3), createdAtMs: NOW_MS, productName: HOSTILE });
  requests.add(createdBy(later.id));
  // A repetition with the same idempotency key, and a cart that was deleted.
  requests.add(createdBy(later.id));
  requests.add(createdBy(idOf(4)));
  const renewed = await text('/carts/live');
  expect(rowsOf(renewed, 'carts').map(({ Product }) => Product)).toStrictEqual([
    ESCAPED,
    live.productName,
    open.productName,
  ]);
});

/** The addresses of a page's links, as a browser sees them. */
const linksOf = (html: string): string[] =>
  [...html.matchAll(/href="([^"]+)"/g)].map(([, address = '']) => address.replaceAll('&amp;', '&'));

/** Follows the links to further pages, and returns the values of a column on each. */
const pagesOf = async (
  { text }: Pick<Awaited<ReturnType<typeof givenDashboard>>, 'text'>,
  address: string,
  list: string,
  column: string,
): Promise<(string | undefined)[][]> => {
  const html = await text(address);
  const next = /href="([^"]+)" rel="next"/.exec(html)?.[1]?.replaceAll('&amp;', '&');
  const values = rowsOf(html, list).map((row) => row[column]);
  return [values, ...(next === undefined ? [] : await pagesOf({ text }, next, list, column))];
};

const numbers = (from: number, to: number, prefix: string): string[] =>
  Array.from({ length: to - from }, (_, index) => `${prefix}${from + index}`);

test('a list of carts has pages of twenty, also with a filter', async () => {
  const dashboard = await givenDashboard();
  const { putCart } = dashboard;
  await Promise.all(
    Array.from({ length: 42 }, (_, index) =>
      putCart({
        id: idOf(index),
        createdAtMs: NOW_MS - index,
        productName: `cart ${index}`,
        status: index < 21 ? 'payment_failed' : 'waiting_payment',
      }),
    ),
  );
  expect(await pagesOf(dashboard, '/carts', 'carts', 'Product')).toStrictEqual([
    numbers(0, 20, 'cart '),
    numbers(20, 40, 'cart '),
    numbers(40, 42, 'cart '),
  ]);
  expect(await pagesOf(dashboard, '/carts?status=waiting_payment', 'carts', 'Product')).toStrictEqual([
    numbers(21, 41, 'cart '),
    numbers(41, 42, 'cart '),
  ]);
});

test('a cart is found by its id, and by what happened to it', async () => {
  const { putCart, text } = await givenDashboard();
  const paid = { status: 'completed', paymentId: 'p1' } as const;
  await putCart({ id: idOf(1), productName: 'late', ...paid, latePayment: true });
  const refund = { refundId: 'r1', paymentId: 'p1', currency: 'EUR', occurredAtMs: NOW_MS, amount: 1 };
  await putCart({ id: idOf(2), productName: 'refunded', ...paid, refunds: [refund] });
  const found = async (query: string) =>
    rowsOf(await text(`/carts?${query}`), 'carts').map((row) => [row['Product'], row['Status']]);
  expect(await found(`q=${idOf(1).toUpperCase()}`)).toStrictEqual([['late', 'completed late']]);
  expect(await found('status=late')).toStrictEqual([['late', 'completed late']]);
  expect(await found('status=refunded')).toStrictEqual([['refunded', 'completed partly refunded']]);
  expect(await text('/carts?status=abandoned')).toContain('Nothing matches. <a href="/carts">Show all</a>');
});

test('the live part of a list has its filter', async () => {
  const { text, putCart } = await givenDashboard();
  await putCart({ id: idOf(1) });
  const html = await text('/carts?status=completed&q=0');
  expect(html).toContain('data-source="/carts/live?status=completed&amp;q=0"');
  expect(rowsOf(await text('/carts/live?status=completed&q=0'), 'carts')).toStrictEqual([]);
});

test('the requests are those of programs, each with its reason, unless the user wants all', async () => {
  const { requests, text } = await givenDashboard();
  requests.add({ ...SERVED, rawHeaders: ['X-Sent-By', 'dashboard'], method: 'PATCH' });
  expect(await text('/requests')).toContain('No request from your program yet.');

  requests.add(SERVED);
  requests.add({ ...SERVED, method: 'DELETE' });
  const html = await text('/requests');
  expect(rowsOf(html, 'requests').map((row) => row['Request'])).toStrictEqual([
    'DELETE /api/v1/nothing',
    'GET /api/v1/nothing',
  ]);
  expect(html).toContain('<a class="keep" href="/errors#NOT_FOUND">NOT_FOUND</a> There is no such path.');
  expect(html).toContain(`href="/requests/${SERVED.requestId}"`);
  expect(rowsOf(await text('/requests?sender=any'), 'requests')).toHaveLength(3);
});

test('a request is found by its status, its id, its cart and its path', async () => {
  const { requests, text } = await givenDashboard();
  const id = (index: number) => `aaaaaaaa-0000-4000-8000-00000000000${index}`;
  const requestOf = (request: ServedRequest, index: number) =>
    requests.add({ ...request, requestId: id(index), durationMs: index });
  requestOf(SERVED, 1);
  requestOf(createdBy(idOf(1)), 2);
  requestOf({ ...SERVED, target: '/api/v2?a=1', response: { ...SERVED.response, status: 503 } }, 3);
  const found = async (query: string) =>
    rowsOf(await text(`/requests?${query}`), 'requests').map(({ Duration }) => Duration);
  expect(await found('status=2')).toStrictEqual(['2 ms']);
  expect(await found('status=4')).toStrictEqual(['1 ms']);
  expect(await found('status=5')).toStrictEqual(['3 ms']);
  expect(await found(`q=${id(1)}`)).toStrictEqual(['1 ms']);
  expect(await found(`q=${idOf(1)}`)).toStrictEqual(['2 ms']);
  expect(await found('q=V2%3Fa')).toStrictEqual(['3 ms']);
});

test('the events are those of all logs, each with its deliveries, and one pill for several with the same state', async () => {
  const { database, sources, text, putCart } = await givenDashboard();
  const endpoint = { ...DEMO_LOG, endpointId: 'we_1', url: 'https://shop.example/hook', createdAtMs: NOW_MS };
  await storeEndpoint(database, endpoint);
  const cart = await putCart({ id: idOf(1) });
  const paymentRecords = paymentRecordRepositoryOf(database, 'testCarts', sources.now);
  const { amount, currency } = cart.price;
  await recordPaymentEvent(
    { cartId: cart.id, mode: 'test', payment: payment({ amount, currency, occurredAtMs: NOW_MS }) },
    { carts: { find: sources.findCart }, paymentRecords },
  );
  const event = (await sources.events.last(DEMO_LOG))!.event!;
  const message = deliveryMessageOf(endpoint, event);
  const attempt = { atMs: NOW_MS, attempt: 1, status: 200, ms: 17 };
  await sources.deliveries.record(message, { status: 'succeeded', result: attempt }, NOW_MS);

  const html = await text('/events');
  expect(rowsOf(html, 'events')).toMatchObject([
    { Event: 'cart.completed', Cart: '00000000…', Webhooks: 'succeeded ' },
  ]);
  expect(linksOf(html)).toContain(`/deliveries/we_1/${publicDeliveryId(message)}`);

  const second = { ...endpoint, endpointId: 'we_2' };
  await storeEndpoint(database, second);
  const same = deliveryMessageOf(second, event);
  await sources.deliveries.record(same, { status: 'succeeded', result: attempt }, NOW_MS);
  const withTwo = await text('/events');
  expect(rowsOf(withTwo, 'events')).toMatchObject([{ Webhooks: '2 succeeded ' }]);
  expect(linksOf(withTwo).filter((link) => link.startsWith('/deliveries/'))).toStrictEqual([]);
  for (const [query, count] of [
    [`q=${event.id}`, 1],
    [`q=${cart.id}`, 1],
    ['q=evt_x', 0],
    ['type=cart.completed', 1],
    ['type=cart.refunded', 0],
  ] as const)
    expect(rowsOf(await text(`/events?${query}`), 'events'), query).toHaveLength(count);
});

test('the newest events are shown also if those before them fill a page of DynamoDB', async () => {
  const { database, sources, text, putCart } = await givenDashboard();
  const paymentRecords = paymentRecordRepositoryOf(database, 'testCarts', sources.now);
  // Twelve events with 100 KB each.
  const meta = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`k${index}`, '😀'.repeat(500)]));
  for (let index = 1; index <= 12; index += 1) {
    const { id: cartId, price } = await putCart({ id: idOf(index), meta });
    const { amount, currency } = price;
    await recordPaymentEvent(
      { cartId, mode: 'test', payment: payment({ amount, currency, occurredAtMs: NOW_MS }) },
      { carts: { find: sources.findCart }, paymentRecords },
    );
  }

  expect(rowsOf(await text(`/events?q=${idOf(12)}`), 'events')).toHaveLength(1);
  expect(textOf(await text(`/carts/${idOf(12)}`))).toContain('Event cart.completed');
});

test('the list shows the endpoints and the latest deliveries, without queries and secrets', async () => {
  const { database, sources, text } = await givenDashboard();
  const secret = await storeEndpoint(database, ENDPOINT);
  await storeEndpoint(database, {
    ...ENDPOINT,
    endpointId: 'we_3',
    disabled: { atMs: NOW_MS, reason: 'gone' },
  });
  const attempt = { atMs: NOW_MS, attempt: 1, status: 503, ms: 17, response: 'Hello Grace' };
  const next = { attempt: 2, atMs: NOW_MS + 5_000 };
  await sources.deliveries.record(MESSAGE, { status: 'retrying', result: attempt, next }, NOW_MS);
  const html = await text('/endpoints');
  const endpoint = { Address: 'https://shop.example/hook', Events: 'all', Store: 'shop' };
  expect(
    rowsOf(html, 'endpoints').toSorted((a, b) => (String(a['State']) < String(b['State']) ? -1 : 1)),
  ).toMatchObject([
    { ...endpoint, State: 'disabled it responded with 410' },
    { ...endpoint, State: 'enabled' },
  ]);
  for (const id of ['we_1', 'we_3']) expect(html).toContain(`href="/endpoints/${id}"`);
  expect(rowsOf(html, 'deliveries')).toStrictEqual([
    {
      Recorded: '2026-01-15 12:30:00 UTC',
      Event: 'cart.completed',
      State: 'retrying 503 · 17 ms next try due 2026-01-15 12:30:05 UTC',
      Endpoint: 'https://shop.example/hook',
      Store: 'shop',
    },
  ]);
  expect(html).toContain(`href="/deliveries/we_1/${MESSAGE.eventId}-${NOW_MS}"`);
  expect(html).toContain('Your server failed: its log has the reason.');
  for (const hidden of ['a-secret', 'Grace', secret]) expect(html).not.toContain(hidden);
});

test('only endpoints of a store with a demo key have buttons', async () => {
  const { database, text } = await givenDashboard();
  await storeEndpoint(database, ENDPOINT);
  expect(await text('/endpoints')).not.toContain('name="request"');
  await storeEndpoint(database, { ...ENDPOINT, ...DEMO_LOG, endpointId: 'we_2' });
  const html = await text('/endpoints');
  expect(html).toContain('/api/v1/stores/webhook-endpoints/we_2/test');
  expect(html).toContain('&quot;method&quot;:&quot;DELETE&quot;');
});

test('an endpoint is found by its state, its id and its address', async () => {
  const { database, text } = await givenDashboard();
  await storeEndpoint(database, ENDPOINT);
  await storeEndpoint(database, {
    ...ENDPOINT,
    endpointId: 'we_3',
    url: 'https://other.example/',
    disabled: { atMs: NOW_MS, reason: 'gone' },
  });
  const found = async (query: string) =>
    rowsOf(await text(`/endpoints?${query}`), 'endpoints').map(({ Address }) => Address);
  for (const query of ['state=enabled', 'q=we_1', 'q=SHOP.example'])
    expect(await found(query), query).toStrictEqual(['https://shop.example/hook']);
  expect(await found('state=disabled')).toStrictEqual(['https://other.example/']);
});

test('the list of endpoints names the next step', async () => {
  const { database, text } = await givenDashboard();
  expect(await text('/endpoints')).toContain('There is no endpoint yet.');
  await storeEndpoint(database, ENDPOINT);
  expect(textOf(await text('/endpoints'))).toContain('There is no delivery yet.');
});
