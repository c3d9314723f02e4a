import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, expect, it, vi } from 'vitest';
import type * as RunTimers from '../../../functions/run-timers/handler.ts';
import { toCartItem } from '../../../lib/carts/cart-item.ts';
import { DAY_MS } from '../../../lib/core/durations.ts';
import { TABLE_KINDS } from '../../../lib/database/tables.ts';
import { givenDatabase, type TestDatabase } from '../../support/database/database.ts';
import { payment, waitingCart } from '../../support/domain/payments.ts';
import { loadAnew } from '../../support/functions/fresh-handler.ts';
import { stubSettings } from '../../support/functions/stub-settings.ts';
import { logged } from '../../support/logs/log-lines.ts';

const PERSONAL_DATA_DAYS = 730;

const database = await givenDatabase(TABLE_KINDS);

// The next test file of this process sets its own environment.
afterEach(() => {
  vi.unstubAllEnvs();
});

/** Loads the function on a test's tables. */
const loadHandler = async ({ tableNames, endpoint }: TestDatabase) => {
  stubSettings(tableNames, { personalDataDays: String(PERSONAL_DATA_DAYS) });
  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', endpoint);
  vi.stubEnv('AWS_REGION', 'local');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test');
  return (await loadAnew<typeof RunTimers>('run-timers')).handler;
};

/** Runs the function with this time left. Returns the times that it gave its jobs. */
const runWith = async (remainingMs: number): Promise<readonly (number | undefined)[]> => {
  const handler = await loadHandler(database);
  const timeout = vi.spyOn(AbortSignal, 'timeout');
  await logged(() => handler({}, { getRemainingTimeInMillis: () => remainingMs }));
  const times = timeout.mock.calls.map(([ms]) => ms);
  timeout.mockRestore();
  return times;
};

it('the run of every minute stops 8 s before its time limit, test mode 7 s earlier, and live mode 14 s earlier', async () => {
  expect(await runWith(55_000)).toStrictEqual([33_000, 40_000, 47_000]);
});

it('a run with less time left stops at once', async () => {
  expect(await runWith(5_000)).toStrictEqual([0, 0, 0]);
});

/** Stores a cart whose erasure has been due for 48.5 hours. */
const givenDueErasure = async (table: 'carts' | 'testCarts' = 'carts'): Promise<void> => {
  const { documents, tableNames } = database;
  const completedAtMs = Date.now() - (PERSONAL_DATA_DAYS + 2) * DAY_MS - 1_800_000;
  const { deleteAtSeconds: _, ...cart } = waitingCart({
    status: 'completed',
    payments: [payment()],
    completedAtMs,
  });
  await documents.send(new PutCommand({ TableName: tableNames[table], Item: toCartItem(cart) }));
};

it('a run whose urgent jobs use up their time counts how late the erasures are, and erases', async () => {
  const handler = await loadHandler(database);
  await givenDueErasure();
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(AbortSignal.abort());
  const lines = await logged(() => handler({}, { getRemainingTimeInMillis: () => 55_000 }));
  timeout.mockRestore();
  expect(lines).toContainEqual(expect.objectContaining({ job: 'live expiries', isComplete: false }));
  expect(lines).toContainEqual(expect.objectContaining({ ErasureLagHours: 49 }));
  expect(lines).toContainEqual(expect.objectContaining({ job: 'live erasures', handled: 1 }));
});

it('a run that cannot read an index fails after all other jobs', async () => {
  await givenDueErasure('testCarts');
  const tableNames = { ...database.tableNames, webhookEndpoints: 'missing' };
  const handler = await loadHandler({ ...database, tableNames });
  const lines = await logged(() =>
    expect(handler({}, { getRemainingTimeInMillis: () => 55_000 })).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
    }),
  );
  expect(lines).toContainEqual(expect.objectContaining({ job: 'live probes', isComplete: false }));
  expect(lines).toContainEqual(expect.objectContaining({ job: 'test erasures', handled: 1 }));
});
