import { describe, expect, it } from 'vitest';
import { call, inputs, type ApiResponse } from './support/client.ts';
import { expectRejection, expectResponse } from './support/expectations.ts';
import { given } from './support/inputs.ts';

const PRODUCTS = '/api/v1/stores/products';

interface Product {
  readonly id: string;
  readonly available: boolean;
  readonly price?: { readonly amount: number };
  readonly priceRange?: { readonly minimum: number; readonly maximum: number };
}

const get = (path: string): Promise<ApiResponse> => call('GET', PRODUCTS + path);

/** All products of the key's store, in pages of two. */
const listProducts = async (): Promise<readonly Product[]> => {
  const listed: Product[] = [];
  for (let query = '?limit=2'; ;) {
    const response = await get(query);
    expectResponse(response, 200);
    const { products, cursor, hasMore } = response.body as {
      products: Product[];
      cursor?: string;
      hasMore: boolean;
    };
    listed.push(...products);
    if (!hasMore) return listed;
    query = `?limit=2&after=${cursor}`;
  }
};

describe('the products of a store', () => {
  it('are listed once each, by id, with the product that the carts of this suite have', async () => {
    const ids = (await listProducts()).map(({ id }) => id);
    expect(ids).toContain(inputs.productId);
    expect(ids).toStrictEqual([...new Set(ids)].toSorted());
  });

  it('are retrieved by their ids as the list shows them', async () => {
    const product = (await listProducts()).find(({ id }) => id === inputs.productId);
    const response = await get(`/${inputs.productId}`);
    expectResponse(response, 200);
    expect(response.body).toStrictEqual(product);
    expect(product).toMatchObject({ available: true, price: { amount: expect.any(Number) } });
  });

  for (const id of given(inputs.freeProductId)) {
    it('have a range of prices if the buyer chooses the price', async () => {
      const { price, priceRange } = (await get(`/${id}`)).body as unknown as Product;
      expect({ price, minimum: typeof priceRange?.minimum }).toStrictEqual({
        price: undefined,
        minimum: 'number',
      });
    });
  }

  for (const id of given(inputs.unavailableProductId)) {
    it('include those that are not available', async () => {
      expect(await listProducts()).toContainEqual(expect.objectContaining({ id, available: false }));
    });
  }

  for (const id of given(inputs.foreignProductId)) {
    it('do not include the product of another store', async () => {
      expect((await listProducts()).map((product) => product.id)).not.toContain(id);
      const [foreign, unknown] = [await get(`/${id}`), await get('/unknown')];
      expectRejection(foreign, 'productNotFound');
      expect(foreign.bodyText).toBe(unknown.bodyText);
    });
  }

  it('are not sent again to a client that has them', async () => {
    const { etag = '' } = (await get('')).headers;
    const unchanged = await call('GET', PRODUCTS, undefined, { 'If-None-Match': etag });
    expectResponse(unchanged, 304);
    expect(unchanged.bodyText).toBe('');
  });
});
