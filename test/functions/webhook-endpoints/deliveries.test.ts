import { beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { cartEvent } from '../../../lib/carts/cart-event.ts';
import { type DeliveryMessage, deliveryMessageOf } from '../../../lib/deliveries/queue/queue-message.ts';
import {
  createDeliveryRepository,
  type DeliveryRepository,
} from '../../../lib/deliveries/records/delivery-repository.ts';
import { publicDeliveryId } from '../../../lib/deliveries/records/delivery-view.ts';
import { expectError } from '../../support/contract/expect-error.ts';
import { makeQuick } from '../../support/domain/endpoints.ts';
import { eventLogOf } from '../../support/domain/event-logs.ts';
import { waitingCart } from '../../support/domain/payments.ts';
import { givenService, type TestService } from '../../support/service/service.ts';
import { givenMerchant, type Merchant } from './merchant.ts';

let service: TestService;
let deliveries: DeliveryRepository;
let merchant: Merchant;
let id: string;
beforeAll(async () => {
  service = await givenService();
  const { documents, tableNames, clock } = service;
  deliveries = createDeliveryRepository(documents, tableNames.deliveries, clock.now);
});
beforeEach(async () => {
  merchant = await givenMerchant(service);
  id = await merchant.givenEndpoint();
  service.queued.length = 0;
});

/** Records an event of the store with a failed delivery to its endpoint. Returns the message of the delivery. */
const givenDelivery = async () => {
  const endpoint = { storeId: merchant.storeId, mode: 'test', endpointId: id } as const;
  const cart = waitingCart({ storeId: merchant.storeId, mode: 'test' });
  const event = cartEvent({ type: 'cart.completed', cart, cause: 'payment' });
  const result = await eventLogOf(service, service.clock.now).append(endpoint, { event, writes: [] });
  if (result.outcome !== 'appended') throw new Error('The event was rejected');
  const message = deliveryMessageOf(endpoint, result.event);
  const atMs = service.clock.now();
  const attempt = { atMs, attempt: 1, status: 500, ms: 12, response: 'no' };
  await deliveries.record(
    message,
    { status: 'retrying', result: attempt, next: { attempt: 2, atMs: atMs + 5_000 } },
    atMs,
  );
  return message;
};

const list = async (query: Readonly<Record<string, string>> = {}) => {
  const { status, body } = await merchant.on(id, 'listWebhookDeliveries', { query });
  expect(status).toBe(200);
  return body as { deliveries: { id: string; recordedAt: string }[]; cursor?: string; hasMore: boolean };
};

describe('the list of deliveries', () => {
  it.each(['0001-01-01T00:00:00Z', '9999-12-31T23:59:59-12:00'])(
    'may be of any time: before %s',
    async (before) => {
      const message = await givenDelivery();
      const ids = (await list({ before })).deliveries.map((delivery) => delivery.id);
      expect(ids).toStrictEqual(before.startsWith('9') ? [publicDeliveryId(message)] : []);
    },
  );

  it('has each delivery with its attempts and the beginning of their responses', async () => {
    const message = await givenDelivery();
    const at = new Date(service.clock.now()).toISOString();
    expect(await list()).toStrictEqual({
      deliveries: [
        {
          id: publicDeliveryId(message),
          eventId: message.eventId,
          eventType: 'cart.completed',
          recordedAt: new Date(message.recordedAtMs).toISOString(),
          status: 'retrying',
          nextAttemptAt: new Date(service.clock.now() + 5_000).toISOString(),
          attempts: [{ attempt: 1, at, status: 500, durationMs: 12, response: 'no' }],
        },
      ],
      hasMore: false,
    });
  });

  it('continues after the cursor of a page, also among deliveries of one time', async () => {
    const message = await givenDelivery();
    const sent = ['a', 'b', 'c'].map((digit) => ({ ...message, eventId: `evt_${digit.repeat(32)}` }));
    for (const each of sent) await deliveries.record(each, { status: 'succeeded' }, service.clock.now());
    const expected = [message, ...sent].map(publicDeliveryId).toSorted().toReversed();
    const pages = [await list({ limit: '1' })];
    for (let [page] = pages; page?.hasMore; page = pages.at(-1))
      pages.push(await list({ limit: '1', after: String(page.cursor) }));
    expect(pages.flatMap((page) => page.deliveries.map((each) => each.id))).toStrictEqual(expected);
    expect(pages.at(-1)).not.toHaveProperty('cursor');
  });

  it('continues before the last delivery of a page, the latest event first', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) {
      service.clock.advance(1);
      ids.unshift(publicDeliveryId(await givenDelivery()));
    }
    const first = await list({ limit: '2' });
    const second = await list({ limit: '2', before: first.deliveries[1]!.recordedAt });
    const third = await list({ limit: '2', before: second.deliveries[1]!.recordedAt });
    expect([first, second, third].flatMap((page) => page.deliveries.map((each) => each.id))).toStrictEqual(
      ids,
    );
    expect([first, second, third].map(({ hasMore }) => hasMore)).toStrictEqual([true, true, false]);
  });

  it('has 20 deliveries by default', async () => {
    for (let count = 0; count < 21; count += 1) await givenDelivery();
    const { deliveries: page, hasMore } = await list();
    expect([page.length, hasMore]).toStrictEqual([20, true]);
  });

  it.each([
    [{ limit: '0' }, 'query.limit', 'Must be a whole number from 1 to 100'],
    [{ before: 'yesterday' }, 'query.before', 'Must be the recordedAt of a delivery'],
    [{ after: 'AZrbQ8sAAZrbR1k0c29tZXRo' }, 'query.after', 'Must be a cursor from a response'],
    [
      { after: `evt_${'a'.repeat(32)}-1795185070412`, before: '2026-11-20T14:31:10.412Z' },
      'query.before',
      'Send after or before, not both',
    ],
    [{ cursor: 'x' }, 'query.cursor', 'Unknown parameter cursor; did you mean after?'],
    [{ ending_before: 'x' }, 'query.ending_before', 'Unknown parameter ending_before; did you mean before?'],
  ])('gets 422 for an invalid parameter: %j', async (query, path, message) => {
    const response = await merchant.on(id, 'listWebhookDeliveries', { query });
    expectError(response, 'invalidPayload');
    expect(response.body['details']).toStrictEqual([{ path, message }]);
  });
});

describe('a delivery that is sent again', () => {
  const resend = (deliveryId: string) =>
    merchant.on(id, 'resendWebhookDelivery', { pathParameters: { deliveryId } });

  it('goes into the queue with its old event id and a new schedule', async () => {
    const message = await givenDelivery();
    const deliveryId = publicDeliveryId(message);
    const { status, body } = await resend(deliveryId);
    expect([status, body]).toStrictEqual([202, { deliveryId, eventId: message.eventId }]);
    expect(service.queued).toStrictEqual([{ ...message, attempt: 1 }]);
  });

  it.each(['quick', 'slow'] as const)('goes into the queue of its endpoint: %s', async (lane) => {
    const message = await givenDelivery();
    if (lane === 'quick') await makeQuick(service, message.endpoint);
    const send = vi.spyOn(service.queue, 'send');
    onTestFinished(() => send.mockRestore());
    await resend(publicDeliveryId(message));
    await merchant.on(id, 'testWebhookEndpoint');
    const options = { lane };
    expect(send.mock.calls.map(([, given]) => given)).toStrictEqual([options, options]);
  });

  it('gets 404 once its event is no longer kept, and if it was of a test event', async () => {
    const message = await givenDelivery();
    const ping = { ...message, type: 'webhook.ping', sequence: undefined, eventId: `evt_${'a'.repeat(32)}` };
    await deliveries.record(ping, { status: 'succeeded' }, service.clock.now());
    expectError(await resend(publicDeliveryId(ping)), 'webhookDeliveryNotFound');
    service.clock.advance(29 * 86_400);
    await deliveries.record(message, { status: 'failed' }, service.clock.now());
    service.clock.advance(4 * 86_400);
    expectError(await resend(publicDeliveryId(message)), 'webhookDeliveryNotFound');
    expect(service.queued).toStrictEqual([]);
  });

  it('gets 404 if a restored log has another event with its number', async () => {
    const message = await givenDelivery();
    const other = { ...message, eventId: `evt_${'b'.repeat(32)}` };
    await deliveries.record(other, { status: 'failed' }, service.clock.now());
    expectError(await resend(publicDeliveryId(other)), 'webhookDeliveryNotFound');
  });

  it('is limited to one in ten seconds for each endpoint, apart from test events', async () => {
    const first = publicDeliveryId(await givenDelivery());
    const second = publicDeliveryId(await givenDelivery());
    expect((await resend(first)).status).toBe(202);
    const limited = await resend(second);
    expectError(limited, 'resendLimited');
    expect(limited.headers['retry-after']).toBe('10');
    expect((await merchant.on(id, 'testWebhookEndpoint')).status).toBe(202);
    service.clock.advance(10);
    expect((await resend(second)).status).toBe(202);
    expect(service.queued).toHaveLength(3);
  });

  it('gets 409 while the endpoint is disabled', async () => {
    const message = await givenDelivery();
    await merchant.on(id, 'updateWebhookEndpoint', { body: { enabled: false } });
    expectError(await resend(publicDeliveryId(message)), 'webhookEndpointDisabled');
    expect(service.queued).toStrictEqual([]);
  });
});

describe('a test event', () => {
  const test = (query: Readonly<Record<string, string>> = {}) =>
    merchant.on(id, 'testWebhookEndpoint', { query });

  it('is a 503 after 4 s if the queue does not respond', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const called = Promise.withResolvers<void>();
    const hanging = vi.spyOn(service.queue, 'send').mockImplementation(() => {
      called.resolve();
      return new Promise(() => undefined);
    });
    onTestFinished(() => {
      vi.useRealTimers();
      hanging.mockRestore();
    });
    const responding = test();
    await called.promise;
    vi.advanceTimersByTime(4_000);
    expectError(await responding, 'serviceUnavailable');
  });

  it('goes into the queue, and its result is in the list of deliveries', async () => {
    const { status, body } = await test();
    const [message] = service.queued as [DeliveryMessage];
    expect([status, body]).toStrictEqual([
      202,
      { deliveryId: publicDeliveryId(message), eventId: message.eventId },
    ]);
    expect(message).toMatchObject({ endpoint: { endpointId: id }, type: 'webhook.ping', attempt: 1 });
    await deliveries.record(message, { status: 'succeeded' }, service.clock.now());
    expect(await list()).toMatchObject({
      deliveries: [{ id: body['deliveryId'], eventType: 'webhook.ping' }],
    });
  });

  it('has a chosen type in test mode, and cannot be sent again', async () => {
    const { status, body } = await test({ eventType: 'cart.refunded' });
    const [message] = service.queued as [DeliveryMessage];
    expect([status, body['eventId']]).toStrictEqual([202, message.eventId]);
    expect(message).toMatchObject({ type: 'test.cart.refunded', sequence: undefined });
    await deliveries.record(message, { status: 'succeeded' }, service.clock.now());
    expect(await list()).toMatchObject({ deliveries: [{ eventType: 'test.cart.refunded' }] });
    const resent = await merchant.on(id, 'resendWebhookDelivery', {
      pathParameters: { deliveryId: String(body['deliveryId']) },
    });
    expectError(resent, 'webhookDeliveryNotFound');
  });

  it('of live mode is a ping, and any other type gets 422', async () => {
    const live = await givenMerchant(service, { mode: 'live' });
    const endpointId = await live.givenEndpoint();
    service.queued.length = 0;
    const testLive = (eventType: string) =>
      live.on(endpointId, 'testWebhookEndpoint', { query: { eventType } });
    const rejected = await testLive('cart.completed');
    expectError(rejected, 'invalidPayload');
    expect(rejected.body['details']).toMatchObject([{ path: 'query.eventType' }]);
    expect((await testLive('webhook.ping')).status).toBe(202);
    expect(service.queued).toMatchObject([{ type: 'webhook.ping' }]);
  });

  it.each([
    [{ eventType: 'cart.paid' }, 'query.eventType'],
    [{ type: 'cart.completed' }, 'query.type'],
  ])('gets 422 for an unknown type or name: %j', async (query, path) => {
    const rejected = await test(query);
    expectError(rejected, 'invalidPayload');
    expect(rejected.body['details']).toMatchObject([{ path }]);
    expect(service.queued).toStrictEqual([]);
  });

  it('is limited to one in ten seconds for each endpoint', async () => {
    expect((await test()).status).toBe(202);
    service.clock.advance(9);
    const limited = await test();
    expectError(limited, 'testEventLimited');
    expect(limited.headers['retry-after']).toBe('10');
    const other = await merchant.givenEndpoint();
    expect((await merchant.on(other, 'testWebhookEndpoint')).status).toBe(202);
    service.clock.advance(1);
    expect((await test()).status).toBe(202);
    expect(service.queued).toHaveLength(3);
  });

  it('gets 409 while the endpoint is disabled', async () => {
    await merchant.on(id, 'updateWebhookEndpoint', { body: { enabled: false } });
    expectError(await test(), 'webhookEndpointDisabled');
    expect(service.queued).toStrictEqual([]);
  });
});
