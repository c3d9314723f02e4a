import {
  BatchGetCommand,
  type BatchGetCommandInput,
  BatchWriteCommand,
  type BatchWriteCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, describe, expect, it } from 'vitest';
import { TableThrottledError } from '../../../lib/dynamodb.ts';
import { createProductCatalogue } from '../../../lib/products/product-catalogue.ts';
import { createProductImport, type ProductImport } from '../../../lib/products/product-import.ts';
import type { Product } from '../../../lib/products/product.ts';
import { givenDatabase, type TestDatabase } from '../../support/database.ts';
import { THROTTLES } from '../../support/faulty-service.ts';

const productsOf = (count: number, name = 'Course'): Product[] =>
  Array.from({ length: count }, (_, i) => ({
    id: `product-${i}`,
    storeId: `shop-${i % 3}`,
    name,
    available: true,
    currency: 'EUR',
    pricing: { type: 'fixed', amount: 19.99 },
  }));

/** How often a batch may come back before the import gives up, and the longest pause before each further attempt. */
const ATTEMPTS = 12;
const PAUSES_MS = [50, 100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000, 5_000, 5_000];

let database: TestDatabase;
let pauses: number[];
let imports: ProductImport;
beforeEach(async () => {
  database = await givenDatabase();
  pauses = [];
  imports = createProductImport(database.documents, database.tableNames.products, {
    sleep: async (ms) => void pauses.push(ms),
    random: () => 1,
  });
});

const stored = async (): Promise<Product[]> => {
  const listed = await createProductCatalogue(database.documents, database.tableNames.products).list();
  return listed.flatMap(({ product }) => product ?? []);
};

const byId = (products: readonly Product[]): Product[] => products.toSorted((a, b) => (a.id < b.id ? -1 : 1));

type PutRequests = NonNullable<BatchWriteCommandInput['RequestItems']>[string];

/** DynamoDB leaves a part of each batch of puts unprocessed; what it processed is kept. */
const givenThrottledTable = (processed: (requests: PutRequests) => number) => {
  const kept: unknown[] = [];
  const table = database.tableNames.products;
  const mock = mockClient(database.documents);
  mock.on(BatchWriteCommand).callsFake((input: BatchWriteCommandInput) => {
    const requests = input.RequestItems?.[table] ?? [];
    const count = processed(requests);
    kept.push(...requests.slice(0, count).map(({ PutRequest }) => PutRequest?.Item));
    return { UnprocessedItems: count < requests.length ? { [table]: requests.slice(count) } : {} };
  });
  return { kept, mock };
};

describe('an import', () => {
  it.each([1, 25, 26, 260])('of %d products stores them all', async (count) => {
    const products = productsOf(count);
    expect(await imports.putMany(products)).toStrictEqual({ stored: count, end: 'complete' });
    expect(byId(await stored())).toStrictEqual(byId(products));
    expect(pauses).toStrictEqual([]);
  });

  it('takes the place of earlier products, and may be repeated', async () => {
    await imports.putMany(productsOf(30, 'Old'));
    for (let i = 0; i < 2; i += 1) await imports.putMany(productsOf(30, 'New'));
    expect(byId(await stored())).toStrictEqual(byId(productsOf(30, 'New')));
  });

  it('tells how many are stored after each batch, up to all', async () => {
    const seen: number[] = [];
    await imports.putMany(productsOf(60), { onProgress: (count) => seen.push(count) });
    expect(seen).toHaveLength(3);
    expect(seen).toStrictEqual(seen.toSorted((a, b) => a - b));
    expect(seen.at(-1)).toBe(60);
  });

  it('tells no more often than there are batches, the last of which may be full', async () => {
    const seen: number[] = [];
    await imports.putMany(productsOf(50), { onProgress: (count) => seen.push(count) });
    expect(seen.toSorted((a, b) => a - b)).toStrictEqual([25, 50]);
  });

  it('that is stopped has stored what it tells, and is completed by a second one', async () => {
    const controller = new AbortController();
    const products = productsOf(500);

    const first = await imports.putMany(products, {
      signal: controller.signal,
      onProgress: () => controller.abort(),
    });

    expect(first.end).toBe('stopped');
    expect(first.stored).toBeLessThan(500);
    expect(await stored()).toHaveLength(first.stored);
    expect(await imports.putMany(products)).toMatchObject({ end: 'complete' });
    expect(byId(await stored())).toStrictEqual(byId(products));
  });

  it('that DynamoDB throttles sends again what was left unprocessed, and that alone', async () => {
    const { kept, mock } = givenThrottledTable((requests) => Math.ceil(requests.length / 2));
    const products = productsOf(25);

    expect(await imports.putMany(products)).toStrictEqual({ stored: 25, end: 'complete' });

    expect(kept).toStrictEqual(products);
    // 25, 12, 6, 3 and 1 at a time.
    expect(mock.calls()).toHaveLength(5);
    expect(pauses).toStrictEqual(PAUSES_MS.slice(0, 4));
  });

  it.each(Object.entries(THROTTLES))('sends a batch again that was refused: %s', async (_what, refuse) => {
    let calls = 0;
    const { kept } = givenThrottledTable(({ length }) => {
      calls += 1;
      if (calls === 1) throw refuse();
      return length;
    });
    expect(await imports.putMany(productsOf(3))).toStrictEqual({ stored: 3, end: 'complete' });
    expect(kept).toHaveLength(3);
  });

  it('that is throttled for good ends after bounded attempts, and tells what is stored', async () => {
    let isFirst = true;
    const { mock } = givenThrottledTable(() => {
      const count = isFirst ? 10 : 0;
      isFirst = false;
      return count;
    });
    expect(await imports.putMany(productsOf(25))).toStrictEqual({ stored: 10, end: 'throttled' });
    expect(mock.calls()).toHaveLength(ATTEMPTS);
    expect(pauses).toStrictEqual(PAUSES_MS);
  });

  it('that is throttled for good does not go on with what is left', async () => {
    const { mock } = givenThrottledTable(() => 0);
    expect(await imports.putMany(productsOf(1_000))).toStrictEqual({ stored: 0, end: 'throttled' });
    // Four batches are in flight at a time.
    expect(mock.calls()).toHaveLength(4 * ATTEMPTS);
  });

  it('pauses for a random part of the time, so that writers spread out', async () => {
    givenThrottledTable(() => 0);
    const drawn = createProductImport(database.documents, database.tableNames.products, {
      sleep: async (ms) => void pauses.push(ms),
      random: () => 0.25,
    });
    await drawn.putMany(productsOf(1));
    expect(pauses).toStrictEqual(PAUSES_MS.map((ms) => ms / 4));
  });

  it('that fails is not taken for one that was throttled', async () => {
    mockClient(database.documents).on(BatchWriteCommand).rejects(new Error('down'));
    await expect(imports.putMany(productsOf(100))).rejects.toThrow('down');
  });

  it('that fails sends nothing but what is in flight', async () => {
    const inFlight = Promise.withResolvers<object>();
    let calls = 0;
    mockClient(database.documents)
      .on(BatchWriteCommand)
      .callsFake(() => {
        calls += 1;
        if (calls === 1) throw new Error('down');
        return inFlight.promise;
      });
    await expect(imports.putMany(productsOf(1_000))).rejects.toThrow('down');
    inFlight.resolve({ UnprocessedItems: {} });
    await new Promise(setImmediate);
    expect(calls).toBe(4);
  });

  it('is complete where the answer leaves out that nothing was left unprocessed', async () => {
    mockClient(database.documents).on(BatchWriteCommand).resolves({});
    expect(await imports.putMany(productsOf(3))).toStrictEqual({ stored: 3, end: 'complete' });
  });
});

describe('the owners of products', () => {
  it('are told of any number of them, without those that do not exist', async () => {
    // More batches of 100 than are in flight at a time.
    const products = productsOf(430);
    await imports.putMany(products);

    const owners = await imports.findOwners(['none', ...products.map(({ id }) => id)]);

    expect(owners).toStrictEqual(new Map(products.map(({ id, storeId }) => [id, storeId])));
  });

  it('are asked for again where DynamoDB left keys unprocessed', async () => {
    const table = database.tableNames.products;
    mockClient(database.documents)
      .on(BatchGetCommand)
      .callsFake(({ RequestItems }: BatchGetCommandInput) => {
        const [first, ...rest] = RequestItems?.[table]?.Keys ?? [];
        return {
          Responses: { [table]: [{ ...first, storeId: 'shop' }] },
          UnprocessedKeys: rest.length > 0 ? { [table]: { Keys: rest } } : {},
        };
      });
    expect([...(await imports.findOwners(['a', 'b', 'c'])).keys()]).toStrictEqual(['a', 'b', 'c']);
  });

  it('are read strongly consistent, so that a product put a moment ago keeps its owner', async () => {
    const table = database.tableNames.products;
    const mock = mockClient(database.documents);
    mock.on(BatchGetCommand).resolves({ Responses: {} });
    await imports.findOwners(['a']);
    expect(mock.commandCalls(BatchGetCommand).map(({ args: [command] }) => command.input)).toMatchObject([
      { RequestItems: { [table]: { Keys: [{ id: 'a' }], ConsistentRead: true } } },
    ]);
  });

  it('are told where answers leave out what is empty', async () => {
    const table = database.tableNames.products;
    mockClient(database.documents)
      .on(BatchGetCommand)
      .resolvesOnce({ UnprocessedKeys: { [table]: { Keys: [{ id: 'a' }] } } })
      .resolvesOnce({ Responses: { [table]: [{ id: 'a', storeId: 'shop' }] } });
    expect(await imports.findOwners(['a'])).toStrictEqual(new Map([['a', 'shop']]));
  });

  it('that DynamoDB will not tell are not taken for none', async () => {
    mockClient(database.documents).on(BatchGetCommand).rejects(THROTTLES['throttled table']());
    await expect(imports.findOwners(['a'])).rejects.toThrow(TableThrottledError);
  });
});
