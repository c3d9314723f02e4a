import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, describe, expect, test } from 'vitest';
import { expectError } from '../../../support/contract/expect-error.ts';
import { cartBody } from '../../../support/domain/cart-body.ts';
import { STORE_ID } from '../../../support/functions/dependencies.ts';
import { givenOperatedService } from '../../../support/operators/deployed-stage.ts';
import { expectFailure } from '../../../support/programs/expect-sentence.ts';

const COURSE = ['--store', STORE_ID, '--name', 'Course', '--currency', 'EUR'];

const stage = await givenOperatedService();
const apiKey = await stage.givenKey({ limit: 1_000 });
for (const store of ['thief', 'nobody', 'hostile-json', 'list-store', 'table']) await stage.givenStore(store);

afterAll(stage.close);

const put = (id: string, ...flags: readonly string[]) =>
  stage.runJson<object>('products', 'put', id, ...flags);

const createCart = (productId: string, changes: Record<string, unknown> = {}) =>
  stage.createCart(cartBody(productId, changes), { apiKey });

test('JSON escapes the characters that a terminal would interpret, and parses to the same texts', async () => {
  const storeId = 'hostile-json';
  const name = 'a\u007F\u009B31mb\u00AD\u200F\u202Egnp.exe\u2028\u2066\uFEFF\u{E0041}\u{1D173}z';
  await stage.givenProduct({ storeId, name });

  const { stdout } = await stage.run(['products', 'list', '--store', storeId, '--json']);

  expect(stdout.trimEnd()).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
  expect(stdout).toContain('\\u009b31m');
  expect(JSON.parse(stdout)).toMatchObject({ products: [{ name }] });
});

describe('products put', () => {
  test('stores a product with a fixed price, which can be bought at once', async () => {
    expect(await put('fixed-1', ...COURSE, '--price', '19.99')).toStrictEqual({
      id: 'fixed-1',
      storeId: STORE_ID,
      name: 'Course',
      available: true,
      currency: 'EUR',
      pricing: { type: 'fixed', amount: 19.99 },
    });
    expect((await createCart('fixed-1')).status).toBe(201);
  });

  test('stores a product with free pricing and its bounds', async () => {
    expect(await put('free-1', ...COURSE, '--free', '--minimum', '1', '--suggested', '5')).toMatchObject({
      pricing: { type: 'free', minimum: 1, suggested: 5 },
    });
    expect((await createCart('free-1', { customerPrice: 1 })).status).toBe(201);
    expectError(await createCart('free-1', { customerPrice: 0.99 }), 'invalidPayload');
  });

  test('--unavailable stores a product that nobody can buy yet', async () => {
    await put('later-1', ...COURSE, '--price', '5', '--unavailable');
    expectError(await createCart('later-1'), 'invalidProduct');
  });

  test('shows a person the stored product', async () => {
    const flags = [...COURSE, '--free', '--minimum', '2'];
    expect(await stage.run(['products', 'put', 'shown-1', ...flags])).toMatchObject({
      exitCode: 0,
      stdout: `Stored the product shown-1 of ${STORE_ID}: the buyer's choice in EUR, at least 2.00 EUR.\n`,
    });
  });

  test("does not replace another store's product", async () => {
    const productId = await stage.givenProduct();
    const flags = ['--store', 'thief', '--name', 'Course', '--currency', 'EUR', '--price', '1'];
    expectFailure(await stage.run(['products', 'put', productId, ...flags]), 1, /belongs to another store/);
    expect((await createCart(productId)).status).toBe(201);
  });

  test.each<[string, RegExp, string[]]>([
    ['neither a price nor --free', /--price .*--free/, []],
    ['both a price and --free', /--price.*--free/, ['--price', '1', '--free']],
    ['a minimum of a fixed price', /--minimum/, ['--price', '5', '--minimum', '1']],
    ['a price in words', /--price/, ['--price', 'much']],
    ['too many decimals', /--price.*2 decimals/, ['--price', '1.999']],
    ['an unknown currency', /--currency/, ['--price', '5', '--currency', 'XYZ']],
    ['an empty name', /--name/, ['--price', '5', '--name', '']],
    ['a suggestion below the minimum', /--suggested/, ['--free', '--minimum', '5', '--suggested', '2']],
  ])('rejects %s', async (_what, words, flags) => {
    expectFailure(await stage.run(['products', 'put', 'rejected', ...COURSE, ...flags]), 2, words);
    expectError(await createCart('rejected'), 'invalidProduct');
  });

  test('rejects an id that no request can name', async () => {
    const ended = await stage.run(['products', 'put', 'a/b', ...COURSE, '--price', '5']);
    expectFailure(ended, 2, /1 to 128 letters/);
  });
});

describe('products list', () => {
  const list = async (...flags: readonly string[]) =>
    (await stage.runJson<{ products: { id: string; storeId: string }[] }>('products', 'list', ...flags))
      .products;

  test("shows a store's products in order, or those of every store", async () => {
    for (const id of ['list-b', 'list-a']) await stage.givenProduct({ id, storeId: 'list-store' });
    await stage.givenProduct({ storeId: 'a-store' });
    expect((await list('--store', 'list-store')).map(({ id }) => id)).toStrictEqual(['list-a', 'list-b']);
    const stores = (await list()).map(({ storeId }) => storeId);
    expect(stores).toStrictEqual(stores.toSorted());
    expect(stores).toStrictEqual(expect.arrayContaining(['a-store', 'list-store']));
  });

  test('shows a person a table', async () => {
    const product = { storeId: 'table', currency: 'JPY' };
    await stage.givenProduct({ ...product, id: 'concert', name: 'Concert', pricing: { type: 'free' } });
    await stage.givenProduct({ ...product, id: 'poster', name: 'Sold-out poster', available: false });
    const { stdout } = await stage.run(['products', 'list', '--store', 'table']);
    expect(stdout.split('\n')).toStrictEqual([
      expect.stringMatching(/^ID +STORE +NAME +PRICE +AVAILABLE$/),
      expect.stringMatching(/^concert +table +Concert +the buyer's choice in JPY +yes$/),
      expect.stringMatching(/^poster +table +Sold-out poster +19\.99 JPY +no$/),
      '',
    ]);
  });

  test('reports that a store has no products', async () => {
    const { stdout } = await stage.run(['products', 'list', '--store', 'nobody']);
    expect(stdout).toMatch(/no such products/);
  });

  test('reports invalid items, without the characters that a terminal interprets', async () => {
    /** ECMA-48 control sequences of both kinds, and a direction mark. */
    const escapes = '\u001b[2J\u009b31m\u202e';
    const valid = { available: true, pricing: { type: 'fixed', amount: 5 } };
    const escaping = { storeId: `shop${escapes}`, name: `name${escapes}`, currency: `EUR${escapes}` };
    for (const item of [
      { ...valid, ...escaping, id: `id${escapes}` },
      { id: 'unpriced', storeId: `shop${escapes}`, name: 'Course' },
      { id: `bad${escapes}` },
    ]) {
      await stage.documents.send(new PutCommand({ TableName: stage.tableNames.products, Item: item }));
    }
    const { exitCode, stdout, stderr } = await stage.run(['products', 'list']);
    expect({ exitCode, stderr }).toStrictEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toMatch(/^id\S+ +shop\S+ +name\S+ +5\.00 EUR\S+ +yes$/m);
    expect(stdout).toMatch(/^unpriced is stored in an invalid form/m);
    expect(stdout).toMatch(/^bad/m);
    expect(stdout).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
    expect(await stage.runJson('products', 'list', '--store', `nobody`)).toMatchObject({
      unreadable: expect.arrayContaining(['unpriced', `bad${escapes}`]),
    });
  });
});

describe('products disable and enable', () => {
  test('take a product off sale and put it back', async () => {
    await put('toggled', ...COURSE, '--price', '5');
    const runOn = (command: string) => stage.runJson<object>('products', command, 'toggled');
    expect(await runOn('disable')).toStrictEqual({ id: 'toggled', available: false });
    expectError(await createCart('toggled'), 'invalidProduct');
    expect(await runOn('enable')).toStrictEqual({ id: 'toggled', available: true });
    expect((await createCart('toggled')).status).toBe(201);
  });

  test.each(['enable', 'disable'])('%s reports an unknown product', async (command) => {
    expectFailure(await stage.run(['products', command, 'none']), 1, /No product has the id none/);
  });
});
