import { beforeAll, describe, expect, it } from 'vitest';
import { createProductStore, type ProductStore } from '../../../lib/products/product-store.ts';
import { givenDatabase } from '../../support/database.ts';
import { fixedProduct } from '../../support/products.ts';

let products: ProductStore;
beforeAll(async () => {
  const { documents, tableNames } = await givenDatabase();
  products = createProductStore(documents, tableNames.products);
});

describe('a stored product', () => {
  it('is found as it was put, and replaces an earlier one with its id as a whole', async () => {
    expect(await products.find('course')).toBeUndefined();
    await products.put(fixedProduct());
    expect(await products.find('course')).toStrictEqual(fixedProduct());
    await products.put(fixedProduct({ pricing: { type: 'free', minimum: 1, suggested: 5 } }));
    await products.put(fixedProduct({ available: false, pricing: { type: 'free', minimum: undefined } }));
    expect(await products.find('course')).toStrictEqual(
      fixedProduct({ available: false, pricing: { type: 'free' } }),
    );
  });

  it('is not read after its signal aborts', async () => {
    await expect(products.find('course', AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' });
  });
});
