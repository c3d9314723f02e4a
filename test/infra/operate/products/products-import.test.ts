import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { DEMO_STORES } from '../../../../infra/local-access/demo-stores.ts';
import { EXAMPLE_CSV } from '../../../../infra/operate/products/commands.ts';
import { TABLE_KINDS } from '../../../../lib/database/tables.ts';
import { createOperatorProductRepository } from '../../../../lib/operators/operator-product-repository.ts';
import { createOperatorStoreRepository } from '../../../../lib/operators/operator-store-repository.ts';
import { givenDatabase } from '../../../support/database/database.ts';
import { startDynamodbProxy } from '../../../support/database/dynamodb-proxy.ts';
import { type DeployedOptions, givenOperatedTables } from '../../../support/operators/deployed-stage.ts';
import { expectFailure } from '../../../support/programs/expect-sentence.ts';
import type { Ended } from '../../../support/programs/processes.ts';

const HEADER = 'id,store,name,currency,price,minimum,suggested,available';

const { documents, tableNames } = await givenDatabase(TABLE_KINDS);
const stage = await givenOperatedTables(tableNames);
const operatorProducts = createOperatorProductRepository(documents, tableNames.products);
const folder = await mkdtemp(join(tmpdir(), 'cart-checkout-import-'));

beforeAll(async () => {
  const stores = createOperatorStoreRepository(documents, tableNames.stores);
  const ids = [
    'csv',
    'short',
    'bad',
    'thief',
    'owner',
    'back',
    'many',
    'stopped',
    ...DEMO_STORES.map(({ id }) => id),
  ];
  for (const id of ids) await stores.put({ id, name: id, createdAtMs: 0 });
  return stage.close;
});

const givenFile = async (name: string, content: string | Uint8Array): Promise<string> => {
  const file = join(folder, name);
  await writeFile(file, content);
  return file;
};

const givenCsv = (...lines: readonly string[]): Promise<string> =>
  givenFile('products.csv', [HEADER, ...lines, ''].join('\n'));

const importFile = (file: string, options?: DeployedOptions): Promise<Ended> =>
  stage.run(['products', 'import', file], options);

/** The products of a store, in the order of their ids. */
const storedOf = async (store: string) =>
  (await operatorProducts.listAll())
    .flatMap(({ product }) => product ?? [])
    .filter(({ storeId }) => storeId === store)
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));

/** Expects that an import failed with these lines, and stored nothing. */
const expectRejected = async (ended: Ended, store: string, lines: readonly unknown[]): Promise<void> => {
  expect(ended.exitCode).toBe(1);
  expect((ended.stdout + ended.stderr).trim().split('\n')).toStrictEqual(lines);
  expect(await storedOf(store)).toStrictEqual([]);
};

describe('a CSV file', () => {
  test('may have quotes, spaces around cells, empty lines, a byte order mark and any order of columns', async () => {
    const lines = [
      '\uFEFFstore, id,price,currency,name,suggested,minimum,available',
      'csv,a,19.99,EUR,"Course, ""advanced""",,,',
      '',
      'csv,b,free,EUR,Gift 🎈,5,1,true',
      'csv, c ,1500 ,JPY, Poster,, , false',
    ];
    const file = await givenFile('products.csv', lines.join('\r\n'));
    expect(await stage.runJson('products', 'import', file)).toStrictEqual({ stored: 3 });
    const product = { storeId: 'csv', available: true, currency: 'EUR' };
    const poster = { ...product, id: 'c', name: 'Poster', available: false, currency: 'JPY' };
    expect(await storedOf('csv')).toStrictEqual([
      { ...product, id: 'a', name: 'Course, "advanced"', pricing: { type: 'fixed', amount: 19.99 } },
      { ...product, id: 'b', name: 'Gift 🎈', pricing: { type: 'free', minimum: 1, suggested: 5 } },
      { ...poster, pricing: { type: 'fixed', amount: 1_500 } },
    ]);
  });

  test('needs only the five columns that every product has', async () => {
    const file = await givenFile('products.csv', 'id,store,name,currency,price\nx,short,X,EUR,1\n');
    const stdout = 'Stored 1 product on the stage one.\n';
    expect(await importFile(file)).toStrictEqual({ exitCode: 0, stdout, stderr: '' });
  });

  test('with invalid rows is not stored at all, and every invalid row is reported by its line', async () => {
    const file = await givenCsv(
      'good-1,bad,Good,EUR,5,,,',
      'a/b,bad,Bad,EUR,5,,,',
      '"two',
      'lines",bad,Bad,EUR,5,,,',
      '',
      'bad-2,bad,Bad,EUR,,,,maybe',
      'good-1,bad,Again,EUR,5,,,',
      'bad-4,bad,Bad,XYZ,free,5,2,',
      'bad-5,bad,Bad,EUR,-1,,,',
      'bad-6,bad,Bad,EUR,-.5,,,',
      'bad-7,bad,Bad,EUR,free,,-1e3,',
      'bad-8,bad,Bad,EUR,1234567890123456,,,',
      'bad-9,bad,Bad,EUR,1.0000000000000001,,,',
    );
    await expectRejected(await importFile(file), 'bad', [
      'line 3: id must be 1 to 128 letters, digits, _ or -',
      'line 4: id must be 1 to 128 letters, digits, _ or -',
      'line 7: available must be true or false; price must be a number',
      'line 8: id is the same as in line 2',
      expect.stringMatching(/^line 9: currency must be a currency of ISO 4217, such as EUR/),
      'line 10: price must be at least 0',
      'line 11: price must be at least 0',
      'line 12: suggested must be at least 0',
      'line 13: price must be at most 9999999999999.99 EUR',
      'line 14: price must have at most 15 digits',
      'Nothing was stored. Invalid: 10 of 11 products.',
    ]);
  });

  test('with invalid rows reports them in the JSON too', async () => {
    const file = await givenCsv('a/b,bad,Bad,EUR,5,,,');
    const { exitCode, stdout } = await stage.run(['products', 'import', file, '--json']);
    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout)).toStrictEqual({
      stored: 0,
      bad: [{ place: 'line 2', faults: ['id must be 1 to 128 letters, digits, _ or -'] }],
    });
    expect(await storedOf('bad')).toStrictEqual([]);
  });

  test('with a product of an unknown store is not stored at all', async () => {
    const file = await givenCsv('x-1,bad,X,EUR,5,,,', 'x-2,shrt,X,EUR,5,,,', 'x-3,unheard-of,X,EUR,5,,,');
    await expectRejected(await importFile(file), 'bad', [
      'line 3: there is no store shrt',
      'line 4: there is no store unheard-of',
      'Nothing was stored. Invalid: 2 of 3 products.',
    ]);
  });

  test("with another store's product is not stored at all, and does not change that product", async () => {
    const theirs = { id: 'theirs', storeId: 'owner', name: 'Theirs', available: true, currency: 'EUR' };
    const product = { ...theirs, pricing: { type: 'fixed', amount: 5 } } as const;
    await operatorProducts.put(product);
    const file = await givenCsv(
      'a/b,thief,Bad,EUR,5,,,',
      'mine,thief,Mine,EUR,5,,,',
      'theirs,thief,Mine,EUR,5,,,',
      'bad,thief,Bad,XYZ,5,,,',
    );
    await expectRejected(await importFile(file), 'thief', [
      'line 2: id must be 1 to 128 letters, digits, _ or -',
      'line 4: id belongs to another store already: choose another one',
      expect.stringMatching(/^line 5: currency/),
      'Nothing was stored. Invalid: 3 of 4 products.',
    ]);
    expect(await storedOf('owner')).toStrictEqual([product]);
  });
});

describe('a JSON file', () => {
  test('may be the output of `products list --json`', async () => {
    await importFile(await givenCsv('back-1,back,One,EUR,5,,,false', 'back-2,back,Two,EUR,free,1,,'));
    const before = await storedOf('back');
    const { stdout } = await stage.run(['products', 'list', '--store', 'back', '--json']);
    expect((await importFile(await givenFile('BACKUP.JSON', stdout))).exitCode).toBe(0);
    expect(before).toHaveLength(2);
    expect(await storedOf('back')).toStrictEqual(before);
  });

  test('with invalid products is not stored at all, and each is reported by its number', async () => {
    const product = { storeId: 'bad', name: 'X', currency: 'EUR', pricing: { type: 'fixed', amount: 5 } };
    const ok = { ...product, id: 'ok' };
    const file = await givenFile('a.json', JSON.stringify([ok, ok, { ...product, colour: 'red' }, null]));
    await expectRejected(await importFile(file), 'bad', [
      'product 2: id is the same as in product 1',
      expect.stringMatching(/^product 3: id must be .*unknown field colour/),
      'product 4: must be a product',
      'Nothing was stored. Invalid: 3 of 4 products.',
    ]);
  });
});

test('the example of the help can be imported on the local stage as it is', async () => {
  const file = await givenFile('example.csv', EXAMPLE_CSV);
  expect(await stage.runJson('products', 'import', file)).toStrictEqual({ stored: 3 });
  for (const { id } of DEMO_STORES) expect(await storedOf(id)).not.toStrictEqual([]);
});

describe('an unusable file is reported in one sentence', () => {
  const SEMICOLONS = 'id;store;name;currency;price\nx;short;X;EUR;1\n';

  test.each<[string, RegExp, string, string | Uint8Array]>([
    ['an empty CSV', /holds no products/, 'a.csv', ''],
    [
      'a row with too few cells',
      /cannot be read as CSV: .*got 5 on line 2/,
      'a.csv',
      `${HEADER}\nbad-3,bad,Bad,EUR,5\n`,
    ],
    ['a CSV without rows', /holds no products/, 'a.csv', `${HEADER}\n`],
    ['a CSV without columns', /name each column.* begins with "id,name"\.\n$/, 'a.csv', 'id,name\n'],
    ['an unknown column', /begins with "id,store.*,colour"\.\n$/, 'a.csv', `${HEADER},colour\n`],
    [
      'a file of a spreadsheet with semicolons',
      /separated by commas.* begins with "id;store;name/,
      'a.csv',
      SEMICOLONS,
    ],
    ['no CSV at all', /begins with "x{100}"\.\n$/, 'a.csv', 'x'.repeat(1_000)],
    ['a CSV with a column twice', /each column once.*,id"\.\n$/, 'a.csv', `${HEADER},id\n`],
    ['an unclosed quote', /cannot be read as CSV: .*line 2/, 'a.csv', `${HEADER}\n"a,b\n`],
    ['another encoding', /not UTF-8/, 'a.csv', Buffer.from('id,name\n1,Köln\n', 'latin1')],
    ['malformed JSON', /cannot be read as JSON/, 'a.json', '[{'],
    ['JSON with terminal escapes', /^[^\p{Cc}\p{Cf}]+\n$/u, 'a.json', '[\u001b[2J\u009b\u202e'],
    ['JSON without an array', /array of products/, 'a.json', '{"a":1}'],
    ['JSON without products', /holds no products/, 'a.json', '[]'],
  ])('%s', async (_what, words, name, content) => {
    expectFailure(await importFile(await givenFile(name, content)), 1, words);
  });

  test('a missing file, a folder, and another extension, also on a stage that does not exist', async () => {
    const none = `The file ${join(folder, 'none.csv')} cannot be read: no such file or directory.\n`;
    expect((await importFile(join(folder, 'none.csv'))).stderr).toBe(none);
    await mkdir(join(folder, 'folder.csv'));
    expectFailure(
      await importFile(join(folder, 'folder.csv')),
      1,
      /cannot be read: illegal operation on a dir/,
    );
    const ended = await importFile('products.txt', { stage: 'unknown' });
    expectFailure(ended, 2, /^The file name must end in \.csv or \.json\.\n$/);
  });
});

describe('2,000 products', () => {
  const COUNT = 2_000;

  const givenMany = (store: string): Promise<string> =>
    givenCsv(...Array.from({ length: COUNT }, (_, i) => `${store}-${i},${store},Product ${i},EUR,19.99,,,`));

  test('are stored in part after Ctrl-C: the message says how many, and the audit log that it failed', async () => {
    const stop = new AbortController();
    const proxy = await startDynamodbProxy(stage.dynamodbEndpoint, { fault: { delayMs: 20 } });
    const environment = { AWS_ENDPOINT_URL_DYNAMODB: proxy.endpoint };
    const interrupted = importFile(await givenMany('stopped'), { environment, stop: stop.signal });
    const batches = () => proxy.calls.filter(({ operation }) => operation === 'BatchWriteItem');
    await vi.waitUntil(() => batches().length > 4, { timeout: 60_000 });
    stop.abort();
    const ended = await interrupted;
    await proxy.close();
    expectFailure(
      ended,
      1,
      /^Interrupted: stored at least \d+ of 2,000 products: run the same command again/,
    );
    const [, storedMin] = /least (\d+) /.exec(ended.stderr) ?? [];
    expect(Number(storedMin)).toBeGreaterThanOrEqual(25);
    expect((await storedOf('stopped')).length).toBeGreaterThanOrEqual(Number(storedMin));
    const record: unknown = JSON.parse(stage.aws.logs.events.at(-1)?.message ?? '');
    expect(record).toMatchObject({ command: 'products import', outcome: 'failed' });
  });

  test('are not stored if Ctrl-C comes while they are checked', async () => {
    const stop = AbortSignal.abort();
    const ended = await importFile(await givenMany('checked'), { stop });
    expectFailure(ended, 1, /^Interrupted: nothing was stored\.\n$/);
    expect(await storedOf('checked')).toStrictEqual([]);
  });

  test('are stored. After a lost connection, the same command stores them all', async () => {
    const file = await givenMany('many');
    const proxy = await startDynamodbProxy(stage.dynamodbEndpoint, { fault: { delayMs: 20 } });
    const interrupted = importFile(file, { environment: { AWS_ENDPOINT_URL_DYNAMODB: proxy.endpoint } });
    const batches = () => proxy.calls.filter(({ operation }) => operation === 'BatchWriteItem');
    // The command sends four at once, so a fifth follows one that is stored.
    await vi.waitUntil(() => batches().length > 4, { timeout: 60_000 });
    await proxy.close();
    const { exitCode, stdout, stderr } = await interrupted;
    expect({ exitCode, stdout }).toStrictEqual({ exitCode: 1, stdout: '' });
    const [, storedMin] =
      /^Stored at least (\d+) of 2,000 products: run the same command.*\nDynamoDB does not respond/.exec(
        stderr,
      ) ?? [];
    expect(Number(storedMin)).toBeGreaterThanOrEqual(25);
    const { length: stored } = await storedOf('many');
    expect(stored).toBeGreaterThanOrEqual(Number(storedMin));
    expect(stored).toBeLessThan(COUNT);

    const resumed = await importFile(file, { typed: '' });
    expect(resumed).toMatchObject({ exitCode: 0, stdout: 'Stored 2,000 products on the stage one.\n' });
    expect(await storedOf('many')).toHaveLength(COUNT);
    // On a terminal, one line shows the progress and is then erased.
    expect(resumed.stderr).toMatch(/^\r\S\[2KStoring[^\n]* 25 of 2,000[^\n]* 2,000 of 2,000\r\S\[2K$/);
  });
});
