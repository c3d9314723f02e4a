import { beforeAll, describe, expect, it } from 'vitest';
import { eventsAmong } from '../../lib/events/event-item.ts';
import { createEventRepository } from '../../lib/events/event-repository.ts';
import { eraseEvents } from '../../lib/operators/erasures/erase-events.ts';
import { createErasureLedger } from '../../lib/operators/erasures/erasure-ledger.ts';
import { recordAndEraseCarts } from '../../lib/operators/erasures/record-and-erase-carts.ts';
import { givenDatabase, type TestDatabase } from '../support/database/database.ts';
import { cartBody } from '../support/domain/cart-body.ts';
import { STORE_ID } from '../support/functions/dependencies.ts';
import { BUYER, findSecrets } from '../support/secrets.ts';
import { cartIdOf } from '../support/service/http-client.ts';
import { composeService, type TestService } from '../support/service/service.ts';
import { givenSandbox, type TestSandbox } from './sandbox-checkout/sandbox.ts';

let database: TestDatabase;
let service: TestService;
let sandbox: TestSandbox;
let apiKey: string;
let body: string;

const headers = { 'Idempotency-Key': 'order-1' };
const LOG = { storeId: STORE_ID, mode: 'test' } as const;

beforeAll(async () => {
  database = await givenDatabase();
  service = composeService(database);
  sandbox = await givenSandbox(() => ({}), database);
  apiKey = await service.givenKey({ limit: 1_000 });
  const further = { redirectURL: `https://shop.example/?to=${BUYER.email}`, meta: { for: BUYER.lastName } };
  body = cartBody(await service.givenProduct(), further);
});

/** A cart with a failed payment, before and after its erasure. */
const givenErasedCart = async () => {
  const cartId = cartIdOf(await service.createCart(body, { apiKey, headers }));
  await sandbox.submit(cartId, 'action=decline');
  const before = await service.getCart(cartId, { apiKey });
  const { documents, tableNames } = database;
  const ledger = createErasureLedger(documents, tableNames.erasures);
  const cart = await sandbox.stored(cartId);
  await recordAndEraseCarts(
    documents,
    ledger,
    [{ tableName: tableNames.testCarts, cart }],
    service.clock.now,
  );
  const { entries } = await createEventRepository(documents, tableNames.events).after(LOG, 0, 100);
  await eraseEvents(documents, tableNames.events, eventsAmong(entries));
  return { cartId, before };
};

describe('an erased cart', () => {
  let cartId: string;
  let before: Awaited<ReturnType<TestService['getCart']>>;
  beforeAll(async () => {
    ({ cartId, before } = await givenErasedCart());
  });

  it('is retrieved without its buyer and its meta, with the same status and updatedAt, and another ETag', async () => {
    const after = await service.getCart(cartId, { apiKey });
    expect(after.status).toBe(200);
    expect(after.body).toStrictEqual({ ...before.body, customerInfo: {}, meta: {} });
    const etag = (response: typeof before): string =>
      String(response.headers['etag'] ?? response.headers['ETag']);
    expect(etag(after)).not.toBe(etag(before));
    const stale = await service.getCart(cartId, { apiKey, headers: { 'If-None-Match': etag(before) } });
    expect(stale.status).toBe(200);
    const current = await service.getCart(cartId, { apiKey, headers: { 'If-None-Match': etag(after) } });
    expect(current.status).toBe(304);
  });

  it('is shown to the payment side without its buyer and its addresses, and can be charged', async () => {
    const { status, body: view } = await service.getPaymentCart(cartId);
    expect({ status, view }).toMatchObject({
      status: 200,
      view: { id: cartId, price: { currency: 'EUR' }, customerInfo: {} },
    });
    expect(view).not.toHaveProperty('returnUrls');
  });

  it('has a sandbox page without its buyer, and with the button to pay', async () => {
    const page = await sandbox.show(cartId);
    expect(page.status).toBe(200);
    expect(findSecrets(page.body)).toStrictEqual([]);
    expect(page.body).not.toContain('shop.example');
    expect(page.body).toContain('name="action" value="pay"');
  });

  it('is in the feed without its buyer', async () => {
    const { body: feed } = await service.send('listEvents', { apiKey });
    expect(feed).toMatchObject({ events: [{ type: 'cart.payment_failed', data: { id: cartId } }] });
    expect(findSecrets(JSON.stringify(feed))).toStrictEqual([]);
  });

  it('is the response to a retry of its creation, and no second cart exists', async () => {
    const retry = await service.createCart(body, { apiKey, headers });
    expect(retry).toMatchObject({ status: 201, body: { cart: { id: cartId, customerInfo: {} } } });
    expect(retry.headers['idempotent-replayed'] ?? retry.headers['Idempotent-Replayed']).toBe('true');
    const other = cartBody(await service.givenProduct());
    const reused = await service.createCart(other, { apiKey, headers });
    expect(reused).toMatchObject({ status: 422, body: { code: 'IDEMPOTENCY_KEY_REUSED' } });
  });
});
