import { beforeAll, describe, expect, it } from 'vitest';
import { createProductStore, type ProductStore } from '../../../lib/products/product-store.ts';
import type { Product } from '../../../lib/products/product.ts';
import { givenDatabase } from '../../support/database.ts';

const product: Product = {
  id: 'course',
  storeId: 'store-1',
  name: 'Course 🎈',
  available: true,
  currency: 'EUR',
  pricing: { type: 'fixed', amount: 19.99 },
};

let products: ProductStore;
beforeAll(async () => {
  const { documents, tableNames } = await givenDatabase();
  products = createProductStore(documents, tableNames.products);
});

describe('a stored product', () => {
  it('is found as it was put', async () => {
    await products.put(product);
    expect(await products.find('course')).toStrictEqual(product);
  });

  it('takes the place of the earlier one of its identifier, whole', async () => {
    await products.put({ ...product, id: 'donation', pricing: { type: 'free', minimum: 1, suggested: 5 } });
    await products.put({
      ...product,
      id: 'donation',
      available: false,
      pricing: { type: 'free', minimum: undefined },
    });
    expect(await products.find('donation')).toStrictEqual({
      ...product,
      id: 'donation',
      available: false,
      pricing: { type: 'free' },
    });
  });
});

describe('an unknown product', () => {
  it('is not found', async () => {
    expect(await products.find('none')).toBeUndefined();
  });
});

describe('a signal', () => {
  it('gives the read up', async () => {
    await expect(products.find('course', AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' });
  });
});
