import { randomUUID } from 'node:crypto';
import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import type { Cart } from '../../../../lib/carts/cart.ts';
import type { Payment } from '../../../../lib/carts/payment.ts';
import type { EventLog } from '../../../../lib/events/event-log.ts';
import { recordPaymentEvent } from '../../../../lib/payments/record-payment-event.ts';
import type { Mode } from '../../../../lib/stores/mode.ts';
import { runJob } from '../../../../lib/timers/run-job.ts';
import type { DueItem, TimerRepository } from '../../../../lib/timers/timer-repository.ts';
import { timerOf } from '../../../../lib/timers/timer.ts';
import { aroundCalls, beforeCalls } from '../../../support/database/client-calls.ts';
import type { TestTables } from '../../../support/database/database.ts';
import { eventsOf } from '../../../support/domain/event-logs.ts';
import { givenExpiredCarts } from '../../../support/domain/expired-carts.ts';
import { expiryJobOf, handleExpired, idInShard, runExpiries } from '../../../support/domain/expiries.ts';
import { EXPIRES_AT_MS, payment, waitingCart } from '../../../support/domain/payments.ts';
import { logged } from '../../../support/logs/log-lines.ts';
import { NEVER } from '../../../support/signals.ts';

const {
  database,
  now,
  repositories,
  log: ownLog,
  givenCart,
  abandon,
  logAfter,
  findThen,
} = await givenExpiredCarts();
const { documents } = database;

const pay = ({ id }: Cart, changes: Partial<Payment> = {}) =>
  recordPaymentEvent({ cartId: id, mode: 'live', payment: payment(changes) }, repositories.live);

const typesOf = async (cart: Cart): Promise<string[]> =>
  (await eventsOf(database, cart)).map(({ type }) => type);

describe('an expired cart', () => {
  it.each(['live', 'test'] as const)(
    'is recorded as abandoned with its event, once: in %s mode',
    async (mode) => {
      const cart = await givenCart({ mode });
      expect(await runExpiries(database, now, mode)).toMatchObject({ handled: 1, lagMs: 1_000 });
      expect(await runExpiries(database, now, mode)).toMatchObject({ handled: 0, lagMs: 0 });
      expect(await handleExpired(expiryJobOf(database, now, mode), [cart.id])).toBe(0);
      expect(await eventsOf(database, cart)).toMatchObject([
        {
          type: 'cart.abandoned',
          timestamp: new Date(now()).toISOString(),
          data: { id: cart.id, status: 'abandoned', updatedAt: new Date(EXPIRES_AT_MS).toISOString() },
        },
      ]);
      const marked = { ...cart, abandonmentRecordedAtMs: now() };
      expect(await repositories[mode].carts.find(cart.id)).toStrictEqual(marked);
    },
  );

  it('is recorded once by two runs at the same time', async () => {
    const cart = await givenCart();
    const runs = await Promise.all([1, 2].map(() => runExpiries(database, now)));
    expect(runs.reduce((sum, { handled }) => sum + handled, 0)).toBe(1);
    expect(runs.map(({ failed, isComplete }) => [failed, isComplete])).toStrictEqual([
      [0, true],
      [0, true],
    ]);
    expect(await typesOf(cart)).toStrictEqual(['cart.abandoned']);
  });

  it('that is paid late is completed, and keeps the record of its abandonment', async () => {
    const cart = await givenCart();
    expect(await abandon([cart])).toBe(1);
    await pay(cart, { occurredAtMs: EXPIRES_AT_MS + 500 });
    expect(await repositories.live.carts.find(cart.id)).toMatchObject({
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
      const late = { ...repositories.live, carts: { find: findThen((found) => abandon([found])) } };
      const paid = payment({ result, occurredAtMs: EXPIRES_AT_MS + 500 });
      const event = { cartId: cart.id, mode: 'live', payment: paid } as const;
      expect(await recordPaymentEvent(event, late)).toMatchObject({ outcome: 'recorded' });
      expect(await repositories.live.carts.find(cart.id)).toMatchObject({ abandonmentRecordedAtMs: now() });
      expect(await abandon([cart])).toBe(0);
      const types = result === 'succeeded' ? ['cart.abandoned', 'cart.completed'] : ['cart.abandoned'];
      expect(await typesOf(cart)).toStrictEqual(types);
    },
  );
});

it('the metric counts the abandonments of live mode alone, once', async () => {
  const countsOf = async (mode: Mode, cartId: string): Promise<unknown[]> => {
    const lines = await logged(() => handleExpired(expiryJobOf(database, now, mode), [cartId]));
    return lines.map(({ CartsAbandoned }) => CartsAbandoned);
  };
  const [live, test] = [await givenCart(), await givenCart({ mode: 'test' })];
  expect(await countsOf('live', live.id)).toStrictEqual([1]);
  expect(await countsOf('live', live.id)).toStrictEqual([]);
  expect(await countsOf('test', test.id)).toStrictEqual([]);
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

describe('a run', () => {
  it('that dies at any of its calls loses no abandonment, and the next run repeats none', async () => {
    const DIED = Object.assign(new Error('The process died'), { name: 'TimeoutError' });
    const shards = ['expiry#00', 'expiry#01'];
    const run = (tables: TestTables) => runJob({ ...expiryJobOf(tables, now), shards }, now, NEVER);
    let hasDied = true;
    for (let survived = 0; hasDied; survived += 1) {
      const ids = ['expiry#00', 'expiry#00', 'expiry#01'].map(idInShard);
      const carts = await Promise.all(ids.map((id) => givenCart({ id })));
      const dying = database.newClient();
      let calls = 0;
      aroundCalls(dying, (call, next) => {
        if ((calls += 1) > survived) throw DIED;
        return next(call.input);
      });
      await logged(() => run({ ...database, documents: dying }));
      hasDied = calls > survived;
      await run(database);
      for (const cart of carts) expect(await typesOf(cart)).toStrictEqual(['cart.abandoned']);
      expect(await run(database)).toMatchObject({ handled: 0, isComplete: true });
      expect(survived).toBeLessThan(40);
    }
  });

  it('brings no cart back that TTL deletes after it was read', async () => {
    const cart = await givenCart();
    const Key = { id: cart.id };
    const deleted = logAfter(() =>
      documents.send(new DeleteCommand({ TableName: database.tableNames.carts, Key })),
    );
    expect(await abandon([cart], deleted)).toBe(0);
    expect(await repositories.live.carts.find(cart.id)).toBeUndefined();
    expect(await typesOf(cart)).toStrictEqual([]);
  });

  it.each(['ValidationException', 'TimeoutError'])(
    'counts each abandonment once, also beside a cart that fails with a %s',
    async (name) => {
      const carts = [await givenCart(), await givenCart(), await givenCart()];
      const failing = Object.assign(new Error('rejected'), { name });
      const failingLog: EventLog = {
        append: (id, change, signal) =>
          change.event.cartId === carts[0]?.id ? Promise.reject(failing) : ownLog.append(id, change, signal),
      };
      const job = expiryJobOf(database, now, 'live', failingLog);
      const due = carts.map(({ id }): DueItem => ({ key: { id }, ...timerOf('expiry', id, EXPIRES_AT_MS) }));
      const repository: TimerRepository = {
        ...job.repository,
        async *due() {
          yield due;
        },
      };
      const lines = await logged(() => runJob({ ...job, repository, shards: ['expiry'] }, now, NEVER));
      const counts = lines.map(({ CartsAbandoned = 0 }) => Number(CartsAbandoned));
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(2);
      expect(await abandon(carts)).toBe(1);
    },
  );

  it('leaves a cart due during an outage, and neither postpones it nor counts it as failed', async () => {
    const cart = await givenCart();
    const down = Object.assign(new Error('down'), { name: 'TimeoutError' });
    const job = expiryJobOf(database, now, 'live', { append: () => Promise.reject(down) });
    await logged(async () => {
      expect(await runJob(job, now, NEVER)).toMatchObject({ handled: 0, failed: 0, isComplete: false });
    });
    expect(await runExpiries(database, now)).toMatchObject({ handled: 1, isComplete: true });
    expect(await typesOf(cart)).toStrictEqual(['cart.abandoned']);
  });
});

it('expired carts of a store share transactions', async () => {
  const storeId = randomUUID();
  const carts = await Promise.all(Array.from({ length: 20 }, () => givenCart({ storeId })));
  const client = database.newClient();
  let transactions = 0;
  beforeCalls(client, (input) => {
    if ('TransactItems' in input) transactions += 1;
  });
  const job = expiryJobOf({ ...database, documents: client }, now);
  const cartIds = carts.map(({ id }) => id);
  expect(await handleExpired(job, cartIds)).toBe(20);
  expect(transactions).toBe(1);
});
