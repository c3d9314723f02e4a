import { beforeAll, expect, test } from 'vitest';
import { createCartRepository } from '../../../../lib/carts/cart-repository.ts';
import type { Cart } from '../../../../lib/carts/cart.ts';
import { TABLE_KINDS } from '../../../../lib/database/tables.ts';
import { createOperatorStoreRepository } from '../../../../lib/operators/operator-store-repository.ts';
import { givenDatabase } from '../../../support/database/database.ts';
import { CREATED_AT_MS, EXPIRES_AT_MS, refund, waitingCart } from '../../../support/domain/payments.ts';
import { givenOperatedTables } from '../../../support/operators/deployed-stage.ts';
import { withDefaults } from '../../../support/operators/with-defaults.ts';

const { documents, tableNames } = await givenDatabase(TABLE_KINDS);
const DAY_MS = 86_400_000;
const isoAt = (ms: number): string => new Date(ms).toISOString();

const refundsOf = (paymentId: string, amounts: readonly number[]) =>
  amounts.map((amount) => refund({ paymentId, amount }));

const stage = await givenOperatedTables(tableNames, () => EXPIRES_AT_MS);

beforeAll(async () => {
  const stores = createOperatorStoreRepository(documents, tableNames.stores);
  for (const id of ['shop', 'other']) await stores.putIfMissing({ id, name: id, createdAtMs: 0 });
  const create = (changes: Partial<Cart>, table: 'carts' | 'testCarts' = 'carts') =>
    createCartRepository(documents, tableNames[table], () => EXPIRES_AT_MS).create(
      waitingCart({ storeId: 'shop', ...changes }),
    );
  const completed = (amount: number, currency: string, changes: Partial<Cart> = {}) =>
    create({ status: 'completed', deleteAtSeconds: undefined, price: { amount, currency }, ...changes });
  // 0.29 * 100 is less than 29 as a double, and the sum of the large amounts has more digits than one.
  await completed(0.01, 'EUR');
  await completed(0.29, 'EUR', { paymentId: 'p1', refunds: refundsOf('p1', [0.1, 0.1]) });
  await completed(999_999_999_999.999, 'KWD');
  await completed(9_999_999_999.999, 'KWD');
  // A duplicate payment is refunded, and the refunds of the other one exceed it.
  await completed(1_500, 'JPY', {
    paymentId: 'p2',
    refunds: [...refundsOf('duplicate', [1_500]), ...refundsOf('p2', [1_000, 1_000])].map((each) => ({
      ...each,
      currency: 'JPY',
    })),
  });
  await create({ status: 'payment_failed' });
  await create({});
  await create({ expiresAtMs: EXPIRES_AT_MS + 1 });
  await create({ createdAtMs: CREATED_AT_MS - 1 });
  await completed(1, 'EUR', { storeId: 'other' });
  await create({ mode: 'test' }, 'testCarts');
  await create({ mode: 'test', status: 'payment_failed' }, 'testCarts');
  return stage.close;
});

const stats = async (...flags: readonly string[]) => {
  const { exitCode, stdout } = await stage.run(['stats', '--json', ...flags]);
  expect(exitCode).toBe(0);
  return (JSON.parse(stdout) as { stats: object[] }).stats;
};

const since = ['--since', isoAt(CREATED_AT_MS)];

test("counts a store's carts since a time by their status, with exact sums of amounts", async () => {
  expect(await stats('--store', 'shop', ...since)).toStrictEqual([
    {
      mode: 'live',
      carts: 8,
      waiting: 1,
      completed: 5,
      failed: 1,
      abandoned: 1,
      conversion: 5 / 8,
      completedAmounts: { EUR: '0.30', JPY: '1500', KWD: '1009999999999.998' },
      refundedAmounts: { EUR: '0.20', JPY: '2000' },
      netAmounts: { EUR: '0.10', JPY: '0', KWD: '1009999999999.998' },
    },
    {
      mode: 'test',
      carts: 2,
      waiting: 0,
      completed: 0,
      failed: 1,
      abandoned: 1,
      conversion: 0,
      completedAmounts: {},
      refundedAmounts: {},
      netAmounts: {},
    },
  ]);
});

test.each([
  [['--mode', 'live', '--store', 'other'], [{ mode: 'live', carts: 1 }]],
  [['--mode', 'live'], [{ carts: 9 }]],
  [
    ['--until', isoAt(CREATED_AT_MS)],
    [{ carts: 0 }, { carts: 0 }],
  ],
  [['--mode', 'live', '--since', isoAt(CREATED_AT_MS - 1)], [{ carts: 10 }]],
])('counts only what matches %j', async (flags, expected) => {
  expect(await stats(...withDefaults({ '--since': isoAt(CREATED_AT_MS) }, flags))).toMatchObject(expected);
});

test('says the cost first, and shows a person a table', async () => {
  const { stdout, stderr } = await stage.run(['stats', '--store', 'shop', '--mode', 'live', ...since]);
  expect(stderr).toMatch(/^Scans at most about \d+ items?: \d+ read units?, less than \$0\.01\.\n.+\n$/);
  expect(stdout.split('\n').map((line) => line.trim().split(/ {2,}/))).toStrictEqual([
    [
      'MODE',
      'CARTS',
      'WAITING',
      'COMPLETED',
      'FAILED',
      'ABANDONED',
      'CONVERSION',
      'COMPLETED AMOUNTS',
      'REFUNDED',
      'NET',
    ],
    [
      'live',
      '8',
      '1',
      '5',
      '1',
      '1',
      '62.5 %',
      '0.30 EUR, 1500 JPY, 1009999999999.998 KWD',
      '0.20 EUR, 2000 JPY',
      '0.10 EUR, 0 JPY, 1009999999999.998 KWD',
    ],
    [''],
  ]);
});

test('states no conversion for a time whose unpaid carts may be deleted', async () => {
  const now = () => CREATED_AT_MS + 30 * DAY_MS + 1;
  const { stdout } = await stage.run(['stats', '--store', 'shop', ...since], { now });
  expect(stdout).toMatch(/^live .+ {2}- +0\.30 EUR/m);
  expect(stdout).toMatch(/deleted unpaid carts created before 2026-01-15 12:30 UTC: there is no conversion/);
  const json = await stage.run(['stats', '--store', 'shop', ...since, '--json'], { now });
  expect(json.stdout).not.toContain('conversion');
});

test('counts the carts of the last seven days by default', async () => {
  const countAt = async (nowMs: number) => {
    const { stdout } = await stage.run(['stats', '--store', 'other', '--json'], { now: () => nowMs });
    return (JSON.parse(stdout) as { stats: object[] }).stats[0];
  };
  expect(await countAt(CREATED_AT_MS + 7 * DAY_MS)).toMatchObject({ mode: 'live', carts: 1 });
  expect(await countAt(CREATED_AT_MS + 7 * DAY_MS + 1)).toMatchObject({ mode: 'live', carts: 0 });
});
