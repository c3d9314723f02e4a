import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectError } from '../../support/expect-error.ts';
import { expectSentence } from '../../support/expect-sentence.ts';
import { type Ended, operate, stopProcesses } from '../../support/processes.ts';
import { cartBody } from '../../support/service.ts';
import { givenStage, type TestStage } from '../../support/stage.ts';

const STORE = ['--store', 'demo-store-one'];
const COURSE = [...STORE, '--name', 'Course', '--currency', 'EUR'];

let stage: TestStage;
let apiKey: string;

beforeAll(async () => {
  stage = await givenStage();
  apiKey = await stage.givenKey();
});

afterAll(stopProcesses);

/** Runs a command of products on the test's stage. */
const products = (...args: readonly string[]): Promise<Ended> =>
  operate('products', ...args, '--dynamodb', stage.dynamodbEndpoint);

/** Runs one that succeeds and prints JSON. */
const productsJson = async (...args: readonly string[]): Promise<Record<string, unknown>> => {
  const { exitCode, stdout, stderr } = await products(...args, '--json');
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(stdout).toMatch(/^[^\n]+\n$/);
  return JSON.parse(stdout) as Record<string, unknown>;
};

const createCart = (productId: string, changes: object = {}) =>
  stage.createCart(cartBody(productId, { ...changes }), { apiKey });

describe('products put', () => {
  test('stores a product of a fixed price, which can be bought at once', async () => {
    expect(await productsJson('put', 'fixed-1', ...COURSE, '--price', '19.99')).toEqual({
      id: 'fixed-1',
      storeId: 'demo-store-one',
      name: 'Course',
      available: true,
      currency: 'EUR',
      pricing: { type: 'fixed', amount: 19.99 },
    });
    expect((await createCart('fixed-1')).status).toBe(201);
  });

  test('stores a product of free pricing with its bounds', async () => {
    const flags = ['--free', '--minimum', '1', '--suggested', '5'];
    expect(await productsJson('put', 'free-1', ...COURSE, ...flags)).toMatchObject({
      pricing: { type: 'free', minimum: 1, suggested: 5 },
    });
    expect((await createCart('free-1', { customerPrice: 1 })).status).toBe(201);
    expectError(await createCart('free-1', { customerPrice: 0.99 }), 'invalidPayload');
  });

  test('stores a product that is not to be sold yet', async () => {
    await productsJson('put', 'later-1', ...COURSE, '--price', '5', '--unavailable');
    expectError(await createCart('later-1'), 'invalidProduct');
  });

  test('stores a name without the white space around it', async () => {
    const flags = [...STORE, '--currency', 'EUR', '--price', '5', '--name', ' Course\u00A0'];
    expect(await productsJson('put', 'trimmed-1', ...flags)).toMatchObject({ name: 'Course' });
  });

  test('tells a person what it stored', async () => {
    const { exitCode, stdout } = await products('put', 'said-1', ...COURSE, '--free', '--minimum', '2');
    expect({ exitCode, stdout }).toEqual({
      exitCode: 0,
      stdout: 'Stored the product said-1 of demo-store-one: free pricing in EUR, at least 2.\n',
    });
  });

  test("does not take another store's product away", async () => {
    const flags = ['--store', 'thief', '--name', 'Course', '--currency', 'EUR', '--price', '1'];
    const ended = await products('put', stage.productId, ...flags);
    expect(ended.exitCode).toBe(1);
    expectSentence(ended, /belongs to another store/);
    expect((await createCart(stage.productId)).status).toBe(201);
  });

  test.each<[string, RegExp, string[]]>([
    ['neither price nor --free', /--price .*--free/, []],
    ['both', /--price.*--free/, ['--price', '1', '--free']],
    ['a minimum of a fixed price', /--minimum/, ['--price', '5', '--minimum', '1']],
    ['a price that is none', /--price/, ['--price', 'much']],
    ['a price below nothing', /--price/, ['--price=-1']],
    ['a price of nothing', /--price/, ['--price', '0']],
    ['too many decimals', /--price.*2 decimals/, ['--price', '1.999']],
    ['decimals of a currency without', /--price.*0 decimals/, ['--price', '1.5', '--currency', 'JPY']],
    ['an unknown currency', /--currency/, ['--price', '5', '--currency', 'XYZ']],
    ['no name', /--name/, ['--price', '5', '--name', '']],
    ['a name that nobody sees', /--name.*visible/, ['--price', '5', '--name', '\u200B']],
    ['a suggestion below the minimum', /--suggested/, ['--free', '--minimum', '5', '--suggested', '2']],
  ])('refuses %s with exit code 2 and one sentence', async (_what, words, flags) => {
    const ended = await products('put', 'refused', ...COURSE, ...flags);
    expect(ended.exitCode).toBe(2);
    expectSentence(ended, words);
    expectError(await createCart('refused'), 'invalidProduct');
  });

  test('refuses an id that no request could name', async () => {
    const ended = await products('put', 'a/b', ...COURSE, '--price', '5');
    expect(ended.exitCode).toBe(2);
    expectSentence(ended, /1 to 128 letters/);
  });
});

describe('products list', () => {
  test('tells the products of a store in order, and of no other', async () => {
    expect(await productsJson('list', '--store', 'demo-store-two')).toEqual({
      products: [
        expect.objectContaining({ id: 'two-concert', pricing: { type: 'free' } }),
        expect.objectContaining({ id: 'two-poster', pricing: { type: 'fixed', amount: 1_500 } }),
        expect.objectContaining({ id: 'two-sold-out', available: false }),
      ],
    });
  });

  test('without --store tells those of every store', async () => {
    const listed = (await productsJson('list'))['products'] as { storeId: string }[];
    const stores = new Set(listed.map(({ storeId }) => storeId));
    expect([...stores]).toEqual(expect.arrayContaining(['demo-store-one', 'demo-store-two']));
  });

  test('shows a person a table', async () => {
    const { stdout } = await products('list', '--store', 'demo-store-two');
    expect(stdout.split('\n')).toEqual([
      expect.stringMatching(/^ID +STORE +NAME +PRICE +AVAILABLE$/),
      expect.stringMatching(
        /^two-concert +demo-store-two +Concert, pay what you want +free pricing in JPY +yes$/,
      ),
      expect.stringMatching(/^two-poster +demo-store-two +Poster +1500 JPY +yes$/),
      expect.stringMatching(/^two-sold-out +demo-store-two +Sold-out poster +900 JPY +no$/),
      '',
    ]);
  });

  test('of a store without products says so', async () => {
    expect((await products('list', '--store', 'nobody')).stdout).toMatch(/no such products/);
  });
});

describe('products disable and enable', () => {
  test('take a product off sale and put it back', async () => {
    await productsJson('put', 'toggled', ...COURSE, '--price', '5');

    expect(await productsJson('disable', 'toggled')).toEqual({ id: 'toggled', available: false });
    expectError(await createCart('toggled'), 'invalidProduct');

    expect(await productsJson('enable', 'toggled')).toEqual({ id: 'toggled', available: true });
    expect((await createCart('toggled')).status).toBe(201);
  });

  test.each(['enable', 'disable'])('%s of an unknown product is told in one sentence', async (command) => {
    const ended = await products(command, 'none');
    expect(ended.exitCode).toBe(1);
    expectSentence(ended, /No product has the id none/);
  });
});
