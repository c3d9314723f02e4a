import { beforeAll, describe, expect, it } from 'vitest';
import { expectError } from '../../support/expect-error.ts';
import { cartBody, givenService, STORE_ID, type TestService } from '../../support/service.ts';

let service: TestService;
let apiKey: string;
let productId: string;

beforeAll(async () => {
  service = await givenService();
  apiKey = await service.givenKey({ limit: 1_000 });
  productId = await service.givenProduct();
});

const createWith = (idempotencyKey: string, body: string, key = apiKey) =>
  service.createCart(body, { apiKey: key, headers: { 'Idempotency-Key': idempotencyKey } });

describe('an Idempotency-Key', () => {
  it('makes a retry answer the very cart of the first request, and says so', async () => {
    const first = await createWith('order-1', cartBody(productId));
    service.clock.advance(1);
    const retry = await createWith('order-1', cartBody(productId));
    expect(first.headers).not.toHaveProperty('idempotent-replayed');
    expect(retry.headers['idempotent-replayed']).toBe('true');
    expect([retry.status, retry.bodyText]).toStrictEqual([201, first.bodyText]);
  });

  it('names the cart by a UUID of version 8', async () => {
    const { body } = await createWith('order-2', cartBody(productId));
    expect((body['cart'] as { id: string }).id).toMatch(/^.{14}8.{4}[89ab]/);
  });

  it('refuses another body', async () => {
    await createWith('order-3', cartBody(productId));
    const other = await createWith('order-3', cartBody(productId, { email: 'else@buyer.example' }));
    expectError(other, 'idempotencyKeyReused');
  });

  it('sees the same request in another order of fields and meta', async () => {
    const first = await createWith('order-4', cartBody(productId, { meta: { a: '1', b: '2' } }));
    const fields = JSON.parse(cartBody(productId, { meta: { b: '2', a: '1' } })) as object;
    const reordered = JSON.stringify(Object.fromEntries(Object.entries(fields).toReversed()));
    expect((await createWith('order-4', reordered)).bodyText).toBe(first.bodyText);
  });

  it('still finds the cart after the product became unavailable', async () => {
    const id = await service.givenProduct();
    const first = await createWith('order-5', cartBody(id));
    await service.givenProduct({ id, available: false });
    expect((await createWith('order-5', cartBody(id))).bodyText).toBe(first.bodyText);
    expectError(await createWith('order-5', cartBody(id, { phone: '1' })), 'idempotencyKeyReused');
    expectError(await createWith('order-6', cartBody(id)), 'invalidProduct');
  });

  it('belongs to one API key', async () => {
    const otherKey = await service.givenKey({ storeId: STORE_ID });
    const first = await createWith('order-7', cartBody(productId));
    const other = await createWith('order-7', cartBody(productId, { phone: '1' }), otherKey);
    expect(other.status).toBe(201);
    expect(other.body['cart']).not.toHaveProperty('id', (first.body['cart'] as { id: string }).id);
  });

  it('spends a token on a replay too', async () => {
    const first = await createWith('order-8', cartBody(productId));
    const retry = await createWith('order-8', cartBody(productId));
    const remaining = (headers: Readonly<Record<string, string>>) => Number(headers['x-ratelimit-remaining']);
    expect(remaining(retry.headers)).toBe(remaining(first.headers) - 1);
  });

  it.each([
    ['empty', ''],
    ['256 characters', 'x'.repeat(256)],
    ['a letter beyond ASCII', 'clé'],
    ['a control character', 'a\tb'],
  ])('is refused if it is %s', async (_, idempotencyKey) => {
    const answer = await createWith(idempotencyKey, cartBody(productId));
    expectError(answer, 'invalidPayload');
    expect(answer.body['details']).toStrictEqual([
      { path: 'headers.idempotency-key', message: 'Must be 1 to 255 printable ASCII characters' },
    ]);
  });

  it('may have 255 characters, and any printable one', async () => {
    const printable = String.fromCodePoint(...Array.from({ length: 95 }, (_, i) => 32 + i));
    expect((await createWith(printable.trim(), cartBody(productId))).status).toBe(201);
    expect((await createWith('x'.repeat(255), cartBody(productId))).status).toBe(201);
  });
});
