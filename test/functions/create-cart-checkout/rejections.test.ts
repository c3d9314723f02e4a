import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { apiKeyId, generateApiKey } from '../../../lib/api-keys/api-key.ts';
import type { ApiErrorKind } from '../../../lib/http/errors.ts';
import { expectError } from '../../support/expect-error.ts';
import { cartBody, givenService, type TestService } from '../../support/service.ts';

let service: TestService;
let productId: string;

beforeAll(async () => {
  service = await givenService();
  productId = await service.givenProduct();
});

afterEach(() => {
  vi.restoreAllMocks();
});

/** A key with one token, which this spends: its bucket is empty from now on. */
const givenExhaustedKey = async (): Promise<string> => {
  const apiKey = await service.givenKey({ limit: 1, windowSeconds: 3_600 });
  await service.getCart('none', { apiKey });
  return apiKey;
};

describe('400 INVALID_PRODUCT', () => {
  it('is one text for an unknown, an unavailable and a foreign product', async () => {
    const apiKey = await service.givenKey();
    const products = [
      'no-such-product',
      await service.givenProduct({ available: false }),
      await service.givenProduct({ storeId: 'store-2' }),
    ];
    const answers = await Promise.all(products.map((id) => service.createCart(cartBody(id), { apiKey })));
    for (const answer of answers) {
      expectError(answer, 'invalidProduct');
      expect(answer.bodyText).toBe(
        '{"code":"INVALID_PRODUCT","message":"The product is not available or does not belong to this store"}',
      );
    }
  });
});

describe('401 INVALID_API_KEY', () => {
  const expectUnauthorized = async (headers: Record<string, string | undefined>): Promise<void> => {
    const answer = await service.createCart(cartBody(productId), { headers });
    expectError(answer, 'invalidApiKey');
    expect(answer.bodyText).toBe('{"code":"INVALID_API_KEY","message":"Invalid or missing API key"}');
  };

  it('answers a missing key', () => expectUnauthorized({}));
  it('answers another scheme', () => expectUnauthorized({ Authorization: 'Basic dXNlcjpwYXNz' }));
  it('answers a scheme without a key', () => expectUnauthorized({ Authorization: 'Bearer' }));
  it('answers a malformed key', () => expectUnauthorized({ Authorization: 'Bearer cck_test_short' }));
  it('answers a key in a query-like header', () =>
    expectUnauthorized({ 'X-Api-Key': generateApiKey('test') }));

  it('answers an unknown key', () =>
    expectUnauthorized({ Authorization: `Bearer ${generateApiKey('test')}` }));

  it('answers a key with a wrong checksum', async () => {
    const apiKey = await service.givenKey();
    const last = apiKey.endsWith('0') ? '1' : '0';
    await expectUnauthorized({ Authorization: `Bearer ${apiKey.slice(0, -1)}${last}` });
  });

  it('answers two keys at once', async () => {
    const apiKey = await service.givenKey();
    await expectUnauthorized({ Authorization: `Bearer ${apiKey}, Bearer ${apiKey}` });
  });

  it('answers a revoked key', async () => {
    const apiKey = await service.givenKey();
    await service.apiKeys.revoke(apiKeyId(apiKey), service.clock.now());
    await expectUnauthorized({ Authorization: `Bearer ${apiKey}` });
  });

  it('answers an expired key, from the very moment on', async () => {
    const apiKey = await service.givenKey();
    await service.documents.send(
      new UpdateCommand({
        TableName: service.tableNames.apiKeys,
        Key: { keyId: apiKeyId(apiKey) },
        UpdateExpression: 'SET expiresAtMs = :ms',
        ExpressionAttributeValues: { ':ms': service.clock.now() },
      }),
    );
    await expectUnauthorized({ Authorization: `Bearer ${apiKey}` });
  });

  it('is not answered to a scheme in another case', async () => {
    const apiKey = await service.givenKey();
    const answer = await service.createCart(cartBody(productId), {
      headers: { AUTHORIZATION: `bEARER  ${apiKey}` },
    });
    expect(answer.status).toBe(201);
  });
});

describe('429 RATE_LIMITED', () => {
  it('tells the limit, nothing left, and how long to wait', async () => {
    const aging = await givenService();
    const body = cartBody(await aging.givenProduct());
    const apiKey = await aging.givenKey({ limit: 2, windowSeconds: 60 });
    const answers = [];
    for (let i = 0; i < 3; i += 1) answers.push(await aging.createCart(body, { apiKey }));
    expect(answers.map(({ status }) => status)).toStrictEqual([201, 201, 429]);
    expect(answers.map(({ headers }) => headers['x-ratelimit-remaining'])).toStrictEqual(['1', '0', '0']);
    const limited = answers[2];
    if (!limited) throw new Error('No third answer');
    expectError(limited, 'rateLimited');
    expect(limited.bodyText).toBe(
      '{"code":"RATE_LIMITED","message":"Too many requests. Please retry later."}',
    );
    expect(limited.headers).toMatchObject({
      'x-ratelimit-limit': '2',
      // 12:30:00.250 and one minute until the bucket is full, rounded up.
      'x-ratelimit-reset': String(Date.UTC(2026, 0, 15, 12, 31, 1) / 1_000),
      'retry-after': '30',
    });

    aging.clock.advance(29);
    expect((await aging.createCart(body, { apiKey })).status).toBe(429);
    aging.clock.advance(1);
    expect((await aging.createCart(body, { apiKey })).status).toBe(201);
  });
});

describe('422 VALIDATION_ERROR on the price', () => {
  const expectPriceRejected = async (
    changes: Parameters<TestService['givenProduct']>[0],
    customerPrice?: unknown,
  ) => {
    const id = await service.givenProduct(changes);
    const answer = await service.createCart(cartBody(id, { customerPrice }), {
      apiKey: await service.givenKey(),
    });
    expectError(answer, 'invalidPayload');
    expect(answer.body['details']).toMatchObject([{ path: 'customerPrice' }]);
  };

  it('refuses a chosen price on a fixed-price product', () => expectPriceRejected({}, 19.99));
  it('refuses a price below the minimum', () =>
    expectPriceRejected({ pricing: { type: 'free', minimum: 5 } }, 4.99));
  it('refuses more decimals than the currency has', () =>
    expectPriceRejected({ pricing: { type: 'free' }, currency: 'JPY' }, 1.5));
  it('refuses no price where none is suggested', () => expectPriceRejected({ pricing: { type: 'free' } }));
});

describe('the order of refusals', () => {
  it('is 401 before 422: a stranger learns nothing of a bad body', async () => {
    expectError(await service.createCart('not json', { apiKey: generateApiKey('test') }), 'invalidApiKey');
    expectError(await service.createCart('not json', {}), 'invalidApiKey');
  });

  it('is 429 before 422', async () => {
    expectError(await service.createCart('not json', { apiKey: await givenExhaustedKey() }), 'rateLimited');
  });

  it('is 429 before 400', async () => {
    expectError(
      await service.createCart(cartBody('none'), { apiKey: await givenExhaustedKey() }),
      'rateLimited',
    );
  });

  it('is 422 before 400', async () => {
    const body = cartBody('no-such-product', { email: 'none' });
    expectError(await service.createCart(body, { apiKey: await service.givenKey() }), 'invalidPayload');
  });
});

describe('what a request costs', () => {
  it('is one token for every authenticated request, valid or not, and none for a denied one', async () => {
    const apiKey = await service.givenKey({ limit: 4, windowSeconds: 3_600 });
    const requests = [
      () => service.createCart(cartBody(productId), { apiKey }),
      () => service.createCart('not json', { apiKey }),
      () => service.createCart(cartBody('none'), { apiKey }),
      () => service.getCart('none', { apiKey }),
      () => service.getCart('none', { apiKey }),
      () => service.getCart('none', { apiKey }),
    ];
    const seen = [];
    for (const request of requests) {
      const { status, headers } = await request();
      seen.push([status, headers['x-ratelimit-remaining'], headers['x-ratelimit-reset']]);
    }
    const fullAt = Date.UTC(2026, 0, 15, 13, 30, 1) / 1_000;
    expect(seen.map(([status]) => status)).toStrictEqual([201, 422, 400, 404, 429, 429]);
    expect(seen.map(([, remaining]) => remaining)).toStrictEqual(['3', '2', '1', '0', '0', '0']);
    expect(seen.slice(3).map(([, , reset]) => reset)).toStrictEqual(Array(3).fill(String(fullAt)));
  });

  /** A key that nobody issued, refused once. */
  const givenUnknownKey = async (): Promise<string> => {
    const apiKey = generateApiKey('test');
    await service.getCart('none', { apiKey });
    return apiKey;
  };

  it.each<[string, () => Promise<string>, ApiErrorKind]>([
    ['malformed', () => Promise.resolve(`${generateApiKey('test')}0`), 'invalidApiKey'],
    ['just seen to be unknown', givenUnknownKey, 'invalidApiKey'],
    ['just seen to be exhausted', givenExhaustedKey, 'rateLimited'],
  ])('is no database call for a key that is %s', async (_what, givenKey, kind) => {
    const apiKey = await givenKey();
    const send = vi.spyOn(service.documents, 'send');
    expectError(await service.createCart(cartBody(productId), { apiKey }), kind);
    expect(send).not.toHaveBeenCalled();
  });
});
