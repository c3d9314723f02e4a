import { beforeAll, describe, expect, it } from 'vitest';
import { expectError } from '../../support/expect-error.ts';
import { cartBody, givenService, type TestService } from '../../support/service.ts';

let service: TestService;
let apiKey: string;
let productId: string;

beforeAll(async () => {
  service = await givenService();
  apiKey = await service.givenKey({ limit: 1_000 });
  productId = await service.givenProduct();
});

const createWith = (idempotencyKey: string, body: string) =>
  service.createCart(body, { apiKey, headers: { 'Idempotency-Key': idempotencyKey } });

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

  it('is rejected for another body', async () => {
    await createWith('order-3', cartBody(productId));
    const other = await createWith('order-3', cartBody(productId, { email: 'else@buyer.example' }));
    expectError(other, 'idempotencyKeyReused');
  });

  it('still finds its cart after the product became unavailable', async () => {
    const id = await service.givenProduct();
    const first = await createWith('order-5', cartBody(id));
    await service.givenProduct({ id, available: false });
    expect((await createWith('order-5', cartBody(id))).bodyText).toBe(first.bodyText);
    expectError(await createWith('order-5', cartBody(id, { phone: '1' })), 'idempotencyKeyReused');
    expectError(await createWith('order-6', cartBody(id)), 'invalidProduct');
  });
});
