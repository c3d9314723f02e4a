import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { EVENT_USE, OPERATION_USE, PAGES } from '../../infra/cost/aws-use.ts';
import { cartEvent } from '../../lib/carts/cart-event.ts';
import type { Payment } from '../../lib/carts/payment.ts';
import { createEndpointSink } from '../../lib/deliveries/queue/endpoint-sink.ts';
import { createEndpointRepository } from '../../lib/endpoints/endpoint-repository.ts';
import { createBusSink } from '../../lib/events/bus-sink.ts';
import { formatCursor } from '../../lib/events/cursor.ts';
import { fanOut } from '../../lib/events/fan-out.ts';
import { loggedEvent } from '../../lib/events/logged-event.ts';
import { createPaymentRepositories } from '../../lib/payments/payment-repositories.ts';
import { recordPaymentEvent } from '../../lib/payments/record-payment-event.ts';
import { findStoreName } from '../../lib/stores/store-name.ts';
import { createStoreRepository } from '../../lib/stores/store-repository.ts';
import { type ConsumedUnits, isWrite, recordUnits } from '../support/database/consumed-units.ts';
import { unlessExempt } from '../support/database/exemptions.ts';
import { cartBody } from '../support/domain/cart-body.ts';
import { newEndpoint, storeEndpoint } from '../support/domain/endpoints.ts';
import { eventLogOf } from '../support/domain/event-logs.ts';
import { expiryJobOf, handleExpired } from '../support/domain/expiries.ts';
import { paymentTablesOf } from '../support/domain/payment-tables.ts';
import { payment, refund, waitingCart } from '../support/domain/payments.ts';
import { MEASURED_OPERATIONS, OPERATION_ROWS } from '../support/operations/all-rows.ts';
import type { MeasuredService } from '../support/operations/row-types.ts';
import { cartIdOf } from '../support/service/http-client.ts';
import { givenService, type TestService } from '../support/service/service.ts';

let service: TestService;
let apiKey: string;
let productId: string;
let consumed: ConsumedUnits[];

beforeAll(async () => {
  service = await givenService();
  apiKey = await service.givenKey({ limit: 1_000 });
  productId = await service.givenProduct();
  // Waits for the idempotency secret, which each environment reads once.
  await createCart('order-0');
  recordUnits(service.documents, (call) => consumed.push(call));
});

beforeEach(() => {
  consumed = [];
});

const createCart = async (idempotencyKey?: string): Promise<string> => {
  const headers = { 'Idempotency-Key': idempotencyKey };
  const body = cartBody(productId, { meta: { order: 'A-1' } });
  return cartIdOf(await service.createCart(body, { apiKey, headers }));
};

const units = (): Pick<ConsumedUnits, 'operation' | 'units'>[] =>
  consumed
    .map(({ operation, units: consumedUnits }) => ({ operation, units: consumedUnits }))
    .toSorted((a, b) => a.operation.localeCompare(b.operation));

/** The sums of the units so far, as the cost model has them. */
const totals = () => {
  const sum = (calls: readonly ConsumedUnits[]) => calls.reduce((total, call) => total + call.units, 0);
  return { writes: sum(consumed.filter(isWrite)), reads: sum(consumed.filter((call) => !isWrite(call))) };
};

/** A store with 100 events of nearly 1 KB; returns a key of it. */
const givenEvents = async (storeId: string): Promise<string> => {
  const log = eventLogOf(service);
  const append = () => {
    const cart = waitingCart({ storeId, mode: 'test', meta: { order: 'x'.repeat(260) } });
    const event = cartEvent({ type: 'cart.completed', cart, cause: '' });
    return log.append(cart, { event, writes: [] });
  };
  await Promise.all(Array.from({ length: 100 }, append));
  return service.givenKey({ storeId });
};

describe('with a known key and items under 1 KB', () => {
  it.each([undefined, 'order-1'])(
    'a creation consumes three write units and half a read unit: %s',
    async (key) => {
      await createCart(key);
      expect(units()).toStrictEqual([
        { operation: 'GetItem', units: 0.5 },
        // The cart, and its timer in the index.
        { operation: 'PutItem', units: 2 },
        { operation: 'UpdateItem', units: 1 },
      ]);
      expect(OPERATION_USE.createCartCheckout.usual).toMatchObject(totals());
    },
  );

  it('a creation in test mode that names the products of the store consumes less than one that succeeds', async () => {
    const response = await service.createCart(cartBody('unknown'), { apiKey });
    expect(response.status).toBe(400);
    expect(units()).toStrictEqual([
      { operation: 'GetItem', units: 0.5 },
      { operation: 'Query', units: 0.5 },
      { operation: 'UpdateItem', units: 1 },
    ]);
  });

  it('a retrieval consumes one write unit and one read unit', async () => {
    const id = await createCart();
    consumed = [];
    await service.getCart(id, { apiKey });
    expect(units()).toStrictEqual([
      { operation: 'GetItem', units: 1 },
      { operation: 'UpdateItem', units: 1 },
    ]);
    expect(OPERATION_USE.getCart.usual).toMatchObject(totals());
  });

  it('a read of a live cart by the payment side consumes one read unit, and half a unit for the store', async () => {
    const { cart } = await service.carts.live.create(waitingCart());
    consumed = [];
    await service.getPaymentCart(cart.id);
    expect(units()).toStrictEqual([
      { operation: 'GetItem', units: 1 },
      { operation: 'GetItem', units: 0.5 },
    ]);
  });

  const READ_CART = { operation: 'GetItem', units: 1 };
  const READ_COUNTER = { operation: 'GetItem', units: 1 };

  const pay = async (cartId: string, changes: Partial<Payment> = {}): Promise<void> => {
    const { now } = service.clock;
    const { test: repositories } = createPaymentRepositories(
      service.documents,
      paymentTablesOf(service.tableNames),
      {
        now,
      },
    );
    const paid = payment({ occurredAtMs: now(), ...changes });
    const event = { cartId, mode: 'test', payment: paid } as const;
    expect(await recordPaymentEvent(event, repositories)).toMatchObject({ outcome: 'recorded' });
  };

  it.each([
    // Cart, claim, event and counter, two each. The timer leaves the index, and that of the erasure enters it.
    ['succeeds', 'succeeded', EVENT_USE.payment.writes],
    ['fails', 'failed', 7],
  ] as const)(
    'a payment that %s consumes two read units, and writes its cart, its event and the counter',
    async (_, result, written) => {
      const cartId = await createCart();
      // Before the first event of a log, its last event is read too.
      await pay(await createCart());
      consumed = [];
      await pay(cartId, { result });
      const writeUnits = unlessExempt('units of a transaction', written);
      const transaction = { operation: 'TransactWriteItems', units: writeUnits };
      expect(units()).toStrictEqual([READ_CART, READ_COUNTER, transaction]);
      expect(EVENT_USE.payment.reads).toBe(READ_CART.units + READ_COUNTER.units);
    },
  );

  it('a payment that causes no event consumes one read unit, and writes its cart alone, not its timer', async () => {
    const cartId = await createCart();
    await pay(cartId);
    consumed = [];
    await pay(cartId, { result: 'failed' });
    expect(units()).toStrictEqual([READ_CART, { operation: 'PutItem', units: 1 }]);
  });

  it('a refund consumes two read units, and writes its cart, its event and the counter, not its timer', async () => {
    const cartId = await createCart();
    const paid = payment({ occurredAtMs: service.clock.now() });
    await pay(cartId, paid);
    const { now } = service.clock;
    const tables = paymentTablesOf(service.tableNames);
    const { test: repositories } = createPaymentRepositories(service.documents, tables, { now });
    consumed = [];
    // The event has 1 to 2 KB, so it takes four units.
    const { paymentId } = paid;
    await recordPaymentEvent({ cartId, mode: 'test', refund: refund({ paymentId }) }, repositories);
    const transaction = { operation: 'TransactWriteItems', units: unlessExempt('units of a transaction', 8) };
    expect(units()).toStrictEqual([READ_CART, READ_COUNTER, transaction]);
  });

  it('49 abandonments of a store consume five write units and a read unit each, and two and one for the counter, in one transaction', async () => {
    const carts = Array.from({ length: 49 }, () => waitingCart({ mode: 'test' }));
    await Promise.all(carts.map((cart) => service.carts.test.create(cart)));
    const cartIds = carts.map(({ id }) => id);
    await pay(await createCart());
    service.clock.advance(86_400);
    consumed = [];
    const work = expiryJobOf(service, service.clock.now, 'test');
    expect(await handleExpired(work, cartIds)).toBe(49);
    expect(units()).toStrictEqual([
      { operation: 'BatchGetItem', units: 49 * (EVENT_USE.abandonment.reads - READ_COUNTER.units) },
      READ_COUNTER,
      {
        operation: 'TransactWriteItems',
        units: unlessExempt('units of a transaction', 49 * (EVENT_USE.abandonment.writes - 2) + 2),
      },
    ]);
  });

  it('the fan-out of an event consumes a read unit for the endpoints of its log, and half a unit for the name of its store', async () => {
    const { documents, tableNames, clock } = service;
    const endpoint = newEndpoint();
    await storeEndpoint(service, endpoint);
    const { storeId, mode } = endpoint;
    const cart = waitingCart({ storeId, mode });
    const event = cartEvent({ type: 'cart.completed', cart, cause: '' });
    const endpoints = createEndpointRepository(documents, tableNames.webhookEndpoints);
    const stores = createStoreRepository(documents, tableNames.stores);
    consumed = [];
    await fanOut(
      [loggedEvent(event, 1, clock.now())],
      [
        createBusSink({ put: async () => undefined }, (id) => findStoreName(stores, id)),
        createEndpointSink({ send: async () => undefined }, (log) => endpoints.listOf(log)),
      ],
    );
    expect(units()).toStrictEqual([
      { operation: 'GetItem', units: 0.5 },
      { operation: 'Query', units: 1 },
    ]);
    expect(EVENT_USE.fanOut).toMatchObject(totals());
  });

  it('a page of 100 events, with a cursor or without, consumes one write unit, and reads the events by one Query', async () => {
    const storeId = 'store-of-100-events';
    const ofStore = await givenEvents(storeId);
    const after = formatCursor({ storeId, mode: 'test' }, { sequence: 0, seenUntilMs: service.clock.now() });
    for (const query of [{ after }, {}]) {
      consumed = [];
      const { body } = await service.send('listEvents', { apiKey: ofStore, query });
      expect(body['events']).toHaveLength(100);
      const [page, key] = units();
      expect([page?.operation, key]).toStrictEqual(['Query', { operation: 'UpdateItem', units: 1 }]);
      // 100 or 101 events of at most 1 KB, at 4 KB for each unit.
      expect(page?.units).toBeLessThanOrEqual(101 / 4);
    }
  });

  it('a 429 that is no longer remembered consumes one read unit and no write unit', async () => {
    const emptyKey = await service.givenKey({ limit: 1, windowSeconds: 3_600 });
    // With an invalid body, only the key is read.
    const create = () => service.createCart('{}', { apiKey: emptyKey });
    await create();
    service.clock.advance(1);
    consumed = [];
    expect((await create()).status).toBe(429);
    expect(units()).toStrictEqual([{ operation: 'GetItem', units: 1 }]);
  });
});

// `webhook-endpoints/endpoint-units.test.ts` has the operations on webhook endpoints.
it.each(MEASURED_OPERATIONS)(
  '%s consumes at least nine tenths of the units of the model of costs, and at most all',
  async (name) => {
    const { prepare, status } = OPERATION_ROWS[name];
    const { usual } = OPERATION_USE[name];
    const send: MeasuredService['send'] = (operation, request) =>
      service.send(operation, { apiKey, ...request });
    const request = await prepare({ ...service, apiKey, givenCart: createCart, givenEvents, send });
    consumed = [];
    expect((await service.send(name, request)).status).toBe(status);
    const { reads, writes } = totals();
    expect(reads).toBeGreaterThanOrEqual(PAGES.includes(name) ? 0 : 0.9 * usual.reads);
    expect(reads, 'state its use in aws-use.ts').toBeLessThanOrEqual(usual.reads);
    expect(writes).toStrictEqual(unlessExempt('units of a transaction', usual.writes));
  },
);
