import { beforeEach, describe, expect, it } from 'vitest';
import type { Cart } from '../../lib/carts/cart.ts';
import { createAbandonmentRepository } from '../../lib/carts/expiry/abandonment-repository.ts';
import type { Payment } from '../../lib/carts/payment.ts';
import { createClaimRepository } from '../../lib/operators/claim-repository.ts';
import { previewPayment } from '../../lib/operators/preview-payment.ts';
import { createPaymentRepositories } from '../../lib/payments/payment-repositories.ts';
import { recordPaymentEvent } from '../../lib/payments/record-payment-event.ts';
import { expectError } from '../support/contract/expect-error.ts';
import { cartItemOf, givenDatabase, type TestDatabase } from '../support/database/database.ts';
import { cartBody } from '../support/domain/cart-body.ts';
import { eventLogOf, eventsOf } from '../support/domain/event-logs.ts';
import { expiryJobOf, handleExpired } from '../support/domain/expiries.ts';
import { paymentTablesOf } from '../support/domain/payment-tables.ts';
import { payment } from '../support/domain/payments.ts';
import { DAY_LIFETIME, STORE_ID } from '../support/functions/dependencies.ts';
import { cartIdOf } from '../support/service/http-client.ts';
import { composeService, type TestService } from '../support/service/service.ts';
import { givenSandbox, type TestSandbox } from './sandbox-checkout/sandbox.ts';

// DynamoDB's TTL deletes a cart days after its deletion time. Until then, the service treats the stored cart as deleted.

/** From a cart's creation to its deletion time, which is a whole second. */
const LIFETIME_SECONDS = DAY_LIFETIME.expirySeconds + DAY_LIFETIME.retentionSeconds + 0.75;

let database: TestDatabase;
let service: TestService;
let sandbox: TestSandbox;
let apiKey: string;
let body: string;
let id: string;

const headers = { 'Idempotency-Key': 'order-1' };
const create = () => service.createCart(body, { apiKey, headers });

const advance = (seconds: number): void => {
  for (const { clock } of [service, sandbox]) clock.advance(seconds);
};

beforeEach(async () => {
  database = await givenDatabase();
  service = composeService(database);
  sandbox = await givenSandbox(undefined, database);
  apiKey = await service.givenKey();
  body = cartBody(await service.givenProduct());
  id = cartIdOf(await create());
});

const repositoriesOf = () =>
  createPaymentRepositories(database.documents, paymentTablesOf(database.tableNames), {
    now: service.clock.now,
  });

/** A payment of the buyer, from just before the deletion time. */
const eventOf = (changes: Partial<Payment> = {}) => ({
  cartId: id,
  mode: 'test' as const,
  payment: payment({ occurredAtMs: service.clock.now() - 1_000, ...changes }),
});

const UNKNOWN = { outcome: 'rejected', reason: 'unknownCart' };

describe('a cart at its deletion time', () => {
  it('is retrieved and shown until then, and not from then on', async () => {
    advance(LIFETIME_SECONDS - 0.001);
    expect((await service.getCart(id, { apiKey })).status).toBe(200);
    expect((await service.getPaymentCart(id)).status).toBe(200);
    expect((await sandbox.show(id)).status).toBe(200);
    advance(0.001);
    expectError(await service.getCart(id, { apiKey }), 'cartNotFound');
    expect((await service.getPaymentCart(id)).status).toBe(404);
    expect((await sandbox.show(id)).status).toBe(404);
  });

  it.each(['succeeded', 'failed'] as const)('is completed or changed by no payment: %s', async (result) => {
    advance(LIFETIME_SECONDS);
    const stored = await cartItemOf(database, id);
    expect(await recordPaymentEvent(eventOf({ result }), repositoriesOf().test)).toStrictEqual(UNKNOWN);
    const claims = createClaimRepository(database.documents, database.tableNames.testCarts);
    const { carts } = repositoriesOf().test;
    expect(await previewPayment(eventOf({ result }), { carts, claims })).toStrictEqual(UNKNOWN);
    expect((await sandbox.submit(id, 'action=pay')).status).toBe(404);
    expect(await cartItemOf(database, id)).toStrictEqual(stored);
    expect(await eventsOf(database, { storeId: STORE_ID, mode: 'test' })).toStrictEqual([]);
  });

  it('does not expire', async () => {
    advance(LIFETIME_SECONDS);
    expect(await handleExpired(expiryJobOf(database, service.clock.now, 'test'), [id])).toBe(0);
    expect((await sandbox.submit(id, 'action=expire')).status).toBe(404);
    expect(await eventsOf(database, { storeId: STORE_ID, mode: 'test' })).toStrictEqual([]);
  });

  it('is marked as abandoned until then, and neither it nor a new cart with its id from then on', async () => {
    const cart = (await service.carts.test.find(id)) as Cart;
    const { save } = createAbandonmentRepository(
      database.tableNames.testCarts,
      eventLogOf(database, service.clock.now),
    );
    advance(LIFETIME_SECONDS);
    expect(await save(cart, service.clock.now())).toBe(false);
    expect(await save({ ...cart, createdAtMs: cart.createdAtMs + 1 }, service.clock.now() - 1)).toBe(false);
    expect(await cartItemOf(database, id)).not.toHaveProperty('abandonmentRecordedAtMs');
    expect(await save(cart, service.clock.now() - 1)).toBe(true);
  });

  it('gives its Idempotency-Key back: the next request creates a new cart, which retries find', async () => {
    advance(LIFETIME_SECONDS);
    const created = await create();
    expect(created.headers).not.toHaveProperty('idempotent-replayed');
    expect(created.body).toMatchObject({
      cart: { id, createdAt: new Date(service.clock.now()).toISOString() },
    });
    expect((await create()).headers).toMatchObject({ 'idempotent-replayed': 'true' });
    expect(await service.getCart(id, { apiKey })).toMatchObject({ body: { status: 'waiting_payment' } });
  });

  it('is not replayed for a product that is no longer available', async () => {
    body = cartBody(await service.givenProduct({ available: false }));
    advance(LIFETIME_SECONDS);
    expectError(await create(), 'invalidProduct');
  });
});

describe('a payment that reads its cart just before the deletion time', () => {
  /** Records a payment, and lets something happen between its read and its write. */
  const recordAfter = async (change: () => Promise<unknown>, result: Payment['result'] = 'succeeded') => {
    advance(LIFETIME_SECONDS - 1);
    const { carts, paymentRecords } = repositoriesOf().test;
    let reads = 0;
    const find = async (cartId: string): Promise<Cart | undefined> => {
      const cart = await carts.find(cartId);
      reads += 1;
      if (reads === 1) await change();
      return cart;
    };
    return recordPaymentEvent(eventOf({ result }), { carts: { find }, paymentRecords });
  };

  it.each(['succeeded', 'failed'] as const)(
    'is rejected if it writes the cart afterwards: %s',
    async (result) => {
      const stored = await cartItemOf(database, id);
      expect(await recordAfter(async () => advance(1), result)).toStrictEqual(UNKNOWN);
      expect(await cartItemOf(database, id)).toStrictEqual(stored);
    },
  );

  it('changes no new cart with the same id', async () => {
    const recorded = await recordAfter(async () => {
      advance(1);
      await create();
    });
    // The payment of the same product and price belongs to the new cart, as after a deletion by TTL.
    expect(recorded).toMatchObject({ cart: { createdAtMs: service.clock.now(), status: 'completed' } });
    expect(await service.getCart(id, { apiKey })).toMatchObject({
      body: { status: 'completed', createdAt: new Date(service.clock.now()).toISOString() },
    });
  });
});
