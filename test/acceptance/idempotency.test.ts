import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type ApiResponse, cartBody, cartIdOf, createCart, getCart, inputs } from './support/client.ts';
import { expectInvalid, expectResponse, expectSameBytes } from './support/expectations.ts';
import { given } from './support/inputs.ts';

const newKey = (): string => `acceptance-${randomUUID()}`;

const createWith = (
  idempotencyKey: string,
  body: unknown = cartBody(),
  apiKey = inputs.apiKey,
): Promise<ApiResponse> => createCart(body, { apiKey, headers: { 'Idempotency-Key': idempotencyKey } });

/** Expects the first response again, marked as a replay. */
const expectReplay = (response: ApiResponse, first: ApiResponse): void => {
  expectResponse(response, 201);
  expect(response.headers['idempotent-replayed']).toBe('true');
  expectSameBytes([first, response]);
};

/** Expects the code; the contract does not fix the message. */
const expectReused = (response: ApiResponse): void => {
  expectResponse(response, 422);
  expect(response.body).toMatchObject({
    code: 'IDEMPOTENCY_KEY_REUSED',
    message: expect.stringMatching(/./),
  });
};

describe('the same request with the same Idempotency-Key', () => {
  it('returns the same cart, marked as a replay', async () => {
    const key = newKey();
    const first = await createWith(key);
    expectResponse(first, 201);
    expectReplay(await createWith(key), first);
    expectResponse(await getCart(cartIdOf(first)), 200);
  });

  it('may have its fields and its meta in another order', async () => {
    const key = newKey();
    const first = await createWith(key, cartBody({ meta: { a: '1', b: '2' } }));
    const reversed = Object.entries(cartBody({ meta: { b: '2', a: '1' } })).toReversed();
    expectReplay(await createWith(key, Object.fromEntries(reversed)), first);
  });

  it('may have other unknown fields, and spaces around its names', async () => {
    const key = newKey();
    const first = await createWith(key);
    const { firstName } = cartBody();
    expectReplay(await createWith(key, cartBody({ unknown: 1, firstName: ` ${String(firstName)} ` })), first);
  });

  it('creates one cart if five copies are sent together', async () => {
    const key = newKey();
    const responses = await Promise.all(Array.from({ length: 5 }, () => createWith(key)));
    for (const response of responses) expectResponse(response, 201);
    expectSameBytes(responses);
  });
});

describe('another request with the same Idempotency-Key', () => {
  it.each<[string, Record<string, unknown>]>([
    ['e-mail address', { email: 'else@buyer.example' }],
    ['first name', { firstName: 'Else' }],
    ['last name', { lastName: 'Else' }],
    ['phone number', { phone: '1' }],
    ['missing phone number', { phone: undefined }],
    ['return address', { redirectURL: 'https://a.example/' }],
    ['meta', { meta: { a: '1' } }],
  ])('is rejected with 422 and does not change the first cart: another %s', async (_, changes) => {
    const key = newKey();
    const first = await createWith(key);
    expectReused(await createWith(key, cartBody(changes)));
    expectReplay(await createWith(key), first);
  });

  it('is accepted if the first one was rejected', async () => {
    const key = newKey();
    expectInvalid(await createWith(key, cartBody({ email: 'nobody' })));
    expectResponse(await createWith(key), 201);
  });
});

describe('an Idempotency-Key', () => {
  it('creates another cart than another key', async () => {
    expect(cartIdOf(await createWith(newKey()))).not.toBe(cartIdOf(await createWith(newKey())));
  });

  it('may have 255 printable ASCII characters, and no more', async () => {
    const key = `${newKey()} !"#$%&'()*+,-./:;<=>?@[\\]^_{|}~`.padEnd(255, 'x');
    expectResponse(await createWith(key), 201);
    expect(expectInvalid(await createWith(`${key}x`))).toHaveLength(1);
  });

  for (const apiKey of given(inputs.otherApiKey)) {
    for (const productDocumentId of given(inputs.foreignProductId)) {
      it('belongs to one store', async () => {
        const key = newKey();
        const first = await createWith(key);
        const other = await createWith(key, cartBody({ productDocumentId }), apiKey);
        expectResponse(other, 201);
        expect(other.headers).not.toHaveProperty('idempotent-replayed');
        expect(cartIdOf(other)).not.toBe(cartIdOf(first));
      });
    }
  }
});
