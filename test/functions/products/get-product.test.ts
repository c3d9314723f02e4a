import { expect, it } from 'vitest';
import { expectError, expectRateLimitHeaders } from '../../support/contract/expect-error.ts';
import { STORE_ID } from '../../support/functions/dependencies.ts';
import { givenService } from '../../support/service/service.ts';

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

it('an unknown id and that of another store lead to the same 404, and a malformed one to its details too', async () => {
  const foreign = await service.givenProduct({ storeId: `${STORE_ID}0` });
  const message = 'The id of a product has 1 to 128 letters, digits, underscores and hyphens';
  const malformed = [{ path: 'path.productDocumentId', message }];
  for (const [id, details] of [
    ['unknown', undefined],
    [foreign, undefined],
    ['a b', malformed],
    ['x'.repeat(3_000), malformed],
  ] as const) {
    const response = await get(id);
    expectError(response, 'productNotFound');
    expect(response.body['details']).toStrictEqual(details);
  }
});

it('a product that has not changed leads to 304 without a body', async () => {
  const id = await service.givenProduct();
  const { headers } = await get(id);
  const again = { 'If-None-Match': String(headers['etag']) };
  expect(await get(id, again)).toMatchObject({ status: 304, bodyText: '' });
  await service.givenProduct({ id, name: 'Another' });
  expect((await get(id, again)).status).toBe(200);
});

it('a misspelled name of a header gets 422 in test mode', async () => {
  const response = await get(await service.givenProduct(), { 'If-Non-Match': 'x' });
  expectError(response, 'invalidPayload');
  const message = 'Unknown header if-non-match; did you mean if-none-match?';
  expect(response.body['details']).toStrictEqual([{ path: 'headers.if-non-match', message }]);
});
