import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { type EmbeddedDynamodb, startEmbeddedDynamodb } from '../../../infra/local/embedded-dynamodb.ts';
import { createTables, LOCAL_TABLE_NAMES, localClientConfig } from '../../../infra/local/local-database.ts';
import { createDocumentClient } from '../../../lib/dynamodb.ts';
import { createProductCatalogue, type ProductCatalogue } from '../../../lib/products/product-catalogue.ts';
import { createProductStore } from '../../../lib/products/product-store.ts';
import { startDynamodbProxy } from '../../support/dynamodb-proxy.ts';
import { expectSentence } from '../../support/expect-sentence.ts';
import { type Ended, operate, run, stopProcesses } from '../../support/processes.ts';

const HEADER = 'id,store,name,currency,price,minimum,suggested,available';
const IMPORT_BOUND_MS = 60_000;

let database: EmbeddedDynamodb;
let catalogue: ProductCatalogue;
let folder: string;

beforeAll(async () => {
  database = await startEmbeddedDynamodb({ data: 'memory' });
});

beforeEach(async () => {
  const documents = createDocumentClient(localClientConfig(database.endpoint));
  await createTables(documents);
  catalogue = createProductCatalogue(documents, LOCAL_TABLE_NAMES.products);
  folder = await mkdtemp(join(tmpdir(), 'cart-checkout-import-'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

afterAll(async () => {
  await stopProcesses();
  await database.close();
});

const givenFile = async (name: string, content: string | Uint8Array): Promise<string> => {
  const file = join(folder, name);
  await writeFile(file, content);
  return file;
};

const givenCsv = (...lines: readonly string[]): Promise<string> =>
  givenFile('products.csv', [HEADER, ...lines, ''].join('\n'));

const argsOf = (file: string, endpoint = database.endpoint): string[] => [
  'products',
  'import',
  file,
  '--dynamodb',
  endpoint,
];

const importFile = (file: string, ...flags: readonly string[]): Promise<Ended> =>
  operate(...argsOf(file), ...flags);

/** The products of a store, in the order of their ids. */
const storedOf = async (store: string) =>
  (await catalogue.list())
    .flatMap(({ product }) => product ?? [])
    .filter(({ storeId }) => storeId === store)
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));

const expectNothingStored = async (ended: Ended, store: string): Promise<void> => {
  expect(ended.exitCode).toBe(1);
  expect(await storedOf(store)).toEqual([]);
};

describe('a CSV file', () => {
  test('is stored whole: fixed and free prices, quotes, empty lines, a byte order mark, any order of columns', async () => {
    const file = await givenFile(
      'products.csv',
      [
        '\uFEFFstore,id,price,currency,name,suggested,minimum,available',
        'csv,a,19.99,EUR,"Course, ""advanced""",,,',
        '',
        'csv,b,free,EUR,Gift 🎈,5,1,true',
        'csv,c,1500,JPY,Poster,,,false',
      ].join('\r\n'),
    );

    const { exitCode, stdout, stderr } = await importFile(file, '--json');

    expect({ exitCode, stdout, stderr }).toEqual({ exitCode: 0, stdout: '{"stored":3}\n', stderr: '' });
    const product = { storeId: 'csv', available: true, currency: 'EUR' };
    expect(await storedOf('csv')).toEqual([
      { ...product, id: 'a', name: 'Course, "advanced"', pricing: { type: 'fixed', amount: 19.99 } },
      { ...product, id: 'b', name: 'Gift 🎈', pricing: { type: 'free', minimum: 1, suggested: 5 } },
      {
        ...product,
        id: 'c',
        name: 'Poster',
        available: false,
        currency: 'JPY',
        pricing: { type: 'fixed', amount: 1_500 },
      },
    ]);
  });

  test('needs no columns but the five that every product has', async () => {
    const file = await givenFile('products.csv', 'id,store,name,currency,price\nx,short,X,EUR,1\n');
    expect(await importFile(file)).toMatchObject({
      exitCode: 0,
      stdout: 'Stored 1 product on the stage local.\n',
    });
  });

  test('with bad rows is stored not at all, and every bad row is told by its line', async () => {
    const file = await givenCsv(
      'good-1,bad,Good,EUR,5,,,',
      'a/b,bad,Bad,EUR,5,,,',
      '"two',
      'lines",bad,Bad,EUR,5,,,',
      '',
      'bad-2,bad,Bad,EUR,,,,maybe',
      'bad-3,bad,Bad,EUR,5',
      'good-1,bad,Again,EUR,5,,,',
      'bad-4,bad,Bad,XYZ,free,5,2,',
    );

    const ended = await importFile(file);

    expect(ended.stdout).toBe('');
    expect(ended.stderr.trim().split('\n')).toEqual([
      'line 3: id must be 1 to 128 letters, digits, _ or -',
      'line 4: id must be 1 to 128 letters, digits, _ or -',
      'line 7: available must be true or false; price must be a number',
      'line 8: has 5 cells where the first line has 8',
      'line 9: id is that of line 2 already',
      expect.stringMatching(/^line 10: currency must be a currency of ISO 4217, such as EUR/),
      'Nothing was stored: 6 of 7 products are not right.',
    ]);
    await expectNothingStored(ended, 'bad');
  });

  test('with bad rows tells them to a program too', async () => {
    const ended = await importFile(await givenCsv('a/b,bad,Bad,EUR,5,,,'), '--json');
    expect(JSON.parse(ended.stdout)).toEqual({
      stored: 0,
      bad: [{ place: 'line 2', faults: ['id must be 1 to 128 letters, digits, _ or -'] }],
    });
    await expectNothingStored(ended, 'bad');
  });

  test("with another store's product is stored not at all, tells it with all that is wrong, and leaves that product alone", async () => {
    const documents = createDocumentClient(localClientConfig(database.endpoint));
    const theirs = { id: 'theirs', storeId: 'owner', name: 'Theirs', available: true, currency: 'EUR' };
    const product = { ...theirs, pricing: { type: 'fixed', amount: 5 } } as const;
    await createProductStore(documents, LOCAL_TABLE_NAMES.products).put(product);

    const ended = await importFile(
      await givenCsv(
        'a/b,thief,Bad,EUR,5,,,',
        'mine,thief,Mine,EUR,5,,,',
        'theirs,thief,Mine,EUR,5,,,',
        'bad,thief,Bad,XYZ,5,,,',
      ),
    );

    expect(ended.stderr.trim().split('\n')).toEqual([
      'line 2: id must be 1 to 128 letters, digits, _ or -',
      'line 4: id belongs to another store already: choose another one',
      expect.stringMatching(/^line 5: currency/),
      'Nothing was stored: 3 of 4 products are not right.',
    ]);
    await expectNothingStored(ended, 'thief');
    expect(await storedOf('owner')).toEqual([product]);
  });
});

describe('a JSON file', () => {
  test('that `products list --json` printed can be read back', async () => {
    await importFile(await givenCsv('back-1,back,One,EUR,5,,,false', 'back-2,back,Two,EUR,free,1,,'));
    const before = await storedOf('back');
    const { stdout } = await operate(
      'products',
      'list',
      '--store',
      'back',
      '--json',
      '--dynamodb',
      database.endpoint,
    );

    const { exitCode } = await importFile(await givenFile('backup.json', stdout));

    expect(exitCode).toBe(0);
    expect(before).toHaveLength(2);
    expect(await storedOf('back')).toEqual(before);
  });

  test('with bad products is stored not at all, and each is told by its number', async () => {
    const product = { storeId: 'bad', name: 'X', currency: 'EUR', pricing: { type: 'fixed', amount: 5 } };
    const products = [
      { ...product, id: 'ok' },
      { ...product, id: 'ok' },
      { ...product, colour: 'red' },
      null,
    ];

    const ended = await importFile(await givenFile('products.json', JSON.stringify(products)));

    expect(ended.stderr.trim().split('\n')).toEqual([
      'product 2: id is that of product 1 already',
      expect.stringMatching(/^product 3: id must be .*unknown field colour/),
      'product 4: must be a product',
      'Nothing was stored: 3 of 4 products are not right.',
    ]);
    await expectNothingStored(ended, 'bad');
  });
});

describe('a file that is none is told in one sentence', () => {
  test.each<[string, RegExp, string, string | Uint8Array]>([
    ['an empty CSV', /first line must name the columns/, 'a.csv', ''],
    ['a CSV without rows', /holds no products/, 'a.csv', `${HEADER}\n`],
    ['a CSV without a column that it needs', /id, store, name, currency, price/, 'a.csv', 'id,name\n1,2\n'],
    ['a CSV with an unknown column', /first line/, 'a.csv', `${HEADER},colour\n`],
    ['a CSV with a column twice', /first line/, 'a.csv', `${HEADER},id\n`],
    ['a quote that is not closed', /is not CSV: .*line 2/, 'a.csv', `${HEADER}\n"a,b\n`],
    ['another encoding', /not UTF-8/, 'a.csv', Buffer.from('id,name\n1,Köln\n', 'latin1')],
    ['JSON that is none', /is not JSON/, 'a.json', '[{'],
    ['JSON that is escapes', /^[^\p{Cc}\p{Cf}]+\n$/u, 'a.json', '[\u001b[2J\u009b\u202e'],
    ['JSON of something else', /array of products/, 'a.json', '{"a":1}'],
    ['JSON without products', /holds no products/, 'a.json', '[]'],
  ])('%s', async (_what, words, name, content) => {
    const ended = await importFile(await givenFile(name, content));
    expect(ended.exitCode).toBe(1);
    expectSentence(ended, words);
  });

  test('one that is not there', async () => {
    const ended = await importFile(join(folder, 'none.csv'));
    expect(ended.exitCode).toBe(1);
    expectSentence(ended, /cannot be read/);
  });

  test('one whose name says nothing: exit code 2', async () => {
    const ended = await importFile(await givenFile('products.txt', ''));
    expect(ended.exitCode).toBe(2);
    expectSentence(ended, /\.csv or \.json/);
  });
});

describe('10,000 products', () => {
  const COUNT = 10_000;

  const givenManyProducts = (store: string): Promise<string> =>
    givenCsv(...Array.from({ length: COUNT }, (_, i) => `${store}-${i},${store},Product ${i},EUR,19.99,,,`));

  test(
    'are imported within a minute; interrupted by Ctrl-C, the same command resumes them',
    { timeout: 2 * IMPORT_BOUND_MS },
    async () => {
      const file = await givenManyProducts('many');
      // Each batch takes so long that the import is under way for 10 s.
      const proxy = await startDynamodbProxy(database.endpoint, 100);
      onTestFinished(() => proxy.close());
      const { child, ended: interrupted } = run('infra/operate/main.ts', argsOf(file, proxy.endpoint));
      while (!proxy.calls.some(({ operation }) => operation === 'BatchWriteItem')) await setTimeout(10);
      child.kill('SIGINT');

      const ended = await interrupted;
      expect(ended.exitCode).toBe(1);
      expectSentence(ended, /^Stopped after \d+ of 10000 products: run the same command again/);
      const [, stored] = /after (\d+)/.exec(ended.stderr) ?? [];
      expect(await storedOf('many')).toHaveLength(Number(stored));

      const startedAtMs = performance.now();
      expect(await importFile(file, '--json')).toMatchObject({
        exitCode: 0,
        stdout: `{"stored":${COUNT}}\n`,
      });
      expect(performance.now() - startedAtMs).toBeLessThan(IMPORT_BOUND_MS);
      expect(await storedOf('many')).toHaveLength(COUNT);
    },
  );

  test('that a connection is lost over are told to be imported again, with how many are stored', async () => {
    const file = await givenManyProducts('cut');
    const proxy = await startDynamodbProxy(database.endpoint, 20);
    onTestFinished(() => proxy.close());
    const { ended } = run('infra/operate/main.ts', argsOf(file, proxy.endpoint));
    while (!proxy.calls.some(({ operation, endedAtMs }) => operation === 'BatchWriteItem' && endedAtMs)) {
      await setTimeout(5);
    }
    await proxy.close();

    const { exitCode, stdout, stderr } = await ended;

    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toMatch(
      /^At least \d+ of 10000 products are stored: run the same.*\nNo DynamoDB answers there/,
    );
    expect((await storedOf('cut')).length).toBeLessThan(COUNT);
  });
});
