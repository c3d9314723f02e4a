import type { ReturnConsumedCapacity } from '@aws-sdk/client-dynamodb';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createPaymentStore } from '../../lib/carts/payment-store.ts';
import { recordPayment } from '../../lib/carts/record-payment.ts';
import { eventLogOf } from '../support/events.ts';
import { cartIdOf } from '../support/http-client.ts';
import { payment, waitingCart } from '../support/payments.ts';
import { cartBody, givenService, type TestService } from '../support/service.ts';

interface Consumed {
  readonly operation: string;
  readonly units: number;
}

interface Capacity {
  readonly CapacityUnits?: number;
}

let service: TestService;
let apiKey: string;
let productId: string;
let consumed: Consumed[];

beforeAll(async () => {
  service = await givenService();
  apiKey = await service.givenKey({ limit: 1_000 });
  productId = await service.givenProduct();
  // Waits for the idempotency secret, which each environment reads once.
  await createCart('order-0');
  // Makes every call return its consumed capacity.
  service.documents.middlewareStack.add(
    (next, { commandName }) =>
      async (call) => {
        const input = { ...call.input, ReturnConsumedCapacity: 'TOTAL' satisfies ReturnConsumedCapacity };
        const result = await next({ ...call, input });
        const { ConsumedCapacity } = result.output as { ConsumedCapacity?: Capacity | Capacity[] };
        const operation = String(commandName).replace('Command', '');
        // A transaction has one capacity for each table.
        const capacities = [ConsumedCapacity].flat();
        const total = capacities.reduce((sum, each) => sum + (each?.CapacityUnits ?? Number.NaN), 0);
        consumed.push({ operation, units: total });
        return result;
      },
    { step: 'initialize', name: 'consumed-capacity' },
  );
});

beforeEach(() => {
  consumed = [];
});

const createCart = async (idempotencyKey?: string): Promise<string> => {
  const headers = { 'Idempotency-Key': idempotencyKey };
  const body = cartBody(productId, { meta: { order: 'A-1' } });
  return cartIdOf(await service.createCart(body, { apiKey, headers }));
};

const units = (): Consumed[] => consumed.toSorted((a, b) => a.operation.localeCompare(b.operation));

describe('with a known key and items under 1 KB', () => {
  it.each([undefined, 'order-1'])(
    'a creation consumes two write units and half a read unit: %s',
    async (key) => {
      await createCart(key);
      expect(units()).toStrictEqual([
        { operation: 'GetItem', units: 0.5 },
        { operation: 'PutItem', units: 1 },
        { operation: 'UpdateItem', units: 1 },
      ]);
    },
  );

  it('a retrieval consumes one write unit and one read unit', async () => {
    const id = await createCart();
    consumed = [];
    await service.getCart(id, { apiKey });
    expect(units()).toStrictEqual([
      { operation: 'GetItem', units: 1 },
      { operation: 'UpdateItem', units: 1 },
    ]);
  });

  it('a read of a live cart by the payment side consumes one read unit, and half a unit for the store', async () => {
    const { cart } = await service.carts.live.create(waitingCart());
    consumed = [];
    await service.getPaymentCart(cart.id);
    expect(units()).toStrictEqual([
      { operation: 'GetItem', units: 1 },
      { operation: 'GetItem', units: 0.5 },
    ]);
  });

  it.each([
    ['succeeds', 'succeeded', { operation: 'TransactWriteItems', units: 4 }],
    ['fails', 'failed', { operation: 'PutItem', units: 1 }],
  ] as const)('a payment that %s consumes one read unit, and writes the cart', async (_, result, write) => {
    const cartId = await createCart();
    consumed = [];
    const payments = createPaymentStore(
      service.documents,
      service.tableNames.testCarts,
      eventLogOf(service, service.clock.now),
    );
    const paid = payment({ result, occurredAtMs: service.clock.now() });
    const stores = { carts: service.carts.test, payments };
    expect(await recordPayment({ cartId, mode: 'test', payment: paid }, stores)).toMatchObject({
      outcome: 'recorded',
    });
    expect(units()).toStrictEqual([{ operation: 'GetItem', units: 1 }, write]);
  });

  it('a 429 that is no longer remembered consumes one read unit and no write unit', async () => {
    const emptyKey = await service.givenKey({ limit: 1, windowSeconds: 3_600 });
    // With an invalid body, only the key is read.
    const create = () => service.createCart('{}', { apiKey: emptyKey });
    await create();
    service.clock.advance(1);
    consumed = [];
    expect((await create()).status).toBe(429);
    expect(units()).toStrictEqual([{ operation: 'GetItem', units: 1 }]);
  });
});
