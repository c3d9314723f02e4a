import { beforeEach, expect, it } from 'vitest';
import { createExpiryScan, SCAN_INTERVAL_MS } from '../../../../infra/local/sources/expiries.ts';
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

beforeEach(async () => {
  database = await givenDatabase();
  entries = [];
  erasedLater = [];
});

const scan = (): Promise<void> => {
  const { documents, tableNames } = database;
  const due: DueSchedule = {
    async put(puts) {
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
  return createExpiryScan({
    documents,
    tableNames: carts,
    due,
    erasures,
    personalDataDays: PERSONAL_DATA_DAYS,
    now,
  })(new AbortController().signal);
};

const scheduledIds = (): string[] =>
  entries.flatMap((entry) => (entry.kind === 'expiry' ? entry.cartIds : [])).toSorted();

const store = async (cart: Cart): Promise<string> => {
  const { documents, tableNames } = database;
  const TableName = cart.mode === 'live' ? tableNames.carts : tableNames.testCarts;
  await documents.send(new PutCommand({ TableName, Item: toItem(cart) }));
  return cart.id;
};

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
  await scan();
  expect(scheduledIds()).toEqual(expected.toSorted());
  expect(erasedLater).toEqual([]);
});

it('a scan schedules the erasures that are due, and no others', async () => {
  const DAY_MS = 86_400_000;
  const due = { status: 'completed', updatedAtMs: NOW_MS - (PERSONAL_DATA_DAYS + 1) * DAY_MS } as const;
  const expected = await Promise.all([store(waitingCart(due)), store(waitingCart({ ...due, mode: 'test' }))]);
  await store(waitingCart({ ...due, personalDataErasedAtMs: NOW_MS }));
  await store(waitingCart({ ...due, updatedAtMs: NOW_MS - PERSONAL_DATA_DAYS * DAY_MS }));
  await scan();
  expect(erasedLater.toSorted()).toEqual(expected.toSorted());
  expect(entries).toEqual([]);
});
