import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type ApiResponse, cartBody, cartIdOf, createCart, getCart, inputs } from './support/client.ts';
import { expectResponse, expectInvalid, expectSameBytes } from './support/expectations.ts';
import { given } from './support/inputs.ts';

const newKey = (): string => `acceptance-${randomUUID()}`;

const createWith = (
  idempotencyKey: string,
  body: unknown = cartBody(),
  apiKey = inputs.apiKey,
): Promise<ApiResponse> => createCart(body, { apiKey, headers: { 'Idempotency-Key': idempotencyKey } });

/** Expects the very answer of a first request again, marked as such. */
const expectReplay = (answer: ApiResponse, first: ApiResponse): void => {
  expectResponse(answer, 201);
  expect(answer.headers['idempotent-replayed']).toBe('true');
  expectSameBytes([first, answer]);
};

/** The undocumented text is left open. */
const expectReused = (answer: ApiResponse): void => {
  expectResponse(answer, 422);
  expect(answer.body).toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED', message: expect.stringMatching(/./) });
};

describe('the same request with the same Idempotency-Key', () => {
  it('answers the same cart, and says so', async () => {
    const key = newKey();
    const first = await createWith(key);

    expectResponse(first, 201);
    expectReplay(await createWith(key), first);
    expectResponse(await getCart(cartIdOf(first)), 200);
  });

  it('is the same in any order of its fields and of its meta', async () => {
    const key = newKey();
    const first = await createWith(key, cartBody({ meta: { a: '1', b: '2' } }));
    const reversed = Object.entries(cartBody({ meta: { b: '2', a: '1' } })).toReversed();

    expectReplay(await createWith(key, Object.fromEntries(reversed)), first);
  });

  it('is the same with other unknown fields, and with spaces around its names', async () => {
    const key = newKey();
    const first = await createWith(key);
    const { firstName } = cartBody();

    expectReplay(await createWith(key, cartBody({ unknown: 1, firstName: ` ${String(firstName)} ` })), first);
  });

  it('makes one cart, however many come at once', async () => {
    const key = newKey();
    const answers = await Promise.all(Array.from({ length: 5 }, () => createWith(key)));

    for (const answer of answers) expectResponse(answer, 201);
    expectSameBytes(answers);
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
  ])('is refused with 422: another %s', async (_, changes) => {
    const key = newKey();
    expectResponse(await createWith(key), 201);

    expectReused(await createWith(key, cartBody(changes)));
  });

  it('leaves the first cart as it is', async () => {
    const key = newKey();
    const first = await createWith(key);
    await createWith(key, cartBody({ email: 'else@buyer.example' }));

    expectReplay(await createWith(key), first);
  });

  it('is taken if the first one was refused', async () => {
    const key = newKey();
    expectInvalid(await createWith(key, cartBody({ email: 'nobody' })));

    const created = await createWith(key);

    expectResponse(created, 201);
  });
});

describe('an Idempotency-Key', () => {
  it('tells its requests from those of another', async () => {
    expect(cartIdOf(await createWith(newKey()))).not.toBe(cartIdOf(await createWith(newKey())));
  });

  it('may have 255 printable ASCII characters, and no more', async () => {
    const key = `${newKey()} !"#$%&'()*+,-./:;<=>?@[\\]^_{|}~`.padEnd(255, 'x');

    expectResponse(await createWith(key), 201);
    expect(expectInvalid(await createWith(`${key}x`))).toHaveLength(1);
  });

  for (const apiKey of given(inputs.otherApiKey)) {
    for (const productDocumentId of given(inputs.foreignProductId)) {
      it('is one per API key', async () => {
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
