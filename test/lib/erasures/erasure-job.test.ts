import { randomUUID } from 'node:crypto';
import { DeleteCommand, PutCommand, ScanCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { toCartItem } from '../../../lib/carts/cart-item.ts';
import { createCartRepository } from '../../../lib/carts/cart-repository.ts';
import type { Cart } from '../../../lib/carts/cart.ts';
import { DAY_MS } from '../../../lib/core/durations.ts';
import { erasedCart } from '../../../lib/erasures/erased-cart.ts';
import { createErasureJob } from '../../../lib/erasures/erasure-job.ts';
import type { Mode } from '../../../lib/stores/mode.ts';
import { runJob, type JobResult } from '../../../lib/timers/run-job.ts';
import { type DueItem } from '../../../lib/timers/timer-repository.ts';
import { manualClock, NOW_MS } from '../../support/clock.ts';
import { aroundCalls } from '../../support/database/client-calls.ts';
import { recordUnits } from '../../support/database/consumed-units.ts';
import { givenDatabase } from '../../support/database/database.ts';
import { unlessExempt } from '../../support/database/exemptions.ts';
import { eventsOf, paymentRecordRepositoryOf } from '../../support/domain/event-logs.ts';
import { idInShard } from '../../support/domain/expiries.ts';
import { payment, waitingCart } from '../../support/domain/payments.ts';
import { logged } from '../../support/logs/log-lines.ts';
import { NEVER } from '../../support/signals.ts';

const DAYS = 730;

const COMPLETE: JobResult = { handled: 0, failed: 0, lagMs: 0, isComplete: true };

/** A stage with completed carts, and the runs that erase their personal data. */
const givenErasures = async () => {
  const database = await givenDatabase();
  const { documents, tableNames } = database;
  const clock = manualClock();
  const tableOf = (mode: Mode): string => (mode === 'live' ? tableNames.carts : tableNames.testCarts);
  const workOf = (mode: Mode = 'live', days = DAYS) =>
    createErasureJob(mode, { documents, tableName: tableOf(mode), now: clock.now }, days);
  const find = ({ id, mode }: Cart): Promise<Cart | undefined> =>
    createCartRepository(documents, tableOf(mode), clock.now).find(id);
  return {
    database,
    clock,
    workOf,
    find,
    later: (days: number) => clock.advance((days * DAY_MS) / 1_000),
    run: (mode?: Mode, days?: number) => runJob(workOf(mode, days), clock.now, NEVER),

    /** Stores a cart that was completed at `NOW_MS`. */
    async givenCart(changes: Partial<Cart> = {}): Promise<Cart> {
      const paid = { status: 'completed', payments: [payment()], completedAtMs: NOW_MS } as const;
      const { deleteAtSeconds: _, ...cart } = waitingCart({ storeId: randomUUID(), ...paid, ...changes });
      await documents.send(new PutCommand({ TableName: tableOf(cart.mode), Item: toCartItem(cart) }));
      return cart;
    },

    isErased: async (cart: Cart): Promise<boolean> =>
      (await find(cart))?.personalDataErasedAtMs !== undefined,

    /** The live carts that have a timer. */
    async waiting(): Promise<string[]> {
      const { Items = [] } = await documents.send(new ScanCommand({ TableName: tableNames.carts }));
      return Items.filter(({ timer }) => timer !== undefined).map(({ id }) => String(id));
    },

    updateItem: ({ id }: Cart, UpdateExpression: string, values?: Record<string, unknown>) =>
      documents.send(
        new UpdateCommand({
          TableName: tableNames.carts,
          Key: { id },
          UpdateExpression,
          ...(values && { ExpressionAttributeValues: values }),
        }),
      ),
  };
};

describe('the personal data of a completed cart', () => {
  it.each(['live', 'test'] as const)(
    'is kept for as many days as the stage says, and erased by the next run, in %s mode',
    async (mode) => {
      const { database, clock, givenCart, later, run, find } = await givenErasures();
      const cart = await givenCart({ mode });
      later(DAYS);
      clock.advance(-0.001);
      expect(await run(mode)).toStrictEqual(COMPLETE);
      expect(await find(cart)).toStrictEqual(cart);
      clock.advance(60.001);
      expect(await run(mode)).toStrictEqual({ ...COMPLETE, handled: 1, lagMs: 60_000 });
      expect(await find(cart)).toStrictEqual(erasedCart(cart, clock.now()));
      expect(await eventsOf(database, cart)).toStrictEqual([]);
      expect(await run(mode)).toStrictEqual(COMPLETE);
    },
  );

  it('follows the setting, if that becomes shorter or longer later', async () => {
    const { givenCart, later, run, isErased } = await givenErasures();
    const cart = await givenCart();
    later(DAYS + 1);
    expect(await run('live', 3_650)).toStrictEqual(COMPLETE);
    expect(await isErased(cart)).toBe(false);
    expect(await run('live', 33)).toMatchObject({ handled: 1 });
    expect(await isErased(cart)).toBe(true);
  });

  it('is kept while a payment in time makes the completion a later one than the index shows', async () => {
    const { workOf, givenCart, later, find, waiting } = await givenErasures();
    const cart = await givenCart();
    const { timer, timerAtMs } = toCartItem(cart);
    const moved = await givenCart({ ...cart, completedAtMs: NOW_MS + 5 * DAY_MS });
    later(DAYS + 1);
    const stale = { key: { id: cart.id }, timer, timerAtMs } as DueItem;
    expect(await workOf().handle([stale], NEVER)).toMatchObject({ count: 0 });
    expect(await find(cart)).toStrictEqual(moved);
    expect(await waiting()).toStrictEqual([cart.id]);
  });
});

it('carts that are deleted, erased or unpaid by now are left as they are, and lose a timer that the index shows', async () => {
  const { database, workOf, givenCart, later, updateItem, find, waiting } = await givenErasures();
  const { documents, tableNames } = database;
  const timer = { timer: 'erasure#00', timerAtMs: NOW_MS };
  const setTimer = (cart: Cart) =>
    updateItem(cart, 'SET timer = :timer, timerAtMs = :at', {
      ':timer': timer.timer,
      ':at': timer.timerAtMs,
    });
  const deleted = await givenCart();
  const erased = await givenCart({ ...erasedCart(await givenCart(), NOW_MS) });
  const unpaid = await givenCart({ status: 'payment_failed', completedAtMs: undefined });
  await documents.send(new DeleteCommand({ TableName: tableNames.carts, Key: { id: deleted.id } }));
  for (const cart of [erased, unpaid]) await setTimer(cart);
  later(DAYS + 1);

  const items = [deleted, erased, unpaid].map(({ id }) => ({ key: { id }, ...timer }));
  expect(await workOf().handle(items, NEVER)).toStrictEqual({ count: 0, firstTimerAtMs: undefined });
  const { completedAtMs: _, ...stillUnpaid } = unpaid;
  expect(await find(deleted)).toBeUndefined();
  expect(await find(erased)).toStrictEqual(erased);
  expect(await find(unpaid)).toStrictEqual(stillUnpaid);
  expect(await waiting()).toStrictEqual([]);
});

it('a payment that completes a cart while its data is erased leaves a timer that the next run ends', async () => {
  const { givenCart, later, run, waiting, updateItem } = await givenErasures();
  const cart = await givenCart();
  // An operator's erasure read the cart before it was completed, so it kept the timer.
  await updateItem(cart, 'SET personalDataErasedAtMs = :now', { ':now': NOW_MS });
  later(DAYS);
  expect(await waiting()).toStrictEqual([cart.id]);
  expect(await run()).toStrictEqual(COMPLETE);
  expect(await waiting()).toStrictEqual([]);
});

describe('a run', () => {
  it('that dies at any of its calls leaves the rest to the next run, which erases it', async () => {
    const DIED = Object.assign(new Error('The process died'), { name: 'TimeoutError' });
    let hasDied = true;
    for (let survived = 0; hasDied; survived += 1) {
      const { database, clock, workOf, givenCart, later, isErased, waiting } = await givenErasures();
      const ids = ['erasure#00', 'erasure#00', 'erasure#01'].map(idInShard);
      const carts = await Promise.all(ids.map((id) => givenCart({ id })));
      const run = () => runJob({ ...workOf(), shards: ['erasure#00', 'erasure#01'] }, clock.now, NEVER);
      later(DAYS);
      let calls = 0;
      let isAlive = false;
      aroundCalls(database.documents, (call, next) => {
        if (!isAlive && (calls += 1) > survived) throw DIED;
        return next(call.input);
      });
      await logged(run);
      hasDied = calls > survived;
      isAlive = true;
      await run();
      for (const cart of carts) expect(await isErased(cart)).toBe(true);
      expect(await waiting()).toStrictEqual([]);
      expect(survived).toBeLessThan(40);
    }
  });

  it('at the same time as another one erases each cart once', async () => {
    const { givenCart, later, run, isErased, waiting } = await givenErasures();
    const carts = await Promise.all(Array.from({ length: 20 }, () => givenCart()));
    later(DAYS);
    const runs = await Promise.all([run(), run()]);
    expect(runs.reduce((sum, { handled }) => sum + handled, 0)).toBe(20);
    for (const cart of carts) expect(await isErased(cart)).toBe(true);
    expect(await waiting()).toStrictEqual([]);
  });

  it('at the same time as payments leaves each cart completed, erased and without a timer', async () => {
    const { database, clock, givenCart, later, run, find, waiting } = await givenErasures();
    const carts = await Promise.all(Array.from({ length: 10 }, () => givenCart()));
    later(DAYS);
    const { save } = paymentRecordRepositoryOf(database, 'carts', clock.now);
    const second = carts.map((cart) => {
      const paidTwice = { ...cart, payments: [...(cart.payments ?? []), payment()] };
      return save(cart, { cart: paidTwice });
    });
    const [, ...saved] = await Promise.all([run(), ...second]);
    await run();
    for (const [index, cart] of carts.entries()) {
      const stored = await find(cart);
      expect(stored).toMatchObject({ status: 'completed', customerInfo: {}, meta: {} });
      // The second payment is stored, or its sender is told to repeat it.
      expect(stored?.payments).toHaveLength(saved[index] === 'saved' ? 2 : 1);
    }
    expect(await waiting()).toStrictEqual([]);
  });

  it('postpones the cart that it cannot read, and erases the others, also the next time', async () => {
    const { givenCart, later, run, isErased, updateItem, clock } = await givenErasures();
    const [broken, ...others] = [await givenCart(), await givenCart(), await givenCart()] as const;
    await updateItem(broken, 'REMOVE productName');
    later(DAYS);
    const lines = await logged(async () => {
      expect(await run()).toMatchObject({ handled: 2, failed: 1, isComplete: true });
    });
    for (const cart of others) expect(await isErased(cart)).toBe(true);
    expect(lines).toMatchObject([
      {
        message: 'timers',
        level: 'ERROR',
        job: 'live erasures',
        outcome: 'failed',
        item: { id: broken.id },
      },
    ]);
    await updateItem(broken, 'SET productName = :name', { ':name': broken.productName });
    expect(await run()).toStrictEqual(COMPLETE);
    clock.advance(15 * 60);
    expect(await run()).toMatchObject({ handled: 1, failed: 0, lagMs: 15 * 60_000 });
    expect(await isErased(broken)).toBe(true);
  });
});

describe('units', () => {
  /** The units of each operation from now on. */
  const measure = ({ database }: Awaited<ReturnType<typeof givenErasures>>) => {
    const units: Record<string, number> = {};
    recordUnits(database.documents, ({ operation, units: consumed }) => {
      units[operation] = (units[operation] ?? 0) + consumed;
    });
    return units;
  };

  it('an idle run costs half a read unit for each of its eight shards', async () => {
    const erasures = await givenErasures();
    const units = measure(erasures);
    await erasures.run();
    expect(units).toStrictEqual({ Query: unlessExempt('units of an empty page', 8 * 0.5) });
  });

  it('an erasure costs a read unit of its cart, and two write units: cart and index', async () => {
    const erasures = await givenErasures();
    await Promise.all(Array.from({ length: 10 }, () => erasures.givenCart()));
    erasures.later(DAYS);
    const units = measure(erasures);
    expect(await erasures.run()).toMatchObject({ handled: 10 });
    expect(units).toStrictEqual({
      Query: unlessExempt('units of an empty page', expect.any(Number) as number),
      BatchGetItem: 10,
      UpdateItem: 20,
    });
  });
});
