import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, expect, it } from 'vitest';
import type { OperationName } from '../../functions/operations.ts';
import { EVENT_USE, eventsOf, LARGEST_EVENT_USE, OPERATION_USE } from '../../infra/cost/aws-use.ts';
import { cartEvent } from '../../lib/carts/cart-event.ts';
import { toCartItem } from '../../lib/carts/cart-item.ts';
import { PAYMENTS_MAX } from '../../lib/carts/cart-payments.ts';
import { REFUNDS_MAX } from '../../lib/carts/cart-refunds.ts';
import type { Payment } from '../../lib/carts/payment.ts';
import { ENDPOINT_URL_CHARACTERS_MAX } from '../../lib/endpoints/address/endpoint-url.ts';
import { createEndpointRepository } from '../../lib/endpoints/endpoint-repository.ts';
import { findStoreName } from '../../lib/stores/store-name.ts';
import { isWrite, recordUnits } from '../support/database/consumed-units.ts';
import { countItems } from '../support/database/count-items.ts';
import { unlessExempt } from '../support/database/exemptions.ts';
import { cartBody } from '../support/domain/cart-body.ts';
import { newEndpoint, storeEndpoint } from '../support/domain/endpoints.ts';
import { eventLogOf } from '../support/domain/event-logs.ts';
import { expiryJobOf, handleExpired } from '../support/domain/expiries.ts';
import { payment, refund, waitingCart } from '../support/domain/payments.ts';
import { invoke } from '../support/functions/invoke.ts';
import { cartIdOf } from '../support/service/http-client.ts';
import { givenService, type TestService } from '../support/service/service.ts';

/** A character of four bytes. */
const WIDE = '\u{1F388}';

/** The largest `meta`: the API counts characters, and DynamoDB bytes. */
const META = Object.fromEntries(
  Array.from({ length: 50 }, (_, index) => [`${index}`.padEnd(2, '-') + WIDE.repeat(38), WIDE.repeat(500)]),
);

/** The fields with the most bytes. */
const FIELDS = {
  meta: META,
  firstName: WIDE.repeat(100),
  lastName: WIDE.repeat(100),
  phone: WIDE.repeat(32),
  lang: 'fr-CA',
  redirectURL: `https://shop.example/${'a'.repeat(2_000)}`,
  cancelURL: `https://shop.example/${'a'.repeat(2_000)}`,
};

const STORE_ID = 'store-of-large-events';

let service: TestService;
let apiKey: string;
let consumed = { reads: 0, writes: 0 };

const createBody = async (fields: Partial<typeof FIELDS>): Promise<string> =>
  cartBody(await service.givenProduct(), fields);

/** Stores a cart that the request creates: by default the largest one. Returns its id. */
const givenCart = async (fields: Partial<typeof FIELDS> = FIELDS): Promise<string> =>
  cartIdOf(await service.createCart(await createBody(fields), { apiKey }));

/** Stores a largest cart with the payments and refunds of the sandbox: all that fit beside two more payments. */
const givenPaidCart = async (): Promise<string> => {
  const id = await givenCart();
  const cart = (await service.carts.test.find(id))!;
  const failure = { result: 'failed', failureReason: 'card_declined' } as const;
  const payments = Array.from({ length: PAYMENTS_MAX.succeeded - 2 }, (_, index): Payment => ({
    ...payment({ ...cart.price, occurredAtMs: service.clock.now() + index }),
    ...(index < PAYMENTS_MAX.failed && failure),
  }));
  const paid = payments.slice(PAYMENTS_MAX.failed);
  const refunds = paid
    .slice(0, REFUNDS_MAX)
    .map(({ paymentId }) => refund({ refundId: `sandbox-${paymentId}`, paymentId, ...cart.price }));
  const { paymentId, occurredAtMs: completedAtMs } = paid[0]!;
  const completed = { ...cart, status: 'completed', paymentId, completedAtMs, payments, refunds } as const;
  await service.documents.send(
    new PutCommand({ TableName: service.tableNames.testCarts, Item: toCartItem(completed) }),
  );
  return id;
};

type SandboxOperation = 'openSandboxCheckout' | 'submitSandboxCheckout';

const sendToSandbox = (name: SandboxOperation, cartId: string, action = '') => {
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'text/html' };
  const request = { pathParameters: { cartId }, headers, body: `action=${action}` };
  return invoke(service.handlerOf('sandbox-checkout'), name, request, service.clock.now);
};

/** Resets the units. */
const start = (): void => {
  consumed = { reads: 0, writes: 0 };
};

beforeAll(async () => {
  service = await givenService();
  apiKey = await service.givenKey({ limit: 1_000 });
  const log = eventLogOf(service);
  for (let count = 0; count < 12; count += 1) {
    const cart = waitingCart({ storeId: STORE_ID, mode: 'test', meta: META });
    await log.append(cart, { event: cartEvent({ type: 'cart.completed', cart, cause: '' }), writes: [] });
  }
  // Before the first event of a log, its last event is read too.
  await service.send('expireCart', { apiKey, pathParameters: { cartId: await givenCart() } });
  recordUnits(service.documents, (call) => {
    consumed[isWrite(call) ? 'writes' : 'reads'] += call.units;
  });
});

/** The operations that use more for the largest carts. */
type LargestOperation = {
  [Name in OperationName]: (typeof OPERATION_USE)[Name] extends { readonly largest: unknown } ? Name : never;
}[OperationName];

/** Sends the request of each operation that uses the most. */
const REQUESTS = {
  createCartCheckout: async () => {
    const body = await createBody(FIELDS);
    start();
    return service.createCart(body, { apiKey });
  },
  getCart: async () => {
    const id = await givenPaidCart();
    start();
    return service.getCart(id, { apiKey });
  },
  getPaymentCart: async () => {
    const id = await givenPaidCart();
    const cart = (await service.carts.test.find(id))!;
    await service.carts.live.create({ ...cart, mode: 'live' });
    start();
    return service.getPaymentCart(id);
  },
  expireCart: async () => {
    const pathParameters = { cartId: await givenCart() };
    start();
    return service.send('expireCart', { apiKey, pathParameters });
  },
  listEvents: async () => {
    const key = await service.givenKey({ storeId: STORE_ID });
    start();
    return service.send('listEvents', { apiKey: key });
  },
  openSandboxCheckout: async () => {
    const id = await givenPaidCart();
    start();
    return sendToSandbox('openSandboxCheckout', id);
  },
  submitSandboxCheckout: async () => {
    const id = await givenPaidCart();
    start();
    return sendToSandbox('submitSandboxCheckout', id, 'pay_twice');
  },
} as const satisfies Readonly<Record<LargestOperation, () => Promise<{ readonly status: number }>>>;

type Units = typeof consumed;

/** The units that DynamoDB Local does not show. */
const EXEMPTIONS: Readonly<Record<string, Parameters<typeof unlessExempt>[0]>> = {
  'expireCart writes': 'units of a transaction',
  'submitSandboxCheckout writes': 'units of a transaction',
  'abandonment writes': 'units of a transaction',
  'listEvents reads': 'units of a full page',
};

/** Asserts that the units since {@link start} are at least nine tenths of those of the model, and at most all. */
const expectUnits = (name: string, modelled: Units): void => {
  for (const kind of ['reads', 'writes'] as const) {
    const exemption = EXEMPTIONS[`${name} ${kind}`];
    if (exemption && unlessExempt(exemption, 0) !== 0) continue;
    expect(consumed[kind], kind).toBeGreaterThanOrEqual(0.9 * modelled[kind]);
    expect(consumed[kind], kind).toBeLessThanOrEqual(modelled[kind]);
  }
};

const countEvents = (): Promise<number> => countItems(service.documents, service.tableNames.events);

it.each(Object.keys(REQUESTS) as LargestOperation[])(
  '%s about the largest carts consumes at least nine tenths of the units of the model of costs, and at most all',
  async (name) => {
    expect((await REQUESTS[name]()).status).toBeLessThan(400);
    expectUnits(name, OPERATION_USE[name].largest);
  },
);

it.each([
  'pay_twice',
  'out_of_order',
  'pay',
  'pay_late',
  'decline',
  'wrong_amount',
  'expire',
  'refund',
  'leave',
])(
  'the action %s about a cart below 1 KB consumes at most the units of the model of costs, and logs at most its events: two payments use it all',
  async (action) => {
    const id = await givenCart({});
    if (action === 'refund') await sendToSandbox('submitSandboxCheckout', id, 'pay');
    const before = await countEvents();
    start();
    expect((await sendToSandbox('submitSandboxCheckout', id, action)).status).toBe(303);
    const { reads, writes } = consumed;
    const events = (await countEvents()) - before;
    const { usual } = OPERATION_USE.submitSandboxCheckout;
    expect(reads).toBeLessThanOrEqual(usual.reads);
    expect(writes).toBeLessThanOrEqual(usual.writes);
    expect(events).toBeLessThanOrEqual(eventsOf('submitSandboxCheckout'));
    if (action !== 'pay_twice') return;
    // The second write of the cart's token follows a failed condition, whose units no response shows.
    const written = unlessExempt('units of a transaction', usual.writes - 1);
    expect({ reads, writes, events }).toStrictEqual({ reads: usual.reads, writes: written, events: 2 });
  },
);

it.each([
  ['below 1 KB', {}, EVENT_USE.abandonment],
  ['of the largest size', FIELDS, LARGEST_EVENT_USE.abandonment],
])(
  'the expiry of a cart %s consumes at least nine tenths of the units of the model of costs, and at most all',
  async (_, fields, modelled) => {
    const id = await givenCart(fields);
    service.clock.advance(2 * 86_400);
    start();
    expect(await handleExpired(expiryJobOf(service, service.clock.now, 'test'), [id])).toBe(1);
    expectUnits('abandonment', modelled);
  },
);

it('the fan-out of a largest event consumes at least nine tenths of the units of the model of costs, and at most all', async () => {
  const log = { storeId: 'store-of-ten-endpoints', mode: 'test' } as const;
  const url = 'https://shop.example/'.padEnd(ENDPOINT_URL_CHARACTERS_MAX, 'a');
  for (let count = 0; count < 10; count += 1) await storeEndpoint(service, newEndpoint({ ...log, url }));
  const { documents, tableNames, stores } = service;
  start();
  await createEndpointRepository(documents, tableNames.webhookEndpoints).listOf(log);
  await findStoreName(stores, log.storeId);
  expectUnits('fan-out', LARGEST_EVENT_USE.fanOut);
});
