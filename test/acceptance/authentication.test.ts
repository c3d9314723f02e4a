import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  type ApiResponse,
  cartBody,
  cartIdOf,
  createCart,
  createCartOnce,
  getCart,
  getCartOnce,
  inputs,
} from './support/client.ts';
import { expectInvalid, expectRejection, expectResponse, expectSameBytes } from './support/expectations.ts';

const { apiKey } = inputs;
const wrongChecksum = apiKey.slice(0, -1) + (apiKey.endsWith('0') ? '1' : '0');

/** Well-formed keys with a valid checksum that nobody issued. */
const UNKNOWN_KEYS = {
  test: 'cck_test_NoStoreHasThisKeyNoStoreHasThisK03rGA9',
  live: 'cck_live_NoStoreHasThisKeyNoStoreHasThisK3HVIue',
};

const BAD_CREDENTIALS: [string, Record<string, string | undefined>][] = [
  ['no credentials', { Authorization: undefined }],
  ['a scheme without a key', { Authorization: 'Bearer' }],
  ['a key without a scheme', { Authorization: apiKey }],
  ['another scheme', { Authorization: `Basic ${Buffer.from(`${apiKey}:`).toString('base64')}` }],
  ['a longer scheme', { Authorization: `Bearers ${apiKey}` }],
  ['a malformed key', { Authorization: 'Bearer cck_test_short' }],
  ['a key cut short', { Authorization: `Bearer ${apiKey.slice(0, -1)}` }],
  ['a key with one more character', { Authorization: `Bearer ${apiKey}0` }],
  ['a key in another case', { Authorization: `Bearer ${apiKey.toUpperCase()}` }],
  ['a key with a wrong checksum', { Authorization: `Bearer ${wrongChecksum}` }],
  ['two keys', { Authorization: `Bearer ${apiKey}, Bearer ${apiKey}` }],
  ['a key in another header', { Authorization: undefined, 'X-Api-Key': apiKey }],
];

describe('a request with bad credentials', () => {
  const reject = async (headers: Readonly<Record<string, string | undefined>>): Promise<ApiResponse> => {
    const responses = [
      await createCartOnce(cartBody(), { headers }),
      await getCartOnce(randomUUID(), { headers }),
    ] as const;
    for (const response of responses) expectRejection(response, 'invalidApiKey');
    expectSameBytes(responses);
    return responses[0];
  };

  it.each(BAD_CREDENTIALS)(
    'is rejected with 401 by both operations, with details about the form alone: %s',
    async (_, headers) => {
      expect((await reject(headers)).body['details']).toMatchObject([{ path: 'headers.authorization' }]);
    },
  );

  it('is rejected in the same bytes for every well-formed key', async () => {
    const keys = Object.values(UNKNOWN_KEYS);
    const responses = await Promise.all(keys.map((key) => reject({ Authorization: `Bearer ${key}` })));
    expectSameBytes(responses);
    for (const { body } of responses) expect(body).not.toHaveProperty('details');
  });

  it('is rejected with 401 whatever its payload, product or cart', async () => {
    const unknown = { apiKey: UNKNOWN_KEYS.test };
    const cartId = cartIdOf(await createCart(cartBody()));
    for (const body of ['no JSON', 'x'.repeat(200_000), cartBody({ productDocumentId: 'none' })])
      expectRejection(await createCartOnce(body, unknown), 'invalidApiKey');
    for (const id of [cartId, 'not-a-uuid']) expectRejection(await getCartOnce(id, unknown), 'invalidApiKey');
  });
});

describe('the scheme', () => {
  it.each(['bearer', 'BEARER', 'bEaReR'])('may be %s', async (scheme) => {
    const headers = { Authorization: `${scheme} ${apiKey}` };
    expectInvalid(await createCart('no JSON', { headers }));
    expectRejection(await getCart(randomUUID(), { headers }), 'cartNotFound');
  });

  it('may be followed by two spaces', async () => {
    expectResponse(await getCart(randomUUID(), { headers: { Authorization: `Bearer  ${apiKey}` } }), 404);
  });
});

it('no response contains the key', async () => {
  const responses = [await createCart(cartBody()), await createCart('no JSON'), await getCart(randomUUID())];
  for (const { bodyText, headers } of responses)
    expect(bodyText + JSON.stringify(headers)).not.toContain(apiKey);
});
