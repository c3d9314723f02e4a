import { BatchGetItemCommand } from '@aws-sdk/client-dynamodb';
import { BatchWriteCommand, type BatchWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { ThrottledError } from '../../../lib/aws/errors.ts';
import { createOperatorProductRepository } from '../../../lib/operators/operator-product-repository.ts';
import { createProductImport } from '../../../lib/operators/product-import.ts';
import type { Product } from '../../../lib/products/product.ts';
import { mockDocuments } from '../../support/database/client-calls.ts';
import { givenDatabase, type TestDatabase } from '../../support/database/database.ts';
import { byId, fixedProduct } from '../../support/domain/products.ts';
import { THROTTLES } from '../../support/service/faulty-service.ts';

const productsOf = (count: number, name = 'Course'): Product[] =>
  Array.from({ length: count }, (_, i) =>
    fixedProduct({ id: `product-${i}`, storeId: `shop-${i % 3}`, name }),
  );

/** The pauses between the twelve attempts of a batch: half of 50 ms to 5 s, because `random` returns 0.5. */
const PAUSES_MS = [25, 50, 100, 200, 400, 800, 1_600, 2_500, 2_500, 2_500, 2_500];

let database: TestDatabase;
let table: string;
let pauses: number[];
let imports: ReturnType<typeof createProductImport>;
beforeEach(async () => {
  database = await givenDatabase();
  table = database.tableNames.products;
  pauses = [];
  imports = createProductImport(database.documents, table, {
    sleep: async (ms) => void pauses.push(ms),
    random: () => 0.5,
  });
});

const stored = async (): Promise<Product[]> => {
  const listed = await createOperatorProductRepository(database.documents, table).listAll();
  return listed.flatMap(({ product }) => product ?? []);
};

type PutRequests = NonNullable<BatchWriteCommandInput['RequestItems']>[string];

/** A table that throttles: DynamoDB processes only the first puts of each batch, which `kept` collects. */
const givenThrottledTable = (processed: (requests: PutRequests) => number) => {
  const kept: unknown[] = [];
  const mock = mockDocuments(database.documents);
  mock.on(BatchWriteCommand).callsFake((input: BatchWriteCommandInput) => {
    const requests = input.RequestItems?.[table] ?? [];
    const count = processed(requests);
    kept.push(...requests.slice(0, count).map(({ PutRequest }) => PutRequest?.Item));
    return { UnprocessedItems: count < requests.length ? { [table]: requests.slice(count) } : {} };
  });
  return { kept, mock };
};

describe('an import', () => {
  it.each([1, 25, 26, 260])('stores all of %d products, and replaces earlier ones', async (count) => {
    await imports.putMany(productsOf(count, 'Old'));
    await imports.putMany(productsOf(count));
    expect(byId(await stored())).toStrictEqual(byId(productsOf(count)));
    expect(pauses).toStrictEqual([]);
  });

  it.each([
    [50, [25, 50]],
    [60, [25, 50, 60]],
  ])('of %d products reports after each batch how many are stored', async (count, reports) => {
    givenThrottledTable(({ length }) => length);
    const seen: number[] = [];
    await imports.putMany(productsOf(count), (each) => seen.push(each));
    expect(seen).toStrictEqual(reports);
  });

  it('retries only the products that DynamoDB left unprocessed', async () => {
    const { kept, mock } = givenThrottledTable((requests) => Math.ceil(requests.length / 2));
    const products = productsOf(25);
    await imports.putMany(products);
    expect(kept).toStrictEqual(products);
    // Batches of 25, 12, 6, 3 and 1.
    expect(mock.calls()).toHaveLength(5);
    expect(pauses).toStrictEqual(PAUSES_MS.slice(0, 4));
  });

  it('retries a batch that DynamoDB does not confirm', async () => {
    const mock = mockDocuments(database.documents);
    mock.on(BatchWriteCommand).resolvesOnce({}).resolves({ UnprocessedItems: {} });
    await imports.putMany(productsOf(3));
    const [first, second, ...others] = mock
      .commandCalls(BatchWriteCommand)
      .map(({ args: [{ input }] }) => input);
    expect(second).toStrictEqual(first);
    expect(others).toStrictEqual([]);
  });

  it.each(Object.entries(THROTTLES))(
    'retries a batch that DynamoDB rejects: %s',
    async (_what, rejection) => {
      const rejections = [rejection()];
      const { kept } = givenThrottledTable(({ length }) => {
        for (const error of rejections.splice(0)) throw error;
        return length;
      });
      await imports.putMany(productsOf(3));
      expect(kept).toHaveLength(3);
    },
  );

  it('under constant throttling gives up the four batches in flight after 12 attempts each', async () => {
    const processed = [10];
    const { mock } = givenThrottledTable(() => processed.pop() ?? 0);
    await expect(imports.putMany(productsOf(1_000))).rejects.toBeInstanceOf(ThrottledError);
    expect(mock.calls()).toHaveLength(4 * 12);
    expect(pauses.toSorted((a, b) => a - b)).toStrictEqual(PAUSES_MS.flatMap((ms) => [ms, ms, ms, ms]));
  });

  it('that fails is not reported as throttled, and sends and awaits only the batches in flight', async () => {
    const inFlight = Promise.withResolvers<object>();
    let calls = 0;
    mockDocuments(database.documents)
      .on(BatchWriteCommand)
      .callsFake(() => {
        calls += 1;
        if (calls === 1) throw new Error('down');
        return inFlight.promise;
      });
    let error: unknown;
    const ended = imports.putMany(productsOf(1_000)).catch((thrown: unknown) => (error = thrown));
    await new Promise(setImmediate);
    expect(error).toBeUndefined();
    inFlight.resolve({ UnprocessedItems: {} });
    await ended;
    expect(error).toStrictEqual(new Error('down'));
    expect(calls).toBe(4);
  });
});

describe('the owners of products', () => {
  it('are found for any number of products, without those that do not exist', async () => {
    // More batches of 100 than are in flight at a time.
    const products = productsOf(430);
    await imports.putMany(products);
    const owners = await imports.findOwners(['none', ...products.map(({ id }) => id)]);
    expect(owners).toStrictEqual(new Map(products.map(({ id, storeId }) => [id, storeId])));
  });

  it('are an error under constant throttling, and not reported as missing', async () => {
    const mock = mockDocuments(database.documents);
    mock.on(BatchGetItemCommand).rejects(THROTTLES['throttled table']());
    await expect(imports.findOwners(['a'])).rejects.toThrow(ThrottledError);
    expect(pauses).toStrictEqual(PAUSES_MS);
  });
});
