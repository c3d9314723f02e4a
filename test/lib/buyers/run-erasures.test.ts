import { randomUUID } from 'node:crypto';
import { PutCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { localClientConfig } from '../../../infra/local/local-database.ts';
import { paymentTablesOf } from '../../../infra/payment-tables.ts';
import type { Mode } from '../../../lib/api-keys/api-key.ts';
import { erasedCart } from '../../../lib/buyers/erased-cart.ts';
import { reportErasures } from '../../../lib/buyers/report-erasures.ts';
import {
  createErasureDependencies,
  type ErasureRun,
  runErasures,
  type RunErasuresDependencies,
} from '../../../lib/buyers/run-erasures.ts';
import { toItem } from '../../../lib/carts/cart-item.ts';
import { createCartStore } from '../../../lib/carts/cart-store.ts';
import type { Cart } from '../../../lib/carts/cart.ts';
import { createAbandonmentStores, recordAbandonments } from '../../../lib/carts/record-abandonment.ts';
import { createDocumentClient } from '../../../lib/dynamodb.ts';
import { type ManualClock, manualClock, NOW_MS } from '../../support/clock.ts';
import { recordUnits } from '../../support/consumed-units.ts';
import { givenDatabase } from '../../support/database.ts';
import { eventsOf } from '../../support/events.ts';
import { logged } from '../../support/log-lines.ts';
import { payment, waitingCart } from '../../support/payments.ts';

const DAYS = 730;
const DAY_SECONDS = 86_400;
const NOTHING: ErasureRun = { erased: { live: 0, test: 0 }, failed: 0, lagMs: 0 };

const database = await givenDatabase();
const { documents, tableNames } = database;
const tables = paymentTablesOf(tableNames);

let clock: ManualClock;
let dependencies: RunErasuresDependencies;

const run = (changes: Partial<RunErasuresDependencies> = {}, signal?: AbortSignal): Promise<ErasureRun> =>
  runErasures({ ...dependencies, ...changes }, signal);

/** When the data of carts of the first day must be gone: the day after the last one. */
const dueAtMs = (): number => Date.UTC(2026, 0, 15) + (DAYS + 1) * DAY_SECONDS * 1_000;

/** The ids of the stored entries of a mode. */
const entriesOf = async (mode: Mode): Promise<string[]> => {
  const { Items = [] } = await documents.send(
    new QueryCommand({
      TableName: tableNames.due,
      KeyConditionExpression: '#bucket = :bucket',
      ExpressionAttributeNames: { '#bucket': 'bucket' },
      ExpressionAttributeValues: { ':bucket': `personal-data#${mode}` },
    }),
  );
  return Items.map(({ id }) => String(id));
};

/** Stores a cart that was completed now. */
const givenCart = async (changes: Partial<Cart> = {}, tableName?: string): Promise<Cart> => {
  const paid = { status: 'completed', payments: [payment()], updatedAtMs: NOW_MS } as const;
  const { deleteAtSeconds: _, ...cart } = waitingCart({ storeId: randomUUID(), ...paid, ...changes });
  const inMode = cart.mode === 'live' ? tableNames.carts : tableNames.testCarts;
  await documents.send(new PutCommand({ TableName: tableName ?? inMode, Item: toItem(cart) }));
  return cart;
};

/** Looks at carts after their expiry, as the service does with each cart once. */
const expire = (carts: readonly Cart[], mode: Mode = 'live'): Promise<unknown> =>
  recordAbandonments(
    { mode, cartIds: carts.map(({ id }) => id) },
    createAbandonmentStores(documents, tables, { now: clock.now }),
  );

const find = ({ id, mode }: Cart, tableName?: string) =>
  createCartStore(documents, tableName ?? (mode === 'live' ? tableNames.carts : tableNames.testCarts)).find(
    id,
  );

beforeEach(async () => {
  clock = manualClock();
  dependencies = createErasureDependencies(documents, tables, { personalDataDays: DAYS, now: clock.now });
  // The runs of other tests left nothing.
  expect([await entriesOf('live'), await entriesOf('test')]).toStrictEqual([[], []]);
});

describe('the personal data of a completed cart', () => {
  it.each(['live', 'test'] as const)(
    'is kept for as many days as the stage says, and erased within a day after, in %s mode',
    async (mode) => {
      const cart = await givenCart({ mode });
      await expire([cart], mode);
      clock.advance(DAYS * DAY_SECONDS);
      expect(await run()).toStrictEqual(NOTHING);
      expect(await find(cart)).toStrictEqual(cart);
      clock.advance(DAY_SECONDS);
      const result = await run();
      expect(result).toStrictEqual({ ...NOTHING, erased: { live: 0, test: 0, [mode]: 1 } });
      expect(await find(cart)).toStrictEqual(erasedCart(cart, clock.now()));
      expect(await eventsOf(database, cart)).toStrictEqual([]);
      expect(await run()).toStrictEqual(NOTHING);
    },
  );

  it('follows the setting, if that becomes shorter or longer later', async () => {
    const cart = await givenCart();
    await expire([cart]);
    clock.advance(DAYS * DAY_SECONDS + DAY_SECONDS);
    expect(await run({ personalDataDays: 3_650 })).toStrictEqual(NOTHING);
    expect(await find(cart)).toStrictEqual(cart);
    expect(await run({ personalDataDays: 33 })).toMatchObject({ erased: { live: 1 } });
    expect(await find(cart)).toMatchObject({ customerInfo: {} });
  });

  it('is erased if an earlier release stored the cart, a test cart, in the table of live mode', async () => {
    const cart = await givenCart({ mode: 'test' }, tableNames.carts);
    await expire([cart], 'test');
    clock.advance((DAYS + 1) * DAY_SECONDS);
    expect(await run()).toMatchObject({ erased: { test: 1 } });
    expect(await find(cart, tableNames.carts)).toMatchObject({ customerInfo: {} });
  });

  it('is erased a while after its last completion, if a late payment moved that to a later day', async () => {
    const cart = await givenCart();
    await expire([cart]);
    const moved = await givenCart({ ...cart, updatedAtMs: NOW_MS + 5 * DAY_SECONDS * 1_000 });
    clock.advance((DAYS + 1) * DAY_SECONDS);
    expect(await run()).toStrictEqual(NOTHING);
    expect(await find(cart)).toStrictEqual(moved);
    expect(await entriesOf('live')).toHaveLength(1);
    clock.advance(5 * DAY_SECONDS);
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
  await dependencies.schedule.put([...carts, { ...(await givenCart()), id: randomUUID() }]);
  clock.advance((DAYS + 1) * DAY_SECONDS);
  expect(await run()).toStrictEqual({ ...NOTHING, erased: { live: 1, test: 0 } });
  expect(await find(carts[0] as Cart)).toStrictEqual(carts[0]);
  expect(await find(carts[1] as Cart)).toStrictEqual(carts[1]);
});

it('the carts of one look at an expiry make one entry for each mode and day, without erased and unpaid ones', async () => {
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
  clock.advance((DAYS + 2) * DAY_SECONDS);
  expect(await run()).toMatchObject({ erased: { live: 3 } });
});

describe('a run', () => {
  const givenEntries = async (count: number): Promise<Cart[]> => {
    const carts = await Promise.all(
      Array.from({ length: count }, (_, day) =>
        givenCart({ updatedAtMs: NOW_MS + day * DAY_SECONDS * 1_000 }),
      ),
    );
    await dependencies.schedule.put(carts);
    clock.advance((DAYS + 1 + count) * DAY_SECONDS);
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
      const { schedule, findCarts, eraser } = dependencies;
      const dying: RunErasuresDependencies = {
        ...dependencies,
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
      clock = manualClock();
      dependencies = { ...dependencies, now: clock.now };
    }
  });

  it('whose time ends keeps what it erased, reports how late the rest is, and the next run continues', async () => {
    const carts = await givenEntries(3);
    const time = new AbortController();
    const { eraser } = dependencies;
    const stopping: RunErasuresDependencies['eraser'] = {
      async erase(...args) {
        const erased = await eraser.erase(...args);
        time.abort();
        return erased;
      },
    };
    const first = await run({ eraser: stopping }, time.signal);
    expect(first).toStrictEqual({ erased: { live: 1, test: 0 }, failed: 0, lagMs: clock.now() - dueAtMs() });
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
        expect(await run(changes)).toStrictEqual({ ...NOTHING, lagMs: clock.now() - dueAtMs() });
      });
      expect(lines).toMatchObject([{ message: 'erasures', level: 'WARN', outcome: 'interrupted' }]);
    }
    expect(calls).toBe(2);
    expect(await run()).toStrictEqual({ ...NOTHING, erased: { live: 2, test: 0 } });
    for (const cart of carts) expect(await find(cart)).toMatchObject({ customerInfo: {} });
  });

  it('throws if the schedule cannot be read, so that the function fails', async () => {
    const { schedule } = dependencies;
    const down = new Error('down');
    const read: typeof schedule.read = async function* (): AsyncGenerator<never> {
      throw down;
    };
    await expect(run({ schedule: { ...schedule, read } })).rejects.toBe(down);
  });

  it('handles a day of 25,000 carts, ten at a time, and reads each cart once', async () => {
    const ids = Array.from({ length: 25_000 }, () => randomUUID());
    await dependencies.schedule.put(ids.map((id) => ({ id, mode: 'live', updatedAtMs: NOW_MS })));
    clock.advance((DAYS + 1) * DAY_SECONDS);
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

describe('a cart that fails', () => {
  it('stays alone in its entry, blocks no other, and is logged without its buyer', async () => {
    const carts = [await givenCart(), await givenCart(), await givenCart()];
    const [broken, ...others] = carts as [Cart, Cart, Cart];
    await dependencies.schedule.put(carts);
    const change = (UpdateExpression: string, values?: object) =>
      documents.send(
        new UpdateCommand({
          TableName: tableNames.carts,
          Key: { id: broken.id },
          UpdateExpression,
          ...(values && { ExpressionAttributeValues: values }),
        }),
      );
    await change('REMOVE productName');
    clock.advance((DAYS + 3) * DAY_SECONDS);
    let result = NOTHING;
    const lines = await logged(async () => {
      result = await run();
      reportErasures(result);
    });
    expect(result).toMatchObject({ erased: { live: 2 }, failed: 1 });
    for (const cart of others) expect(await find(cart)).toMatchObject({ customerInfo: {} });
    expect(lines).toMatchObject([
      { message: 'erasure', level: 'ERROR', failed: 1, cartId: broken.id },
      { ErasureLagHours: 60 },
      { message: 'erasures', erased: { live: 2, test: 0 }, failed: 1, lagHours: 60 },
    ]);

    let reads: readonly string[] = [];
    const { findCarts } = dependencies;
    await logged(() =>
      run({
        findCarts: (found, signal) => {
          reads = found.cartIds;
          return findCarts(found, signal);
        },
      }),
    );
    expect(reads).toStrictEqual([broken.id]);
    await change('SET productName = :name', { ':name': broken.productName });
    expect(await run()).toMatchObject({ erased: { live: 1 }, failed: 0 });
  });

  it('does not hide the entries behind one that cannot be read', async () => {
    const Item = { bucket: 'personal-data#live', id: '2026-01-01#of-a-later-release', carts: {} };
    await documents.send(new PutCommand({ TableName: tableNames.due, Item }));
    await dependencies.schedule.put([await givenCart()]);
    clock.advance((DAYS + 1) * DAY_SECONDS);
    let result = NOTHING;
    await logged(async () => {
      result = await run();
    });
    expect(result).toMatchObject({ erased: { live: 1 }, failed: 1 });
    const entry = { mode: 'live', id: Item.id, completedFromMs: 0, cartIds: [] } as const;
    await dependencies.schedule.keep(entry, []);
  });
});

it('an erasure costs a read unit and a write unit of its cart, and an idle run one read unit', async () => {
  const client = createDocumentClient(localClientConfig(database.endpoint));
  const { personalDataDays, now } = dependencies;
  const measured = createErasureDependencies(client, tables, { personalDataDays, now });
  const units = new Map<string, number>();
  recordUnits(client, ({ operation, units: consumed }) => {
    units.set(operation, (units.get(operation) ?? 0) + consumed);
  });
  await runErasures(measured);
  expect(Object.fromEntries(units)).toStrictEqual({ Query: 1 });
  units.clear();
  await dependencies.schedule.put(await Promise.all(Array.from({ length: 10 }, () => givenCart())));
  clock.advance((DAYS + 1) * DAY_SECONDS);
  expect(await runErasures(measured)).toMatchObject({ erased: { live: 10 } });
  expect(Object.fromEntries(units)).toStrictEqual({
    Query: 1,
    BatchGetItem: 10,
    UpdateItem: 10,
    DeleteItem: 1,
  });
});

it('an idle run writes nothing, so that an unused stage pays for no log and no metric', async () => {
  expect(await logged(async () => reportErasures(await run()))).toStrictEqual([]);
});

it('a run within a day of the due time counts no lag', async () => {
  const lateBy = (lagMs: number) => logged(async () => reportErasures({ ...NOTHING, lagMs }));
  expect(await lateBy(25 * 3_600_000 - 1)).toStrictEqual([]);
  expect(await lateBy(25 * 3_600_000)).toMatchObject([{ ErasureLagHours: 25 }]);
});
