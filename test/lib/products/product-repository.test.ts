import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, expect, it } from 'vitest';
import { createOperatorProductRepository } from '../../../lib/operators/operator-product-repository.ts';
import { createProductRepository, type ProductRepository } from '../../../lib/products/product-repository.ts';
import { givenDatabase } from '../../support/database/database.ts';
import { fixedProduct } from '../../support/domain/products.ts';

let operatorProducts: ReturnType<typeof createOperatorProductRepository>;
let products: ProductRepository;
let putItem: (item: object) => Promise<unknown>;
beforeEach(async () => {
  const { documents, tableNames } = await givenDatabase();
  operatorProducts = createOperatorProductRepository(documents, tableNames.products);
  products = createProductRepository(documents, tableNames.products);
  putItem = (Item) => documents.send(new PutCommand({ TableName: tableNames.products, Item: { ...Item } }));
});

const FREE = fixedProduct({ id: 'b', available: false, pricing: { type: 'free', minimum: 1 } });

it('a store has its own products in the order of their ids, with all fields, until the signal aborts', async () => {
  const [first, last] = [fixedProduct({ id: 'A' }), fixedProduct({ id: 'c' })];
  for (const product of [last, FREE, first]) await operatorProducts.put(product);
  await operatorProducts.put(fixedProduct({ id: 'a', storeId: 'store-10' }));
  expect(await products.list('store-1', { limit: 100 })).toStrictEqual({
    products: [first, FREE, last],
    hasMore: false,
  });
  const aborted = products.list('store-1', { limit: 1 }, AbortSignal.abort());
  await expect(aborted).rejects.toMatchObject({ name: 'AbortError' });
});

it('a page begins after an id, also that of a product that no longer exists, and tells whether more follow', async () => {
  const all = ['a', 'c', 'd'].map((id) => fixedProduct({ id }));
  for (const product of all) await operatorProducts.put(product);
  expect(await products.list('store-1', { after: 'b', limit: 1 })).toStrictEqual({
    products: all.slice(1, 2),
    hasMore: true,
  });
  expect(await products.list('store-1', { after: 'c', limit: 1 })).toStrictEqual({
    products: all.slice(2),
    hasMore: false,
  });
});

it('a change of a product shows in the list', async () => {
  await operatorProducts.put(FREE);
  await operatorProducts.setAvailable('b', true);
  const { products: listed } = await products.list('store-1', { limit: 1 });
  expect(listed).toStrictEqual([{ ...FREE, available: true }]);
});

it.each(Object.keys(FREE).filter((field) => field !== 'id' && field !== 'storeId'))(
  'a product whose %s somebody removed by hand is not read',
  async (field) => {
    await putItem({ ...FREE, [field]: undefined });
    const message = `A stored product has no valid ${field}`;
    await expect(products.find(FREE.id)).rejects.toThrow(message);
    await expect(products.list(FREE.storeId, { limit: 1 })).rejects.toThrow(message);
  },
);
