import { randomUUID } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import { createExpiryScheduler, SCAN_INTERVAL_MS } from '../../../../infra/local/events/expiries.ts';
import { PERSONAL_DATA_DAYS } from '../../../../infra/stages.ts';
import type { ErasureSchedule } from '../../../../lib/buyers/erasure-schedule.ts';
import { toItem } from '../../../../lib/carts/cart-item.ts';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Cart } from '../../../../lib/carts/cart.ts';
import type { DueEntry, DueSchedule } from '../../../../lib/due/due-entry.ts';
import { NOW_MS } from '../../../support/clock.ts';
import { givenDatabase, type TestDatabase } from '../../../support/database.ts';
import { payment, waitingCart } from '../../../support/payments.ts';

let database: TestDatabase;
let entries: DueEntry[];
/** The carts whose erasure is scheduled. */
let erasedLater: string[];
let outage: Error | undefined;
/** After this many puts, the outage begins. */
let putsBeforeOutage: number;

beforeEach(async () => {
  database = await givenDatabase();
  entries = [];
  erasedLater = [];
  outage = undefined;
  putsBeforeOutage = 0;
});

const givenScheduler = () => {
  const { documents, tableNames } = database;
  const due: DueSchedule = {
    async put(puts) {
      if (outage && putsBeforeOutage === 0) throw outage;
      putsBeforeOutage -= 1;
      entries.push(...puts.map(({ entry }) => entry));
    },
  };
  const carts = [tableNames.carts, tableNames.testCarts];
  const erasures: Pick<ErasureSchedule, 'put'> = {
    async put(completed) {
      erasedLater.push(...completed.map(({ id }) => id));
    },
  };
  const now = (): number => NOW_MS;
  return createExpiryScheduler({
    documents,
    tableNames: carts,
    due,
    erasures,
    personalDataDays: PERSONAL_DATA_DAYS,
    now,
  });
};

const scheduledIds = (): string[] =>
  entries.flatMap((entry) => (entry.kind === 'expiry' ? entry.cartIds : [])).toSorted();

const store = async (cart: Cart): Promise<string> => {
  const { documents, tableNames } = database;
  const TableName = cart.mode === 'live' ? tableNames.carts : tableNames.testCarts;
  await documents.send(new PutCommand({ TableName, Item: toItem(cart) }));
  return cart.id;
};

it('the expiries of new carts are scheduled once, also after an outage', async () => {
  const scheduler = givenScheduler();
  const carts = [waitingCart(), waitingCart({ mode: 'test' })];
  for (const cart of carts) scheduler.take(cart);
  outage = new Error('The database does not respond');
  await expect(scheduler.flush()).rejects.toBe(outage);
  outage = undefined;
  await scheduler.flush();
  await scheduler.flush();
  expect(scheduledIds()).toEqual(carts.map(({ id }) => id).toSorted());
});

it('many new carts are scheduled in parts of 100, each once, also after an outage between the parts', async () => {
  const scheduler = givenScheduler();
  const carts = Array.from({ length: 250 }, () => waitingCart({ id: randomUUID() }));
  for (const cart of carts) scheduler.take(cart);
  outage = new Error('The database does not respond');
  putsBeforeOutage = 1;
  await expect(scheduler.flush()).rejects.toBe(outage);
  expect(scheduledIds()).toHaveLength(100);
  outage = undefined;
  await scheduler.flush();
  expect(scheduledIds()).toEqual(carts.map(({ id }) => id).toSorted());
  expect(entries).toHaveLength(3);
});

it('a scan schedules the unpaid carts that expire before the next scan ends, and no others', async () => {
  const soon = { expiresAtMs: NOW_MS + SCAN_INTERVAL_MS };
  const expected = await Promise.all([
    store(waitingCart(soon)),
    store(waitingCart({ ...soon, mode: 'test' })),
    store(waitingCart({ expiresAtMs: NOW_MS - 1 })),
    // A payment that fails after the expiry leaves the cart abandoned.
    store(waitingCart({ expiresAtMs: NOW_MS - 1, payments: [payment({ result: 'failed' })] })),
  ]);
  await Promise.all([
    store(waitingCart({ expiresAtMs: NOW_MS + 3 * SCAN_INTERVAL_MS })),
    store(waitingCart({ ...soon, abandonmentRecordedAtMs: NOW_MS })),
    store(waitingCart({ ...soon, status: 'completed', payments: [payment()] })),
    store(waitingCart({ ...soon, status: 'payment_failed', payments: [payment({ result: 'failed' })] })),
    store(waitingCart({ ...soon, deleteAtSeconds: NOW_MS / 1_000 - 1 })),
  ]);
  await givenScheduler().scan(new AbortController().signal);
  expect(scheduledIds()).toEqual(expected.toSorted());
  expect(erasedLater).toEqual([]);
});

it('a scan schedules the erasures that are due, and no others', async () => {
  const DAY_MS = 86_400_000;
  const due = { status: 'completed', updatedAtMs: NOW_MS - (PERSONAL_DATA_DAYS + 1) * DAY_MS } as const;
  const expected = await Promise.all([store(waitingCart(due)), store(waitingCart({ ...due, mode: 'test' }))]);
  await store(waitingCart({ ...due, personalDataErasedAtMs: NOW_MS }));
  await store(waitingCart({ ...due, updatedAtMs: NOW_MS - PERSONAL_DATA_DAYS * DAY_MS }));
  await givenScheduler().scan(new AbortController().signal);
  expect(erasedLater.toSorted()).toEqual(expected.toSorted());
  expect(entries).toEqual([]);
});
