import { beforeAll, describe, expect, it } from 'vitest';
import { expectError } from '../../support/expect-error.ts';
import { cartIdOf } from '../../support/http-client.ts';
import { cartBody, givenService, type TestService } from '../../support/service.ts';

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

describe('a request with an Idempotency-Key', () => {
  it('is replayed: the response is the same, is marked, and costs a token too', async () => {
    const first = await createWith('order-1', cartBody(productId));
    service.clock.advance(1);
    const retry = await createWith('order-1', cartBody(productId));
    expect(first.headers).not.toHaveProperty('idempotent-replayed');
    expect(retry.headers['idempotent-replayed']).toBe('true');
    expect([retry.status, retry.bodyText]).toStrictEqual([201, first.bodyText]);
    service.clock.advance(60);
    const before = await createWith('order-1', cartBody(productId));
    const after = await createWith('order-1', cartBody(productId));
    const [left, leftAfter] = [before, after].map(({ headers }) => Number(headers['x-ratelimit-remaining']));
    expect(leftAfter).toBe(Number(left) - 1);
  });

  it('creates a cart whose id is a UUID of version 8', async () => {
    expect(cartIdOf(await createWith('order-2', cartBody(productId)))).toMatch(/^.{14}8.{4}[89ab]/);
  });

  it('is rejected for another body', async () => {
    await createWith('order-3', cartBody(productId));
    const other = await createWith('order-3', cartBody(productId, { email: 'else@buyer.example' }));
    expectError(other, 'idempotencyKeyReused');
  });

  it('is the same request in another order of fields and meta', async () => {
    const first = await createWith('order-4', cartBody(productId, { meta: { a: '1', b: '2' } }));
    const fields = JSON.parse(cartBody(productId, { meta: { b: '2', a: '1' } })) as object;
    const reordered = JSON.stringify(Object.fromEntries(Object.entries(fields).toReversed()));
    expect((await createWith('order-4', reordered)).bodyText).toBe(first.bodyText);
  });

  it('still finds its cart after the product became unavailable', async () => {
    const id = await service.givenProduct();
    const first = await createWith('order-5', cartBody(id));
    await service.givenProduct({ id, available: false });
    expect((await createWith('order-5', cartBody(id))).bodyText).toBe(first.bodyText);
    expectError(await createWith('order-5', cartBody(id, { phone: '1' })), 'idempotencyKeyReused');
    expectError(await createWith('order-6', cartBody(id)), 'invalidProduct');
  });

  it('is another request under another API key', async () => {
    const first = await createWith('order-7', cartBody(productId));
    const other = await createWith('order-7', cartBody(productId, { phone: '1' }), await service.givenKey());
    expect(other.status).toBe(201);
    expect(cartIdOf(other)).not.toBe(cartIdOf(first));
  });

  it('may have 255 characters, and every printable one', async () => {
    const printable = String.fromCodePoint(...Array.from({ length: 95 }, (_, index) => 32 + index)).trim();
    for (const key of [printable, 'x'.repeat(255)])
      expect((await createWith(key, cartBody(productId))).status).toBe(201);
  });
});
