import { expect, it } from 'vitest';
import { expectError, expectRateLimitHeaders } from '../../support/contract/expect-error.ts';
import { givenService } from '../../support/service/service.ts';
import { STORE_ID } from '../../support/functions/dependencies.ts';

const service = await givenService();
const apiKey = await service.givenKey({ limit: 1_000 });

const get = (productDocumentId: string, headers = {}) =>
  service.send('getProduct', { apiKey, headers, pathParameters: { productDocumentId } });

it('a product is retrieved as the list shows it, also if it is not available', async () => {
  const id = await service.givenProduct({ available: false, pricing: { type: 'free', suggested: 5 } });
  const response = await get(id);
  expectRateLimitHeaders(response);
  expect(response).toMatchObject({ status: 200, body: { id, available: false } });
  const { body } = await service.send('listProducts', { apiKey });
  expect(body['products']).toContainEqual(response.body);
});

it('an unknown id, a malformed one and that of another store lead to the same 404', async () => {
  const foreign = await service.givenProduct({ storeId: `${STORE_ID}0` });
  for (const id of ['unknown', 'a b', 'x'.repeat(3_000), foreign])
    expectError(await get(id), 'productNotFound');
});

it('a product that has not changed leads to 304 without a body', async () => {
  const id = await service.givenProduct();
  const { headers } = await get(id);
  const again = { 'If-None-Match': String(headers['etag']) };
  expect(await get(id, again)).toMatchObject({ status: 304, bodyText: '' });
  await service.givenProduct({ id, name: 'Another' });
  expect((await get(id, again)).status).toBe(200);
});
