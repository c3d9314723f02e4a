import { describe, expect, it } from 'vitest';
import type { Payment } from '../../../lib/carts/payment.ts';
import { createPaymentRepositories } from '../../../lib/payments/payment-repositories.ts';
import { recordPaymentEvent } from '../../../lib/payments/record-payment-event.ts';
import type { Mode } from '../../../lib/stores/mode.ts';
import { expectError, expectRateLimitHeaders } from '../../support/contract/expect-error.ts';
import { cartBody } from '../../support/domain/cart-body.ts';
import { paymentTablesOf } from '../../support/domain/payment-tables.ts';
import { payment, refund } from '../../support/domain/payments.ts';
import { logged } from '../../support/logs/log-lines.ts';
import { cartIdOf } from '../../support/service/http-client.ts';
import { givenService } from '../../support/service/service.ts';

const service = await givenService();
/** A key of a store of its own, so that the log is empty. */
const givenStore = async (mode: Mode = 'test') => {
  const storeId = `store-${crypto.randomUUID()}`;
  const apiKey = await service.givenKey({ storeId, mode, limit: 1_000 });
  return { storeId, apiKey, productId: await service.givenProduct({ storeId }) };
};

type Store = Awaited<ReturnType<typeof givenStore>>;

const createCart = async ({ apiKey, productId }: Store): Promise<string> =>
  cartIdOf(await service.createCart(cartBody(productId), { apiKey }));

const pay = async (cartId: string, changes: Partial<Payment> = {}, mode: Mode = 'test') => {
  const { now } = service.clock;
  const repositories = createPaymentRepositories(service.documents, paymentTablesOf(service.tableNames), {
    now,
  });
  const paid = payment({ occurredAtMs: now(), ...changes });
  expect(await recordPaymentEvent({ cartId, mode, payment: paid }, repositories[mode])).toMatchObject({
    outcome: 'recorded',
  });
};

interface EventList {
  readonly events: readonly { readonly id: string; readonly type: string; readonly data: object }[];
  readonly cursor: string;
  readonly hasMore: boolean;
}

const list = async ({ apiKey }: Pick<Store, 'apiKey'>, query: Readonly<Record<string, string>> = {}) => {
  const response = await service.send('listEvents', { apiKey, query });
  expect(response.status).toBe(200);
  expectRateLimitHeaders(response);
  return response.body as unknown as EventList;
};

describe('the list of events', () => {
  it('has each change of a cart, with the cart as its retrieval shows it', async () => {
    const store = await givenStore();
    const cartId = await createCart(store);
    await pay(cartId, { result: 'failed' });
    const { redirectUrl: _, ...failed } = (await service.getCart(cartId, store)).body;
    service.clock.advance(60);
    await pay(cartId);
    const completed = (await service.getCart(cartId, store)).body;
    const { events, hasMore } = await list(store);
    expect(events).toMatchObject([
      { type: 'cart.payment_failed', data: failed },
      { type: 'cart.completed', data: completed },
    ]);
    expect(events.map(({ data }) => data)).toStrictEqual([failed, completed]);
    expect(hasMore).toBe(false);
  });

  it('has the payment to refund in a duplicate payment', async () => {
    const store = await givenStore();
    const cartId = await createCart(store);
    await pay(cartId);
    const { cursor } = await list(store);
    const second = payment();
    await pay(cartId, second);
    const { events } = await list(store, { after: cursor });
    const cart = (await service.getCart(cartId, store)).body;
    const data = { ...cart, duplicatePaymentId: second.paymentId };
    expect(events).toMatchObject([{ type: 'cart.duplicate_payment', data }]);
  });

  it('has the refund in a cart.refunded, with the cart as its retrieval shows it', async () => {
    const store = await givenStore();
    const cartId = await createCart(store);
    const paid = payment({ occurredAtMs: service.clock.now() });
    await pay(cartId, paid);
    const { cursor } = await list(store);
    const { now } = service.clock;
    const repositories = createPaymentRepositories(service.documents, paymentTablesOf(service.tableNames), {
      now,
    });
    const given = refund({ paymentId: paid.paymentId });
    await recordPaymentEvent({ cartId, mode: 'test', refund: given }, repositories.test);
    const { events } = await list(store, { after: cursor });
    const cart = (await service.getCart(cartId, store)).body;
    const [shown] = cart['refunds'] as object[];
    expect(shown).toMatchObject({ id: given.refundId, paymentId: paid.paymentId, amount: 5 });
    expect(cart).toMatchObject({ status: 'completed', refundedAmount: 5 });
    expect(events).toMatchObject([{ type: 'cart.refunded', data: { ...cart, refund: shown } }]);
  });

  it('continues after the cursor, page by page', async () => {
    const store = await givenStore();
    for (let i = 0; i < 5; i += 1) await pay(await createCart(store));
    const all = await list(store);
    const first = await list(store, { limit: '2' });
    const second = await list(store, { after: first.cursor, limit: '2' });
    const third = await list(store, { after: second.cursor });
    expect([first, second, third].flatMap(({ events }) => events)).toStrictEqual(all.events);
    expect([first, second, third].map(({ hasMore }) => hasMore)).toStrictEqual([true, true, false]);
    expect(await list(store, { after: third.cursor })).toMatchObject({ events: [], hasMore: false });
  });

  it('has only the events of the store and mode of the key', async () => {
    const store = await givenStore();
    await pay(await createCart(store));
    const ofLive = await service.givenKey({ storeId: store.storeId, mode: 'live' });
    expect(await list(store)).toMatchObject({ events: [{ type: 'cart.completed' }] });
    expect(await list({ apiKey: ofLive })).toMatchObject({ events: [] });
    expect(await list(await givenStore())).toMatchObject({ events: [] });
  });
});

describe('a request with invalid parameters', () => {
  const rejected = async (apiKey: string, query: Readonly<Record<string, string>>) => {
    const response = await service.send('listEvents', { apiKey, query });
    expectError(response, 'invalidPayload');
    return response.body['details'];
  };

  it.each(['', '0', '101', '-1', '1.5', '1e1', 'ten', ' 1', '01', '٣'])(
    'gets 422 for a limit that is not a whole number from 1 to 100: %j',
    async (limit) => {
      const { apiKey } = await givenStore();
      expect(await rejected(apiKey, { limit })).toStrictEqual([
        { path: 'query.limit', message: 'Must be a whole number from 1 to 100' },
      ]);
    },
  );

  it('gets 422 for a malformed cursor, and for one of another store or mode', async () => {
    const store = await givenStore();
    const ofLive = await service.givenKey({ storeId: store.storeId, mode: 'live' });
    const { cursor } = await list(store);
    const issue = (message: string) => [{ path: 'query.after', message }];
    expect(await rejected(store.apiKey, { after: '' })).toStrictEqual(
      issue('Must be a cursor from a response'),
    );
    for (const apiKey of [ofLive, (await givenStore()).apiKey]) {
      expect(await rejected(apiKey, { after: cursor })).toStrictEqual(
        issue('Must be a cursor of this store and mode'),
      );
    }
  });

  it('gets 422 with this reason if events after the cursor are no longer kept', async () => {
    const apiKey = await service.givenKey({ storeId: 'store-of-old-cursor' });
    const { cursor } = await list({ apiKey });
    service.clock.advance(31 * 86_400 + 1);
    const details = await rejected(apiKey, { after: cursor });
    expect(details).toMatchObject([
      { path: 'query.after', message: expect.stringMatching(/^Events after this cursor are no longer kept/) },
    ]);
  });

  it('gets 422 for a parameter that it repeats, and ignores unknown parameters', async () => {
    const store = await givenStore();
    const response = await service.send('listEvents', { ...store, rawQuery: 'limit=1&limit=2&color=7' });
    expectError(response, 'invalidPayload');
    expect(response.body['details']).toStrictEqual([{ path: 'query.limit', message: 'Must be sent once' }]);
    await list(store, { color: '7' });
  });

  it('gets 422 in test mode for the names of other APIs, which would return the first page for ever', async () => {
    const store = await givenStore();
    for (const name of ['cursor', 'starting_after', 'After', 'page[after]']) {
      const message = `Unknown parameter ${name}; did you mean after?`;
      expect(await rejected(store.apiKey, { [name]: 'x' })).toStrictEqual([
        { path: `query.${name}`, message },
      ]);
    }
    expect(await rejected(store.apiKey, { types: 'cart.completed' })).toMatchObject([
      { path: 'query.types' },
    ]);
  });

  it('ignores the names of other APIs in live mode, and logs the names here with the store', async () => {
    const { storeId, apiKey } = await givenStore('live');
    const [line] = await logged(async () => {
      await list({ apiKey }, { cursor: 'x', page_size: '1' });
    });
    expect(line).toMatchObject({ storeId, testModeIssues: ['query.after', 'query.limit'] });
  });

  it('gets 401 or 429 first', async () => {
    const query = { limit: '0' };
    expectError(await service.send('listEvents', { query }), 'invalidApiKey');
    const apiKey = await service.givenKey({ limit: 1, windowSeconds: 3_600 });
    await rejected(apiKey, query);
    expectError(await service.send('listEvents', { apiKey, query }), 'rateLimited');
  });
});
