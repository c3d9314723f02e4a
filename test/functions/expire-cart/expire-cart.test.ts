import { randomUUID } from 'node:crypto';
import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it, vi } from 'vitest';
import type { Payment } from '../../../lib/carts/payment.ts';
import { recordPaymentEvent } from '../../../lib/payments/record-payment-event.ts';
import type { ApiResponse } from '../../support/contract/contract.ts';
import { expectError } from '../../support/contract/expect-error.ts';
import { cartBody } from '../../support/domain/cart-body.ts';
import { paymentRecordRepositoryOf } from '../../support/domain/event-logs.ts';
import { expiryJobOf, handleExpired } from '../../support/domain/expiries.ts';
import { payment } from '../../support/domain/payments.ts';
import { DAY_LIFETIME } from '../../support/functions/dependencies.ts';
import { logged } from '../../support/logs/log-lines.ts';
import { cartIdOf } from '../../support/service/http-client.ts';
import { givenService } from '../../support/service/service.ts';

const service = await givenService();
/** A live key of a store of its own. */
const apiKey = await service.givenKey({ mode: 'live', limit: 1_000 });

const givenCart = async (changes: Record<string, unknown> = {}, key = apiKey): Promise<string> =>
  cartIdOf(await service.createCart(cartBody(await service.givenProduct(), changes), { apiKey: key }));

const expire = (cartId: string, key = apiKey): Promise<ApiResponse> =>
  service.send('expireCart', { pathParameters: { cartId }, apiKey: key });

const pay = (cartId: string, changes: Partial<Payment> = {}) =>
  recordPaymentEvent(
    { cartId, mode: 'live', payment: payment({ occurredAtMs: service.clock.now(), ...changes }) },
    {
      carts: service.carts.live,
      paymentRecords: paymentRecordRepositoryOf(service, 'carts', service.clock.now),
    },
  );

/** The types of the events of a cart, oldest first. */
const eventsOfCart = async (cartId: string): Promise<string[]> => {
  const { body } = await service.send('listEvents', { apiKey });
  const events = body['events'] as { type: string; data: { id: string } }[];
  return events.filter(({ data }) => data.id === cartId).map(({ type }) => type);
};

describe('a cart that waits for payment', () => {
  it('is abandoned at once, as its retrieval and its event show it', async () => {
    const id = await givenCart({ meta: { order: 'A-1' } });
    service.clock.advance(60);
    const { status, body } = await expire(id);
    expect(status).toBe(200);
    const now = new Date(service.clock.now()).toISOString();
    expect(body).toMatchObject({
      id,
      status: 'abandoned',
      expiresAt: now,
      updatedAt: now,
      meta: { order: 'A-1' },
    });
    expect((await service.getCart(id, { apiKey })).body).toStrictEqual(body);
    expect(await eventsOfCart(id)).toStrictEqual(['cart.abandoned']);
  });

  it('has the same response each time, and one event, also when its original expiry comes', async () => {
    const id = await givenCart();
    const first = await expire(id);
    service.clock.advance(2 * 86_400);
    expect((await expire(id)).body).toStrictEqual(first.body);
    expect(await handleExpired(expiryJobOf(service, service.clock.now), [id])).toBe(0);
    expect((await expire(id)).body).toStrictEqual(first.body);
    expect(await eventsOfCart(id)).toStrictEqual(['cart.abandoned']);
  });

  it('is deleted as long after its end as any other cart', async () => {
    const id = await givenCart();
    service.clock.advance(60);
    await expire(id);
    const { expiresAtMs, deleteAtSeconds } = (await service.carts.live.find(id))!;
    expect(Number(deleteAtSeconds) - expiresAtMs / 1_000).toBeCloseTo(DAY_LIFETIME.retentionSeconds, -1);
  });

  it('is counted by its first abandonment only, and in live mode only', async () => {
    const testKey = await service.givenKey();
    const countedBy = async (id: string, key?: string): Promise<Record<string, unknown>[]> => {
      const lines = await logged(() => expire(id, key));
      return lines.filter((line) => 'CartsAbandoned' in line);
    };
    const id = await givenCart();
    expect(await countedBy(id)).toMatchObject([{ CartsAbandoned: 1, mode: 'live' }]);
    expect(await countedBy(id)).toStrictEqual([]);
    expect(await countedBy(await givenCart({}, testKey), testKey)).toStrictEqual([]);
  });

  it('is abandoned for a process whose clock is behind, too', async () => {
    const id = await givenCart();
    const { body } = await expire(id);
    service.clock.advance(-1);
    const repeated = await expire(id);
    service.clock.advance(1);
    expect(repeated.body).toStrictEqual(body);
  });

  it('keeps its expiry if that has passed', async () => {
    const id = await givenCart();
    service.clock.advance(86_400 + 60);
    const { body } = await expire(id);
    expect(body).toStrictEqual((await service.getCart(id, { apiKey })).body);
    expect(Date.parse(String(body['expiresAt']))).toBe(service.clock.now() - 60_000);
  });

  it('is completed late by a payment that comes after its end', async () => {
    const id = await givenCart();
    await expire(id);
    service.clock.advance(1);
    expect(await pay(id)).toMatchObject({
      outcome: 'recorded',
      cart: { status: 'completed', latePayment: true },
    });
    expect(await eventsOfCart(id)).toStrictEqual(['cart.abandoned', 'cart.completed']);
    expectError(await expire(id), 'cartCompleted');
  });
});

describe('a cart with a payment', () => {
  it.each([
    ['succeeded', 'cartCompleted'],
    ['failed', 'cartPaymentFailed'],
  ] as const)('does not change: the payment %s, so the error is %s', async (result, error) => {
    const id = await givenCart();
    await pay(id, { result });
    const before = await service.carts.live.find(id);
    expectError(await expire(id), error);
    expect(await service.carts.live.find(id)).toStrictEqual(before);
  });

  it('is completed, and abandoned before or not at all, if payment and end come at once', async () => {
    for (let round = 0; round < 10; round += 1) {
      const id = await givenCart();
      const [paid, ended] = await Promise.all([pay(id), expire(id)]);
      expect(paid.outcome).toBe('recorded');
      expect(await service.carts.live.find(id)).toMatchObject({ status: 'completed' });
      const isEnded = ended.status === 200;
      expect(ended.body).toMatchObject(isEnded ? { status: 'abandoned' } : { code: 'CART_COMPLETED' });
      expect(await eventsOfCart(id)).toStrictEqual([
        ...(isEnded ? ['cart.abandoned'] : []),
        'cart.completed',
      ]);
    }
  });
});

describe('an unknown cart', () => {
  it.each(['no-uuid', randomUUID()])('is a 404: %s', async (id) => {
    expectError(await expire(id), 'cartNotFound');
  });

  it('is one that is deleted between its read and its change', async () => {
    const id = await givenCart();
    const { find } = service.carts.live;
    vi.spyOn(service.carts.live, 'find').mockImplementationOnce(async (...args) => {
      const stored = await find(...args);
      await service.documents.send(new DeleteCommand({ TableName: service.tableNames.carts, Key: { id } }));
      return stored;
    });
    expectError(await expire(id), 'cartNotFound');
  });

  it('is one of another store or mode, which does not change', async () => {
    const id = await givenCart();
    for (const key of [
      await service.givenKey({ mode: 'live', storeId: 'another-store' }),
      await service.givenKey({ mode: 'test' }),
    ]) {
      expectError(await expire(id, key), 'cartNotFound');
    }
    expect((await service.getCart(id, { apiKey })).body).toMatchObject({ status: 'waiting_payment' });
  });
});

describe('the life that a create request chooses', () => {
  const expiresIn = async (expiresInMinutes: unknown): Promise<ApiResponse> =>
    service.createCart(cartBody(await service.givenProduct(), { expiresInMinutes }), { apiKey });

  it.each([30, 45, 1_440])('ends after %i minutes', async (minutes) => {
    const { body } = await service.getCart(cartIdOf(await expiresIn(minutes)), { apiKey });
    const times = body as { createdAt: string; expiresAt: string };
    expect(Date.parse(times.expiresAt) - Date.parse(times.createdAt)).toBe(minutes * 60_000);
  });

  it.each([
    [29, 'Must be at least 30'],
    [30.5, 'Must be a whole number of minutes'],
    ['30', 'Must be a number, not a string'],
    [1_441, 'Must be at most 1440'],
  ])('is rejected outside its bounds: %j', async (minutes, message) => {
    const response = await expiresIn(minutes);
    expectError(response, 'invalidPayload');
    expect(response.body['details']).toStrictEqual([{ path: 'expiresInMinutes', message }]);
  });

  it("is the stage's by default, and a retry with another one is another request", async () => {
    const id = await givenCart({ expiresInMinutes: null });
    const { body } = await service.getCart(id, { apiKey });
    const times = body as { createdAt: string; expiresAt: string };
    expect(Date.parse(times.expiresAt) - Date.parse(times.createdAt)).toBe(86_400_000);
    const product = await service.givenProduct();
    const retry = { apiKey, headers: { 'Idempotency-Key': 'order-1' } };
    expect((await service.createCart(cartBody(product, { expiresInMinutes: 30 }), retry)).status).toBe(201);
    expectError(
      await service.createCart(cartBody(product, { expiresInMinutes: 31 }), retry),
      'idempotencyKeyReused',
    );
  });
});
