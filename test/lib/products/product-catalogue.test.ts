import { PutCommand, ScanCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, describe, expect, it } from 'vitest';
import { createProductCatalogue, type ProductCatalogue } from '../../../lib/products/product-catalogue.ts';
import { createProductStore, type ProductStore } from '../../../lib/products/product-store.ts';
import type { Product } from '../../../lib/products/product.ts';
import { givenDatabase, type TestDatabase } from '../../support/database.ts';

const PRODUCT: Product = {
  id: 'course',
  storeId: 'shop',
  name: 'Course',
  available: true,
  currency: 'EUR',
  pricing: { type: 'fixed', amount: 19.99 },
};

let database: TestDatabase;
let catalogue: ProductCatalogue;
let products: ProductStore;
beforeEach(async () => {
  database = await givenDatabase();
  const { documents, tableNames } = database;
  catalogue = createProductCatalogue(documents, tableNames.products);
  products = createProductStore(documents, tableNames.products);
});

describe('a product that is put', () => {
  it('is found by requests', async () => {
    expect(await catalogue.put(PRODUCT)).toBe('stored');
    expect(await products.find('course')).toStrictEqual(PRODUCT);
  });

  it('takes the place of the earlier one of its store, whole', async () => {
    await catalogue.put({ ...PRODUCT, pricing: { type: 'free', minimum: 1 } });
    expect(await catalogue.put({ ...PRODUCT, pricing: { type: 'free' } })).toBe('stored');
    expect(await products.find('course')).toStrictEqual({ ...PRODUCT, pricing: { type: 'free' } });
  });

  it("does not take another store's place", async () => {
    await catalogue.put(PRODUCT);
    expect(await catalogue.put({ ...PRODUCT, storeId: 'other', name: 'Theirs' })).toBe('foreign');
    expect(await products.find('course')).toStrictEqual(PRODUCT);
  });
});

describe('the list of products', () => {
  it('is read to the end of a table of more than one page', async () => {
    // DynamoDB ends a page at 1 MB.
    const ids = Array.from({ length: 25 }, (_, i) => `product-${i}`);
    for (const id of ids) await products.put({ ...PRODUCT, id, name: 'x'.repeat(100_000) });

    expect((await catalogue.list()).map(({ id }) => id).toSorted()).toStrictEqual(ids.toSorted());
  });

  it('tells a product whose item somebody edited into nonsense by its id, and the others as they are', async () => {
    const { pricing: _, ...nonsense } = PRODUCT;
    await products.put({ ...nonsense, id: 'broken' } as Product);
    await products.put(PRODUCT);
    const listed = (await catalogue.list()).toSorted((a, b) => (a.id < b.id ? -1 : 1));
    expect(listed).toStrictEqual([
      { id: 'broken', product: undefined },
      { id: 'course', product: PRODUCT },
    ]);
  });

  it('has products of free pricing, with and without bounds', async () => {
    const pricings = [{ type: 'free' }, { type: 'free', minimum: 1, suggested: 5 }] as const;
    for (const [index, pricing] of pricings.entries()) {
      await catalogue.put({ ...PRODUCT, id: `free-${index}`, pricing });
    }
    const listed = (await catalogue.list()).toSorted((a, b) => (a.id < b.id ? -1 : 1));
    expect(listed.map(({ product }) => product?.pricing)).toStrictEqual(pricings);
  });

  it('is strongly consistent: it has what was put a moment ago', async () => {
    const mock = mockClient(database.documents);
    mock.on(ScanCommand).resolves({ Items: [PRODUCT] });
    expect(await catalogue.list()).toStrictEqual([{ id: 'course', product: PRODUCT }]);
    expect(mock.commandCalls(ScanCommand).map(({ args: [command] }) => command.input)).toMatchObject([
      { ConsistentRead: true },
    ]);
  });

  it('is empty where there are none', async () => {
    expect(await catalogue.list()).toStrictEqual([]);
  });
});

describe('availability', () => {
  it('is all that changes of a product', async () => {
    await catalogue.put(PRODUCT);
    expect(await catalogue.setAvailable('course', false)).toBe('set');
    expect(await products.find('course')).toStrictEqual({ ...PRODUCT, available: false });
    expect(await catalogue.setAvailable('course', true)).toBe('set');
    expect(await products.find('course')).toStrictEqual(PRODUCT);
  });

  it('of an unknown product creates nothing', async () => {
    expect(await catalogue.setAvailable('none', true)).toBe('unknown');
    expect(await catalogue.list()).toStrictEqual([]);
  });
});

describe('a database that fails', () => {
  it('is not taken for a foreign or an unknown product', async () => {
    mockClient(database.documents).on(PutCommand).rejects('down').on(UpdateCommand).rejects('down');
    await expect(catalogue.put(PRODUCT)).rejects.toThrow('down');
    await expect(catalogue.setAvailable('course', true)).rejects.toThrow('down');
  });
});
