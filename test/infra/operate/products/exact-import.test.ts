import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { TABLE_KINDS } from '../../../../lib/database/tables.ts';
import { createOperatorProductRepository } from '../../../../lib/operators/operator-product-repository.ts';
import { createOperatorStoreRepository } from '../../../../lib/operators/operator-store-repository.ts';
import { givenDatabase } from '../../../support/database/database.ts';
import { givenOperatedTables } from '../../../support/operators/deployed-stage.ts';

const { documents, tableNames } = await givenDatabase(TABLE_KINDS);
const stage = await givenOperatedTables(tableNames);
const folder = await mkdtemp(join(tmpdir(), 'cart-checkout-digits-'));

beforeAll(async () => {
  const stores = createOperatorStoreRepository(documents, tableNames.stores);
  await stores.put({ id: 'shop', name: 'shop', createdAtMs: 0 });
  return stage.close;
});

const importText = async (name: string, text: string | Uint8Array) => {
  await writeFile(join(folder, name), text);
  return stage.run(['products', 'import', join(folder, name)]);
};

test('a CSV file may come from a spreadsheet: words in capital letters, and rows of commas', async () => {
  const rows = [
    'id,store,name,currency,price,available',
    'a,shop,A,EUR,5,TRUE',
    ',,,,,',
    'b,shop,B,EUR,5,False',
  ];
  expect((await importText('a.csv', rows.join('\n'))).exitCode).toBe(0);
  const stored = await createOperatorProductRepository(documents, tableNames.products).listAll();
  expect(new Map(stored.map(({ id, product }) => [id, product?.available]))).toStrictEqual(
    new Map([
      ['a', true],
      ['b', false],
    ]),
  );
});

test.each([
  ['b.csv', 'id,store,name,currency,price\nx,shop,X,EUR,99.990000000000001\n', 'line 2: price'],
  [
    'b.json',
    '[{"id":"x","storeId":"shop","name":"X","currency":"EUR","pricing":{"type":"fixed","amount":99.990000000000001}}]',
    'product 1: pricing.amount',
  ],
])('no digit of a number in %s is lost', async (name, text, place) => {
  const { exitCode, stdout } = await importText(name, text);
  expect({ exitCode, stdout }).toStrictEqual({
    exitCode: 1,
    stdout: `${place} must have at most 15 digits\n`,
  });
});

test.each(['--price 99.990000000000001', '--price 1234567890123.450000000000001'])(
  'nor of %s',
  async (price) => {
    const args = ['products', 'put', 'y', '--store', 'shop', '--name', 'Y', '--currency', 'EUR'];
    const { exitCode, stderr } = await stage.run([...args, ...price.split(' ')]);
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('15 digits') });
  },
);

test.each([
  ['c.json', Buffer.from('[]', 'utf16le'), /is not UTF-8/],
  ['c.csv', 'id,store,name,currency,price\u200b,x\n', /price\\u200b/],
])('what nobody can see in %s is named', async (name, text, words) => {
  const { exitCode, stderr } = await importText(name, text);
  expect({ exitCode, stderr }).toStrictEqual({ exitCode: 1, stderr: expect.stringMatching(words) });
});
