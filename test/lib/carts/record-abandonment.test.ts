import { randomUUID } from 'node:crypto';
import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import type { Cart } from '../../../lib/carts/cart.ts';
import type { Payment } from '../../../lib/carts/payment.ts';
import { createAbandonmentStores, recordAbandonments } from '../../../lib/carts/record-abandonment.ts';
import { recordPayment } from '../../../lib/carts/record-payment.ts';
import { eventsOf } from '../../support/events.ts';
import { givenExpiredCarts } from '../../support/expired-carts.ts';
import { EXPIRES_AT_MS, payment, waitingCart } from '../../support/payments.ts';

const { database, tables, now, stores, abandonments, givenCart, abandon, logAfter, findThen } =
  await givenExpiredCarts();
const { documents } = database;

const pay = ({ id }: Cart, changes: Partial<Payment> = {}) =>
  recordPayment({ cartId: id, mode: 'live', payment: payment(changes) }, stores.live);

const typesOf = async (cart: Cart): Promise<string[]> =>
  (await eventsOf(database, cart)).map(({ type }) => type);

describe('an expired cart', () => {
  it.each(['live', 'test'] as const)(
    'is recorded as abandoned with its event, once: in %s mode',
    async (mode) => {
      const cart = await givenCart({ mode });
      const expired = { mode, cartIds: [cart.id, cart.id] };
      expect(await recordAbandonments(expired, abandonments)).toStrictEqual({ recorded: 1 });
      expect(await recordAbandonments(expired, abandonments)).toStrictEqual({ recorded: 0 });
      expect(await eventsOf(database, cart)).toMatchObject([
        {
          type: 'cart.abandoned',
          timestamp: new Date(now()).toISOString(),
          data: { id: cart.id, status: 'abandoned', updatedAt: new Date(EXPIRES_AT_MS).toISOString() },
        },
      ]);
      const marked = { ...cart, abandonmentRecordedAtMs: now() };
      expect(await stores[mode].carts.find(cart.id)).toStrictEqual(marked);
    },
  );

  it('is recorded once by two runs at the same time', async () => {
    const cart = await givenCart();
    const another = createAbandonmentStores(documents, tables, { now });
    const ids = { mode: 'live', cartIds: [cart.id] } as const;
    const runs = await Promise.all([abandonments, another].map((each) => recordAbandonments(ids, each)));
    expect(runs.reduce((sum, { recorded }) => sum + recorded, 0)).toBe(1);
    expect(await typesOf(cart)).toStrictEqual(['cart.abandoned']);
  });

  it('that is paid late is completed, and keeps the record of its abandonment', async () => {
    const cart = await givenCart();
    expect(await abandon([cart])).toBe(1);
    await pay(cart, { occurredAtMs: EXPIRES_AT_MS + 500 });
    expect(await stores.live.carts.find(cart.id)).toMatchObject({
      status: 'completed',
      latePayment: true,
      abandonmentRecordedAtMs: now(),
    });
    expect(await abandon([cart])).toBe(0);
    expect(await typesOf(cart)).toStrictEqual(['cart.abandoned', 'cart.completed']);
  });

  it('is recorded even if a payment failed after its expiry, because its retrieval shows `abandoned`', async () => {
    const cart = await givenCart();
    await pay(cart, { result: 'failed', occurredAtMs: EXPIRES_AT_MS + 500 });
    expect(await abandon([cart])).toBe(1);
    expect(await abandon([cart])).toBe(0);
    expect(await typesOf(cart)).toStrictEqual(['cart.abandoned']);
  });

  it.each(['succeeded', 'failed'] as const)(
    'is recorded once if a payment that %s late read the cart before',
    async (result) => {
      const cart = await givenCart();
      const late = { ...stores.live, carts: { find: findThen((found) => abandon([found])) } };
      const paid = payment({ result, occurredAtMs: EXPIRES_AT_MS + 500 });
      const event = { cartId: cart.id, mode: 'live', payment: paid } as const;
      expect(await recordPayment(event, late)).toMatchObject({ outcome: 'recorded' });
      expect(await stores.live.carts.find(cart.id)).toMatchObject({ abandonmentRecordedAtMs: now() });
      expect(await abandon([cart])).toBe(0);
      const types = result === 'succeeded' ? ['cart.abandoned', 'cart.completed'] : ['cart.abandoned'];
      expect(await typesOf(cart)).toStrictEqual(types);
    },
  );
});

describe('no abandonment is recorded', () => {
  it('of a cart that is paid, not expired or deleted, while those beside it are recorded', async () => {
    const storeId = randomUUID();
    const paid = await givenCart({ storeId });
    await pay(paid);
    const failed = await givenCart({ storeId });
    await pay(failed, { result: 'failed' });
    const later = await givenCart({ storeId, expiresAtMs: now() + 1 });
    const expired = await givenCart({ storeId });
    expect(await abandon([paid, failed, later, waitingCart({ storeId }), expired])).toBe(1);
    const ofStore = (await eventsOf(database, paid)).map(({ type, data }) => [type, data.id]);
    expect(ofStore).toStrictEqual([
      ['cart.completed', paid.id],
      ['cart.payment_failed', failed.id],
      ['cart.abandoned', expired.id],
    ]);
  });

  it('of a cart that is paid in time between the read and the write, and those beside it are recorded', async () => {
    const storeId = randomUUID();
    const carts = [await givenCart({ storeId }), await givenCart({ storeId }), await givenCart({ storeId })];
    const [first, second, third] = carts as [Cart, Cart, Cart];
    const log = logAfter(async ({ id }) => id === second.id && pay(second));
    expect(await abandon(carts, log)).toBe(2);
    const types = new Map((await eventsOf(database, first)).map(({ type, data }) => [data.id, type]));
    expect(types.get(second.id)).toBe('cart.completed');
    expect([types.get(first.id), types.get(third.id)]).toStrictEqual(['cart.abandoned', 'cart.abandoned']);
  });
});

it('150 carts of two stores need few transactions', async () => {
  const storeIds = [randomUUID(), randomUUID()];
  const carts = Array.from({ length: 150 }, (_, index) => waitingCart({ storeId: storeIds[index % 2]! }));
  await Promise.all(carts.map((cart) => stores.live.carts.create(cart)));
  let transactions = 0;
  const counted = documents.send.bind(documents);
  const send = ((...args: Parameters<typeof counted>) => {
    if ((args[0] as object) instanceof TransactWriteCommand) transactions += 1;
    return counted(...args);
  }) as typeof documents.send;
  const client = Object.assign(Object.create(documents) as typeof documents, { send });
  const cartIds = carts.map(({ id }) => id);
  const run = recordAbandonments({ mode: 'live', cartIds }, createAbandonmentStores(client, tables, { now }));
  expect(await run).toStrictEqual({ recorded: 150 });
  for (const storeId of storeIds)
    expect(await eventsOf(database, { storeId, mode: 'live' })).toHaveLength(75);
  // 49 at most per transaction, of at most 100 carts that are read at once: 50 and 25 of each store.
  expect(transactions).toBeLessThanOrEqual(8);
});
