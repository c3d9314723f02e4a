import { afterEach, describe, expect, it, vi } from 'vitest';
import { generateApiKey } from '../../../lib/api-keys/api-key.ts';
import type { ApiErrorKind } from '../../../lib/http/errors.ts';
import type { Mode } from '../../../lib/stores/mode.ts';
import type { ApiResponse } from '../../support/contract/contract.ts';
import { expectError } from '../../support/contract/expect-error.ts';
import { recordUnits } from '../../support/database/consumed-units.ts';
import { cartBody } from '../../support/domain/cart-body.ts';
import { logged } from '../../support/logs/log-lines.ts';
import { givenService } from '../../support/service/service.ts';

const service = await givenService();
const productId = await service.givenProduct();

afterEach(() => {
  vi.restoreAllMocks();
});

/** Issues a key with one token and spends it. */
const givenExhaustedKey = async (): Promise<string> => {
  const apiKey = await service.givenKey({ limit: 1, windowSeconds: 3_600 });
  await service.getCart('none', { apiKey });
  return apiKey;
};

describe('400 INVALID_PRODUCT', () => {
  it('is the same response for an unknown, an unavailable and a foreign product', async () => {
    const apiKey = await service.givenKey();
    const products = [
      'no-such-product',
      await service.givenProduct({ available: false }),
      await service.givenProduct({ storeId: 'store-2' }),
    ];
    for (const id of products) {
      const [line] = await logged(async () =>
        expectError(await service.createCart(cartBody(id), { apiKey }), 'invalidProduct'),
      );
      expect(line).toMatchObject({ code: 'INVALID_PRODUCT', productId: id });
    }
  });

  it('does not log an API key that a client sends as the product, nor the product of another error', async () => {
    const apiKey = await service.givenKey();
    const lines = await logged(async () => {
      await service.createCart(cartBody(apiKey), { apiKey });
      await service.createCart(cartBody(productId, { customerPrice: 1 }), { apiKey });
    });
    expect(lines).toMatchObject([{ status: 400 }, { status: 422 }]);
    for (const line of lines) expect(line).not.toHaveProperty('productId');
  });
});

describe('the details of a 400 INVALID_PRODUCT', () => {
  const path = 'productDocumentId';
  const UNKNOWN = 'The store has no product with this id';
  const messageOf = async (storeId: string, id: string): Promise<unknown> => {
    const response = await service.createCart(cartBody(id), { apiKey: await service.givenKey({ storeId }) });
    expectError(response, 'invalidProduct');
    return response.body['details'];
  };

  it('name the products of the store in test mode, those that are not available, and why this one is rejected', async () => {
    const storeId = 'store-of-two';
    await service.givenProduct({ id: 'two-retired', storeId, available: false });
    await service.givenProduct({ id: 'two-course', storeId });
    const listed = 'Products of the store: two-course, two-retired (not available)';
    expect(await messageOf(storeId, 'two-retired')).toStrictEqual([
      { path, message: `The product is not available. ${listed}` },
    ]);
    const unknown = [{ path, message: `${UNKNOWN}. ${listed}` }];
    expect(await messageOf(storeId, 'two-curse')).toStrictEqual(unknown);
    // A retired product of another store is as unknown as one that does not exist.
    const foreign = await service.givenProduct({ storeId: 'store-3', available: false });
    expect(await messageOf(storeId, foreign)).toStrictEqual(unknown);
  });

  it('name ten products, and say that there are more, or none', async () => {
    const ids = Array.from({ length: 11 }, (_, index) => `eleven-${String(index).padStart(2, '0')}`);
    for (const id of ids) await service.givenProduct({ id, storeId: 'store-of-eleven' });
    expect(await messageOf('store-of-eleven', 'none')).toStrictEqual([
      { path, message: `${UNKNOWN}. Products of the store: ${ids.slice(0, 10).join(', ')} and more` },
    ]);
    expect(await messageOf('store-of-none', 'none')).toStrictEqual([
      { path, message: `${UNKNOWN}. Products of the store: none` },
    ]);
  });

  it('cost one more read in test mode, and do not exist in live mode', async () => {
    const keys = [await service.givenKey(), await service.givenKey({ mode: 'live' })];
    const calls: string[] = [];
    recordUnits(service.documents, ({ operation }) => calls.push(operation));
    const responses = [];
    for (const apiKey of keys) responses.push(await service.createCart(cartBody('none'), { apiKey }));
    expect(responses.map(({ body }) => 'details' in body)).toStrictEqual([true, false]);
    expect(calls.toSorted()).toStrictEqual(['GetItem', 'GetItem', 'Query', 'UpdateItem', 'UpdateItem']);
  });
});

describe('401 INVALID_API_KEY', () => {
  it.each([
    ['no key', undefined],
    ['another scheme', 'Basic dXNlcjpwYXNz'],
    ['a malformed key', 'Bearer cck_test_short'],
    ['an unknown key', `Bearer ${generateApiKey('test')}`],
  ])('is the response to %s', async (_, Authorization) => {
    const headers = { Authorization };
    expectError(await service.createCart(cartBody(productId), { headers }), 'invalidApiKey');
  });

  it.each<[string, string]>([
    ['Basic dXNlcjpwYXNz', 'The scheme must be Bearer, not Basic'],
    ['Token abc', 'The scheme must be Bearer'],
    ['KEY', 'The scheme is missing: send Bearer {key}'],
    ['Bearer', 'The key is missing after Bearer'],
    ['Bearer undefined', 'The key has no value: is its variable set?'],
    ['Bearer Bearer KEY', 'Bearer is sent twice'],
    ['Bearer KEY KEY', 'The key must have no white space'],
    ['Bearer\tKEY', 'A space must separate Bearer and the key'],
    ['Bearer "KEY"', 'The key must have no quotes, brackets or placeholders'],
    ['Bearer $KEY', 'The key must have no quotes, brackets or placeholders'],
    ['Bearer whsec_abc', 'This is the secret of a webhook endpoint, not an API key'],
    ['Bearer sk_test_abc', 'An API key begins with cck_test_ or cck_live_'],
    ['Bearer cck_test_short', 'The key is too short'],
    ['Bearer KEY0', 'The key is too long'],
  ])('says what is wrong with the form, and repeats nothing of it: %s', async (sent, message) => {
    const Authorization = sent.replaceAll('KEY', generateApiKey('test'));
    const { body } = await service.createCart(cartBody(productId), { headers: { Authorization } });
    expect(body['details']).toStrictEqual([{ path: 'headers.authorization', message }]);
  });

  it('says that a key has a typo, or is in another header', async () => {
    const key = generateApiKey('test');
    const typo = key.slice(0, -1) + (key.endsWith('0') ? '1' : '0');
    const detailsOf = async (headers: Readonly<Record<string, string>>) =>
      (await service.createCart(cartBody(productId), { headers })).body['details'];
    const path = 'headers.authorization';
    expect(await detailsOf({ Authorization: `Bearer ${typo}` })).toStrictEqual([
      { path, message: 'The key has a typo' },
    ]);
    expect(await detailsOf({})).toStrictEqual([
      { path, message: 'The header is missing: send Authorization: Bearer {key}' },
    ]);
    expect(await detailsOf({ 'X-API-Key': key })).toStrictEqual([
      { path, message: 'Send the key as Authorization: Bearer {key}, not as X-API-Key' },
    ]);
    // Details of a well-formed key would tell a stranger what the database holds.
    expect(await detailsOf({ Authorization: `Bearer ${key}` })).toBeUndefined();
  });

  it('is not the response to a valid key whose scheme is in another case', async () => {
    const headers = { AUTHORIZATION: `bEARER  ${await service.givenKey()}` };
    expect((await service.createCart(cartBody(productId), { headers })).status).toBe(201);
  });

  it('is sent once, or twice the same in test mode; of two in live mode, the last one counts', async () => {
    const statusOf = async (first: string | undefined, mode: Mode) => {
      const last = `Bearer ${await service.givenKey({ mode })}`;
      const headers = { Authorization: first ?? last, AUTHORIZATION: last };
      return service.createCart(cartBody(productId), { headers });
    };
    const rejected = await statusOf('Basic YTpi', 'test');
    expectError(rejected, 'invalidApiKey');
    expect(rejected.body['details']).toStrictEqual([
      { path: 'headers.authorization', message: 'Must be sent once' },
    ]);
    expect((await statusOf(undefined, 'test')).status).toBe(201);
    expect((await statusOf('Basic YTpi', 'live')).status).toBe(201);
  });
});

describe('429 RATE_LIMITED', () => {
  it('reports the limit, no tokens left, and the time to wait', async () => {
    const aging = await givenService();
    const body = cartBody(await aging.givenProduct());
    const apiKey = await aging.givenKey({ limit: 2, windowSeconds: 60 });
    const create = () => aging.createCart(body, { apiKey });
    const admitted = [await create(), await create()];
    expect(admitted.map(({ status }) => status)).toStrictEqual([201, 201]);
    expect(admitted.map(({ headers }) => headers['x-ratelimit-remaining'])).toStrictEqual(['1', '0']);
    const limited = await create();
    expectError(limited, 'rateLimited');
    expect(limited.headers).toMatchObject({
      'x-ratelimit-limit': '2',
      'x-ratelimit-remaining': '0',
      // 12:30:00.250 and one minute until the bucket is full, rounded up.
      'x-ratelimit-reset': String(Date.UTC(2026, 0, 15, 12, 31, 1) / 1_000),
      'retry-after': '30',
    });

    aging.clock.advance(29);
    expect((await create()).status).toBe(429);
    aging.clock.advance(1);
    expect((await create()).status).toBe(201);
  });
});

describe('the order of rejections', () => {
  it.each<[string, () => Promise<string | undefined>, string, ApiErrorKind]>([
    ['401 before 422', () => Promise.resolve(generateApiKey('test')), 'not json', 'invalidApiKey'],
    ['401 before 422, without a key', () => Promise.resolve(undefined), 'not json', 'invalidApiKey'],
    ['429 before 422', givenExhaustedKey, 'not json', 'rateLimited'],
    ['429 before 400', givenExhaustedKey, cartBody('none'), 'rateLimited'],
    ['422 before 400', () => service.givenKey(), cartBody('none', { email: 'none' }), 'invalidPayload'],
  ])('is %s', async (_, givenKey, body, kind) => {
    expectError(await service.createCart(body, { apiKey: await givenKey() }), kind);
  });
});

describe('the cost of a request', () => {
  it('is one token if its key is valid, and none if the bucket is empty', async () => {
    const apiKey = await service.givenKey({ limit: 4, windowSeconds: 3_600 });
    const bodies = [cartBody(productId), 'not json', cartBody('none')];
    const responses: ApiResponse[] = [];
    for (const body of bodies) responses.push(await service.createCart(body, { apiKey }));
    for (let i = 0; i < 3; i += 1) responses.push(await service.getCart('none', { apiKey }));
    const valuesOf = (header: string) => responses.map(({ headers }) => headers[header]);
    expect(responses.map(({ status }) => status)).toStrictEqual([201, 422, 400, 404, 429, 429]);
    expect(valuesOf('x-ratelimit-remaining')).toStrictEqual(['3', '2', '1', '0', '0', '0']);
    const fullAt = String(Date.UTC(2026, 0, 15, 13, 30, 1) / 1_000);
    expect(valuesOf('x-ratelimit-reset').slice(3)).toStrictEqual([fullAt, fullAt, fullAt]);
  });

  /** A key that nobody issued, and that the service has just rejected. */
  const givenUnknownKey = async (): Promise<string> => {
    const apiKey = generateApiKey('test');
    await service.getCart('none', { apiKey });
    return apiKey;
  };

  it.each<[string, () => Promise<string>, ApiErrorKind]>([
    ['malformed', () => Promise.resolve(`${generateApiKey('test')}0`), 'invalidApiKey'],
    ['remembered as unknown', givenUnknownKey, 'invalidApiKey'],
    ['remembered as exhausted', givenExhaustedKey, 'rateLimited'],
  ])('is no database call if the key is %s', async (_, givenKey, kind) => {
    const apiKey = await givenKey();
    const send = vi.spyOn(service.documents, 'send');
    expectError(await service.createCart(cartBody(productId), { apiKey }), kind);
    expect(send).not.toHaveBeenCalled();
  });
});
