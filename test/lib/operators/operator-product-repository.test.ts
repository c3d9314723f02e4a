import { PutCommand, ScanCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { createOperatorProductRepository } from '../../../lib/operators/operator-product-repository.ts';
import { createProductRepository, type ProductRepository } from '../../../lib/products/product-repository.ts';
import type { Product } from '../../../lib/products/product.ts';
import { mockDocuments } from '../../support/database/client-calls.ts';
import { givenDatabase, type TestDatabase } from '../../support/database/database.ts';
import { byId, fixedProduct } from '../../support/domain/products.ts';

const PRODUCT = fixedProduct();

let database: TestDatabase;
let operatorProducts: ReturnType<typeof createOperatorProductRepository>;
let products: ProductRepository;
beforeEach(async () => {
  database = await givenDatabase();
  operatorProducts = createOperatorProductRepository(database.documents, database.tableNames.products);
  products = createProductRepository(database.documents, database.tableNames.products);
});

describe('a product that is put', () => {
  it('is found by requests until their signal aborts', async () => {
    expect(await products.find('course')).toBeUndefined();
    await operatorProducts.put(PRODUCT);
    expect(await products.find('course')).toStrictEqual(PRODUCT);
    await expect(products.find('course', AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('replaces an earlier one of its store as a whole', async () => {
    const free = fixedProduct({ available: false, pricing: { type: 'free' } });
    await operatorProducts.put(fixedProduct({ pricing: { type: 'free', minimum: 1, suggested: 5 } }));
    await operatorProducts.put({ ...free, pricing: { type: 'free', minimum: undefined } });
    expect(await products.find('course')).toStrictEqual(free);
    expect(await operatorProducts.put(PRODUCT)).toBe('stored');
  });

  it("does not replace another store's product", async () => {
    await operatorProducts.put(PRODUCT);
    expect(await operatorProducts.put(fixedProduct({ storeId: 'other', name: 'Theirs' }))).toBe('foreign');
    expect(await products.find('course')).toStrictEqual(PRODUCT);
  });
});

describe('the list of products', () => {
  it('has every page of a table', async () => {
    expect(await operatorProducts.listAll()).toStrictEqual([]);
    // DynamoDB ends a page at 1 MB.
    const ids = Array.from({ length: 15 }, (_, i) => `product-${i}`);
    for (const id of ids) await operatorProducts.put(fixedProduct({ id, name: 'x'.repeat(100_000) }));
    expect((await operatorProducts.listAll()).map(({ id }) => id).toSorted()).toStrictEqual(ids.toSorted());
  });

  it('has every pricing, and only the id of an item that an edit by hand made invalid', async () => {
    const { pricing: _, ...unpriced } = PRODUCT;
    await operatorProducts.put({ ...unpriced, id: 'broken' } as Product);
    const valid = [
      PRODUCT,
      fixedProduct({ id: 'free-1', pricing: { type: 'free' } }),
      fixedProduct({ id: 'free-2', pricing: { type: 'free', minimum: 1, suggested: 5 } }),
    ];
    for (const product of valid) await operatorProducts.put(product);
    expect(byId(await operatorProducts.listAll())).toStrictEqual([
      { id: 'broken', product: undefined },
      ...valid.map((product) => ({ id: product.id, product })),
    ]);
  });

  it('is read strongly consistent, so it has a product that was just put', async () => {
    const mock = mockDocuments(database.documents);
    mock.on(ScanCommand).resolves({ Items: [PRODUCT] });
    expect(await operatorProducts.listAll()).toStrictEqual([{ id: 'course', product: PRODUCT }]);
    expect(mock.commandCalls(ScanCommand).map(({ args: [command] }) => command.input)).toMatchObject([
      { ConsistentRead: true },
    ]);
  });
});

describe('availability', () => {
  it('changes nothing else of a product', async () => {
    await operatorProducts.put(PRODUCT);
    for (const available of [false, true]) {
      expect(await operatorProducts.setAvailable('course', available)).toBe('set');
      expect(await products.find('course')).toStrictEqual(fixedProduct({ available }));
    }
  });

  it('of an unknown product creates nothing', async () => {
    expect(await operatorProducts.setAvailable('none', true)).toBe('unknown');
    expect(await operatorProducts.listAll()).toStrictEqual([]);
  });
});

it('a failure of the database is an error, not a foreign or unknown product', async () => {
  mockDocuments(database.documents).on(PutCommand).rejects('down').on(UpdateCommand).rejects('down');
  await expect(operatorProducts.put(PRODUCT)).rejects.toThrow('down');
  await expect(operatorProducts.setAvailable('course', true)).rejects.toThrow('down');
});
