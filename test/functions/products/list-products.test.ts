import { expect, it } from 'vitest';
import { expectError, expectRateLimitHeaders } from '../../support/contract/expect-error.ts';
import { putItems } from '../../support/database/put-items.ts';
import { cartBody } from '../../support/domain/cart-body.ts';
import { fixedProduct } from '../../support/domain/products.ts';
import { givenService } from '../../support/service/service.ts';

const service = await givenService();

/** A store of its own, with products of these ids. */
const givenStore = async (...ids: readonly string[]) => {
  const storeId = `store-${crypto.randomUUID()}`;
  const products = ids.map((id) => fixedProduct({ id, storeId }));
  await putItems(service.documents, service.tableNames.products, products);
  return { storeId, apiKey: await service.givenKey({ storeId }) };
};

const idsOf = (body: Readonly<Record<string, unknown>>): readonly string[] =>
  (body['products'] as { id: string }[]).map(({ id }) => id);

it('both modes list all products of the store, with their price or range', async () => {
  const { storeId, apiKey } = await givenStore();
  await service.givenProduct({ id: 'shown-1', storeId, name: 'Course' });
  const free = { storeId, currency: 'JPY', available: false };
  await service.givenProduct({ ...free, id: 'shown-2', pricing: { type: 'free' } });
  const pricing = { type: 'free', minimum: 100, suggested: 500 } as const;
  await service.givenProduct({ ...free, id: 'shown-3', pricing });
  const response = await service.send('listProducts', { apiKey });
  expectRateLimitHeaders(response);
  expect(response).toMatchObject({ status: 200 });
  const maximum = 999_999_999_999_999;
  expect(response.body).toStrictEqual({
    products: [
      { id: 'shown-1', name: 'Course', available: true, price: { amount: 19.99, currency: 'EUR' } },
      expect.objectContaining({ available: false, priceRange: { minimum: 1, maximum, currency: 'JPY' } }),
      expect.objectContaining({ priceRange: { minimum: 100, maximum, suggested: 500, currency: 'JPY' } }),
    ],
    hasMore: false,
  });
  const liveKey = await service.givenKey({ storeId, mode: 'live' });
  expect((await service.send('listProducts', { apiKey: liveKey })).body).toStrictEqual(response.body);
});

it('the bounds of a range are the lowest and the highest price of a cart', async () => {
  const { storeId, apiKey } = await givenStore();
  const productId = await service.givenProduct({ storeId, pricing: { type: 'free' } });
  const { body } = await service.send('listProducts', { apiKey });
  const [{ priceRange }] = body['products'] as [{ priceRange: { minimum: number; maximum: number } }];
  const { minimum, maximum } = priceRange;
  const statuses = [];
  for (const customerPrice of [minimum - 0.005, minimum, maximum, maximum + 1]) {
    statuses.push((await service.createCart(cartBody(productId, { customerPrice }), { apiKey })).status);
  }
  expect(statuses).toStrictEqual([422, 201, 201, 422]);
});

it('who follows the cursors reads each product once', async () => {
  const store = await givenStore('page-1', 'page-2', 'page-3');
  const first = await service.send('listProducts', { ...store, query: { limit: '2' } });
  expect(first.body).toMatchObject({ cursor: 'page-2', hasMore: true });
  const query = { after: String(first.body['cursor']), limit: '2' };
  const { body } = await service.send('listProducts', { ...store, query });
  expect([...idsOf(first.body), ...idsOf(body)]).toStrictEqual(['page-1', 'page-2', 'page-3']);
  expect(body).toStrictEqual({ products: body['products'], hasMore: false });
});

it('without a limit, a page has 100 products', async () => {
  const store = await givenStore(...Array.from({ length: 101 }, (_, i) => `many-${i}`));
  const { body } = await service.send('listProducts', store);
  expect(idsOf(body)).toHaveLength(100);
  expect(body['hasMore']).toBe(true);
});

it('a page that has not changed leads to 304 without a body, and takes a token', async () => {
  const store = await givenStore('tag-1');
  const { headers } = await service.send('listProducts', store);
  const again = { ...store, headers: { 'If-None-Match': String(headers['etag']) } };
  const unchanged = await service.send('listProducts', again);
  expect(unchanged).toMatchObject({ status: 304, bodyText: '' });
  expect(unchanged.headers['x-ratelimit-remaining']).not.toBe(headers['x-ratelimit-remaining']);
  await service.givenProduct({ id: 'tag-1', storeId: store.storeId, name: 'Another' });
  expect((await service.send('listProducts', again)).status).toBe(200);
});

it.each([
  ['after', 'a b', 'Must be a cursor from a response'],
  ['after', 'x'.repeat(129), 'Must be a cursor from a response'],
  ['limit', '101', 'Must be a whole number from 1 to 100'],
])('the query %s=%s leads to 422', async (name, value, message) => {
  const { apiKey } = await givenStore();
  const response = await service.send('listProducts', { apiKey, query: { [name]: value } });
  expectError(response, 'invalidPayload');
  expect(response.body['details']).toStrictEqual([{ path: `query.${name}`, message }]);
});

it('the names of a place in other APIs get 422 in test mode', async () => {
  const { apiKey } = await givenStore();
  for (const name of ['cursor', 'starting_after', 'page']) {
    const response = await service.send('listProducts', { apiKey, query: { [name]: 'x' } });
    expectError(response, 'invalidPayload');
    const message = `Unknown parameter ${name}; did you mean after?`;
    expect(response.body['details']).toStrictEqual([{ path: `query.${name}`, message }]);
  }
});

it('no list is shown without a key that the service knows', async () => {
  const response = await service.send('listProducts', { apiKey: 'sk_test_unknown' });
  expectError(response, 'invalidApiKey');
});
