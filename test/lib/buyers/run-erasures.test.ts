import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { erasedCart } from '../../../lib/buyers/erased-cart.ts';
import { createErasureSchedule } from '../../../lib/buyers/erasure-schedule.ts';
import { runErasures, type RunErasuresDependencies } from '../../../lib/buyers/run-erasures.ts';
import type { Cart } from '../../../lib/carts/cart.ts';
import { NOW_MS } from '../../support/clock.ts';
import { eventsOf } from '../../support/events.ts';
import { logged } from '../../support/log-lines.ts';
import { waitingCart } from '../../support/payments.ts';
import { DAY_SECONDS, DAYS, DUE_AT_MS, givenErasures, NOTHING } from './erasures.ts';

const stage = await givenErasures();
const { entriesOf, expire, find, givenCart, run } = stage;

beforeEach(stage.restart);

describe('the personal data of a completed cart', () => {
  it.each(['live', 'test'] as const)(
    'is kept for as many days as the stage says, and erased within a day after, in %s mode',
    async (mode) => {
      const cart = await givenCart({ mode });
      await expire([cart], mode);
      stage.clock.advance(DAYS * DAY_SECONDS);
      expect(await run()).toStrictEqual(NOTHING);
      expect(await find(cart)).toStrictEqual(cart);
      stage.clock.advance(DAY_SECONDS);
      const result = await run();
      expect(result).toStrictEqual({ ...NOTHING, erased: { live: 0, test: 0, [mode]: 1 } });
      expect(await find(cart)).toStrictEqual(erasedCart(cart, stage.clock.now()));
      expect(await eventsOf(stage.database, cart)).toStrictEqual([]);
      expect(await run()).toStrictEqual(NOTHING);
    },
  );

  it('follows the setting, if that becomes shorter or longer later', async () => {
    const cart = await givenCart();
    await expire([cart]);
    stage.clock.advance(DAYS * DAY_SECONDS + DAY_SECONDS);
    expect(await run({ personalDataDays: 3_650 })).toStrictEqual(NOTHING);
    expect(await find(cart)).toStrictEqual(cart);
    expect(await run({ personalDataDays: 33 })).toMatchObject({ erased: { live: 1 } });
    expect(await find(cart)).toMatchObject({ customerInfo: {} });
  });

  it('is erased by its last completion, if a late payment moved that to a later day', async () => {
    const cart = await givenCart();
    await expire([cart]);
    const moved = await givenCart({ ...cart, updatedAtMs: NOW_MS + 5 * DAY_SECONDS * 1_000 });
    stage.clock.advance((DAYS + 1) * DAY_SECONDS);
    expect(await run()).toStrictEqual(NOTHING);
    expect(await find(cart)).toStrictEqual(moved);
    expect(await entriesOf('live')).toHaveLength(1);
    stage.clock.advance(5 * DAY_SECONDS);
    expect(await run()).toMatchObject({ erased: { live: 1 } });
  });
});

it('carts that are deleted, not paid or erased already leave the schedule unchanged', async () => {
  const carts = [
    await givenCart({ status: 'payment_failed' }),
    erasedCart(await givenCart(), NOW_MS),
    await givenCart(),
  ];
  await givenCart(carts[1]);
  await stage.dependencies.schedule.put([...carts, { ...(await givenCart()), id: randomUUID() }]);
  stage.clock.advance((DAYS + 1) * DAY_SECONDS);
  expect(await run()).toStrictEqual({ ...NOTHING, erased: { live: 1, test: 0 } });
  expect(await find(carts[0] as Cart)).toStrictEqual(carts[0]);
  expect(await find(carts[1] as Cart)).toStrictEqual(carts[1]);
});

it('carts that expire together make one entry for each mode and day, without erased and unpaid ones', async () => {
  const sameDay = [await givenCart(), await givenCart({ updatedAtMs: NOW_MS + 1_000 })];
  const nextDay = await givenCart({ updatedAtMs: NOW_MS + DAY_SECONDS * 1_000 });
  const others = [
    await givenCart({ personalDataErasedAtMs: NOW_MS }),
    await givenCart({ status: 'payment_failed' }),
  ];
  await expire([...sameDay, nextDay, ...others]);
  await expire([...sameDay, nextDay, ...others]);
  expect((await entriesOf('live')).map((id) => id.slice(0, 11))).toStrictEqual([
    '2026-01-15#',
    '2026-01-16#',
  ]);
  stage.clock.advance((DAYS + 2) * DAY_SECONDS);
  expect(await run()).toMatchObject({ erased: { live: 3 } });
});

describe('a run', () => {
  const givenEntries = async (count: number): Promise<Cart[]> => {
    const carts = await Promise.all(
      Array.from({ length: count }, (_, day) =>
        givenCart({ updatedAtMs: NOW_MS + day * DAY_SECONDS * 1_000 }),
      ),
    );
    await stage.dependencies.schedule.put(carts);
    stage.clock.advance((DAYS + 1 + count) * DAY_SECONDS);
    return carts;
  };

  it('that dies after any of its calls leaves the rest to the next run', async () => {
    let isDead = true;
    for (let callsMax = 0; isDead; callsMax += 1) {
      const carts = await givenEntries(2);
      let calls = 0;
      const live = async <Result>(call: () => Promise<Result>): Promise<Result> => {
        if ((calls += 1) > callsMax) throw new Error('The process died');
        return call();
      };
      const { schedule, findCarts, eraser } = stage.dependencies;
      const dying: RunErasuresDependencies = {
        ...stage.dependencies,
        findCarts: (...args) => live(() => findCarts(...args)),
        eraser: { erase: (...args) => live(() => eraser.erase(...args)) },
        schedule: { ...schedule, keep: (...args) => live(() => schedule.keep(...args)) },
      };
      isDead = await logged(() => runErasures(dying)).then(
        (lines) => lines.length > 0,
        () => true,
      );
      await run();
      for (const cart of carts) expect(await find(cart)).toMatchObject({ customerInfo: {} });
      expect(await entriesOf('live')).toStrictEqual([]);
      expect(callsMax).toBeLessThan(20);
      await stage.restart();
    }
  });

  it('whose time ends keeps what it erased, reports how late the rest is, and the next run continues', async () => {
    const carts = await givenEntries(3);
    const time = new AbortController();
    const { eraser } = stage.dependencies;
    const stopping: RunErasuresDependencies['eraser'] = {
      async erase(...args) {
        const erased = await eraser.erase(...args);
        time.abort();
        return erased;
      },
    };
    const first = await run({ eraser: stopping }, time.signal);
    expect(first).toStrictEqual({
      erased: { live: 1, test: 0 },
      failed: 0,
      lagMs: stage.clock.now() - DUE_AT_MS,
    });
    expect(await run()).toStrictEqual({ ...NOTHING, erased: { live: 2, test: 0 } });
    for (const cart of carts) expect(await find(cart)).toMatchObject({ customerInfo: {} });
  });

  it('at the same time as another one erases each cart once', async () => {
    await givenEntries(3);
    const runs = await Promise.all([run(), run()]);
    expect(runs.reduce((sum, { erased }) => sum + erased.live, 0)).toBe(3);
    expect(await entriesOf('live')).toStrictEqual([]);
  });

  it('ends at an outage, reports how late the rest is, and the next run continues', async () => {
    const carts = await givenEntries(2);
    const down = Object.assign(new Error('down'), { name: 'TimeoutError' });
    let calls = 0;
    const fail = (): Promise<never> => {
      calls += 1;
      return Promise.reject(down);
    };
    for (const changes of [{ findCarts: fail }, { eraser: { erase: fail } }]) {
      const lines = await logged(async () => {
        expect(await run(changes)).toStrictEqual({ ...NOTHING, lagMs: stage.clock.now() - DUE_AT_MS });
      });
      expect(lines).toMatchObject([{ message: 'erasures', level: 'WARN', outcome: 'interrupted' }]);
    }
    expect(calls).toBe(2);
    expect(await run()).toStrictEqual({ ...NOTHING, erased: { live: 2, test: 0 } });
    for (const cart of carts) expect(await find(cart)).toMatchObject({ customerInfo: {} });
  });

  it('throws if the schedule cannot be read, so that the function fails', async () => {
    const schedule = createErasureSchedule(stage.database.documents, 'no-such-table');
    await expect(run({ schedule })).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
  });

  it('handles a day of 25,000 carts, ten at a time, and reads each cart once', async () => {
    const ids = Array.from({ length: 25_000 }, () => randomUUID());
    await stage.dependencies.schedule.put(ids.map((id) => ({ id, mode: 'live', updatedAtMs: NOW_MS })));
    stage.clock.advance((DAYS + 1) * DAY_SECONDS);
    const template = waitingCart({ status: 'completed', updatedAtMs: NOW_MS });
    let reads = 0;
    let atOnce = 0;
    let atOnceMax = 0;
    const result = await run({
      findCarts: ({ cartIds }) => {
        reads += cartIds.length;
        expect(cartIds.length).toBeLessThanOrEqual(1_000);
        return Promise.resolve(cartIds.map((id) => ({ tableName: 'carts', cart: { ...template, id } })));
      },
      eraser: {
        async erase(found) {
          atOnce += 1;
          atOnceMax = Math.max(atOnceMax, atOnce);
          await Promise.resolve();
          atOnce -= 1;
          return found.length;
        },
      },
    });
    expect(result).toStrictEqual({ ...NOTHING, erased: { live: 25_000, test: 0 } });
    expect({ reads, atOnceMax }).toStrictEqual({ reads: 25_000, atOnceMax: 10 });
    expect(await entriesOf('live')).toStrictEqual([]);
  });
});
