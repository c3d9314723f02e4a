import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  cartBody,
  cartIdOf,
  createCart,
  createCartOnce,
  getCart,
  getCartOnce,
  inputs,
} from './support/client.ts';
import { expectResponse, expectInvalid, expectRejection, expectSameBytes } from './support/expectations.ts';

const { apiKey } = inputs;
const wrongChecksum = apiKey.slice(0, -1) + (apiKey.endsWith('0') ? '1' : '0');

/** Both are well-formed, with a true checksum, and issued to nobody. */
const UNKNOWN_KEYS = {
  test: 'cck_test_NoStoreHasThisKeyNoStoreHasThisK03rGA9',
  live: 'cck_live_NoStoreHasThisKeyNoStoreHasThisK3HVIue',
};

const BAD_CREDENTIALS: [string, Record<string, string | undefined>][] = [
  ['none', { Authorization: undefined }],
  ['a scheme without a key', { Authorization: 'Bearer' }],
  ['a key without a scheme', { Authorization: apiKey }],
  ['another scheme', { Authorization: `Basic ${Buffer.from(`${apiKey}:`).toString('base64')}` }],
  ['a scheme that only begins like it', { Authorization: `Bearers ${apiKey}` }],
  ['a malformed key', { Authorization: 'Bearer cck_test_short' }],
  ['a key cut short', { Authorization: `Bearer ${apiKey.slice(0, -1)}` }],
  ['a key with one character more', { Authorization: `Bearer ${apiKey}0` }],
  ['a key in another case', { Authorization: `Bearer ${apiKey.toUpperCase()}` }],
  ['a key whose checksum is wrong', { Authorization: `Bearer ${wrongChecksum}` }],
  ['two keys', { Authorization: `Bearer ${apiKey}, Bearer ${apiKey}` }],
  ['a key in another header', { Authorization: undefined, 'X-Api-Key': apiKey }],
  ['an unknown key', { Authorization: `Bearer ${UNKNOWN_KEYS.test}` }],
  ['an unknown live key', { Authorization: `Bearer ${UNKNOWN_KEYS.live}` }],
];

describe.each(BAD_CREDENTIALS)('credentials that are %s', (_, headers) => {
  it('are refused with 401 when a cart is created', async () => {
    expectRejection(await createCartOnce(cartBody(), { headers }), 'invalidApiKey');
  });

  it('are refused with 401 when a cart is retrieved', async () => {
    expectRejection(await getCartOnce(randomUUID(), { headers }), 'invalidApiKey');
  });
});

describe('a refusal with 401', () => {
  it('is the same bytes for whatever reason, on both operations', async () => {
    const answers = [];
    for (const [, headers] of BAD_CREDENTIALS) {
      answers.push(
        await createCartOnce(cartBody(), { headers }),
        await getCartOnce(randomUUID(), { headers }),
      );
    }

    expectSameBytes(answers);
  });

  it('comes before any other: a stranger learns nothing of payload, product or cart', async () => {
    const stranger = { apiKey: UNKNOWN_KEYS.test };
    const cartId = cartIdOf(await createCart(cartBody()));

    expectRejection(await createCartOnce('no JSON', stranger), 'invalidApiKey');
    expectRejection(await createCartOnce('x'.repeat(200_000), stranger), 'invalidApiKey');
    expectRejection(await createCartOnce(cartBody({ productDocumentId: 'none' }), stranger), 'invalidApiKey');
    expectRejection(await getCartOnce(cartId, stranger), 'invalidApiKey');
    expectRejection(await getCartOnce('not-a-uuid', stranger), 'invalidApiKey');
  });
});

describe('the scheme', () => {
  it.each(['bearer', 'BEARER', 'bEaReR'])('is understood as %s', async (scheme) => {
    const headers = { Authorization: `${scheme} ${apiKey}` };

    expectInvalid(await createCart('no JSON', { headers }));
    expectRejection(await getCart(randomUUID(), { headers }), 'cartNotFound');
  });

  it('is understood before two spaces', async () => {
    const answer = await getCart(randomUUID(), { headers: { Authorization: `Bearer  ${apiKey}` } });

    expectResponse(answer, 404);
  });
});

it('no answer repeats the key', async () => {
  const answers = [await createCart(cartBody()), await createCart('no JSON'), await getCart(randomUUID())];

  for (const { bodyText, headers } of answers)
    expect(bodyText + JSON.stringify(headers)).not.toContain(apiKey);
});
