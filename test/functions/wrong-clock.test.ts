import type { CartEvent } from '../../lib/carts/cart-event.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { OperationName } from '../../functions/operations.ts';
import type { TableKind } from '../../infra/tables.ts';
import { ENV_NAMES } from '../../lib/core/env-names.ts';
import type { ProxyFunction } from '../../lib/http/pipeline.ts';
import { givenDatabase } from '../support/database.ts';
import { invoke, type OperationRequest } from '../support/invoke.ts';
import { waitingCart } from '../support/payments.ts';
import { fixedProduct } from '../support/products.ts';
import { cartBody, composeService, type TestService } from '../support/service.ts';
import { batchOf, eventAbout } from './record-payment/events.ts';

const HOUR_MS = 3_600_000;

/** The clock of the gateway and of DynamoDB. Only the `Date` of the functions is wrong. */
const trueNow = (): number => performance.timeOrigin + performance.now();

afterEach(() => {
  vi.useRealTimers();
  vi.resetModules();
});

describe.each([
  ['an hour', HOUR_MS],
  ['25 hours', 25 * HOUR_MS],
])('on a machine whose clock is %s ahead', (_, aheadMs) => {
  let service: TestService;
  let apiKey: string;
  let productId: string;
  let startedAtMs: number;

  beforeEach(async () => {
    const database = await givenDatabase();
    service = composeService(database);
    productId = await service.givenProduct();
    apiKey = await service.givenKey();
    vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', database.endpoint);
    for (const [kind, name] of Object.entries(database.tableNames)) {
      vi.stubEnv(ENV_NAMES[`${kind as TableKind}Table`], name);
    }
    startedAtMs = Math.floor(trueNow());
    vi.resetModules();
    vi.useFakeTimers({ now: startedAtMs + aheadMs, toFake: ['Date'] });
  });

  /** Sends a request to a function in a new environment of Lambda. */
  const send = async <Body = Readonly<Record<string, string>>>(
    name: OperationName,
    functionName: string,
    request: OperationRequest,
  ): Promise<Body> => {
    vi.resetModules();
    const { handler } = (await import(`../../functions/${functionName}/handler.ts`)) as {
      readonly handler: ProxyFunction;
    };
    const headers = { Authorization: `Bearer ${apiKey}`, ...request.headers };
    const response = await invoke(handler, name, { ...request, headers }, () => Math.floor(trueNow()));
    return JSON.parse(response.bodyText) as Body;
  };

  const createCart = async (): Promise<Readonly<Record<string, string>>> => {
    const headers = { 'Content-Type': 'application/json' };
    const request = { headers, body: cartBody(productId) };
    const created = await send<{ cart: Record<string, string> }>(
      'createCartCheckout',
      'create-cart-checkout',
      request,
    );
    return created.cart;
  };

  const expectTrueTime = (text: string | undefined): void => {
    const timeMs = Date.parse(text ?? '');
    // DynamoDB's time has whole seconds.
    expect(timeMs).toBeGreaterThan(startedAtMs - 1_000);
    expect(timeMs).toBeLessThan(trueNow() + 2_000);
  };

  it('a cart is created now', async () => {
    const { createdAt, updatedAt } = await createCart();
    expectTrueTime(createdAt);
    expectTrueTime(updatedAt);
  });

  it.each([
    ['its merchant', 'getCart'],
    ['the payment side', 'getPaymentCart'],
  ] as const)('a cart that waits is shown to %s as waiting', async (_receiver, name) => {
    const expiresAtMs = startedAtMs + 24 * HOUR_MS;
    const { cart } = await service.carts.test.create(
      waitingCart({ mode: 'test', expiresAtMs, deleteAtSeconds: undefined }),
    );
    const pathParameters = { cartId: cart.id };
    expect(await send(name, 'get-cart', { pathParameters })).toMatchObject({ status: 'waiting_payment' });
  });

  it('a payment is recorded now, and its event is listed', async () => {
    const { id = '' } = await createCart();
    vi.resetModules();
    const { handler: recordPayments } = await import('../../functions/record-payment/handler.ts');
    const occurredAt = new Date(Math.floor(trueNow())).toISOString();
    const payment = eventAbout(id, { mode: 'test', occurredAt, ...fixedProduct().pricing });
    expect(await recordPayments(batchOf([payment], 1))).toStrictEqual({ batchItemFailures: [] });

    const { events } = await send<{ events: CartEvent[] }>('listEvents', 'list-events', {});
    expect(events).toMatchObject([{ type: 'cart.completed', data: { id } }]);
    expectTrueTime(events[0]?.timestamp);
  });
});
