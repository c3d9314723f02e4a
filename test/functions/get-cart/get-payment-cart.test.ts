import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { getPaymentCart } from '../../../functions/get-cart/get-payment-cart.ts';
import { paymentCartSchema } from '../../../functions/get-cart/payment-cart-contract.ts';
import { toCartItem } from '../../../lib/carts/cart-item.ts';
import type { Cart } from '../../../lib/carts/cart.ts';
import { API_ERRORS } from '../../../lib/http/errors.ts';
import type { Mode } from '../../../lib/stores/mode.ts';
import { expectError } from '../../support/contract/expect-error.ts';
import { EXPIRES_AT_MS, payment, waitingCart } from '../../support/domain/payments.ts';
import { invoke } from '../../support/functions/invoke.ts';
import { logged } from '../../support/logs/log-lines.ts';
import { BUYER, findSecrets } from '../../support/secrets.ts';
import { givenFaultyService, INTERNAL_TEXT, OUTAGES } from '../../support/service/faulty-service.ts';
import { givenService } from '../../support/service/service.ts';
import { givenSandbox } from '../sandbox-checkout/sandbox.ts';

const SHOP = 'https://shop.example/thanks';

const service = await givenService();

/** Stores a cart in the table of a mode. Returns its id. */
const givenCart = async (changes: Partial<Cart> = {}, table: Mode = 'live'): Promise<string> => {
  const { cart } = await service.carts[table].create(waitingCart({ returnUrl: SHOP, ...changes }));
  return cart.id;
};

/** Reads a cart, and asserts that the response has the documented fields and no other. */
const read = async (id: string): Promise<Record<string, unknown>> => {
  const { status, body } = await service.getPaymentCart(id);
  expect(status).toBe(200);
  paymentCartSchema.parse(body);
  return body;
};

describe('200', () => {
  it('has the price, the buyer, the store and the addresses for the return', async () => {
    await service.stores.put({ id: 'store-1', name: 'Ada’s Courses', createdAtMs: 0 });
    const id = await givenCart({ customerInfo: { ...BUYER, lang: 'fr-CA' } });
    expect(await read(id.toUpperCase())).toStrictEqual({
      id,
      mode: 'live',
      status: 'waiting_payment',
      expiresAt: '2026-01-15T13:00:00.250Z',
      store: { id: 'store-1', name: 'Ada’s Courses' },
      product: { id: 'course', name: 'Course' },
      price: { amount: 19.99, currency: 'EUR' },
      customerInfo: { ...BUYER, lang: 'fr-CA' },
      returnUrls: {
        succeeded: `${SHOP}?cartId=${id}&status=completed`,
        failed: `${SHOP}?cartId=${id}&status=payment_failed`,
        left: `${SHOP}?cartId=${id}&status=waiting_payment`,
      },
    });
  });

  it('names a store without a record by its id', async () => {
    expect(await read(await givenCart({ storeId: 'store-2' }))).toMatchObject({
      store: { id: 'store-2', name: 'store-2' },
    });
  });

  it.each(['test', 'live'] as const)(
    'also has a test cart, from the table of this mode: %s',
    async (table) => {
      expect(await read(await givenCart({ mode: 'test' }, table))).toMatchObject({ mode: 'test' });
    },
  );

  it('has no return address if the merchant gave none', async () => {
    expect(await read(await givenCart({ returnUrl: undefined }))).not.toHaveProperty('returnUrls');
  });

  it.each([
    ['payment_failed', { status: 'payment_failed' }],
    ['completed', { status: 'completed', paymentId: randomUUID() }],
    ['abandoned', { expiresAtMs: EXPIRES_AT_MS - 30 * 60_000 }],
  ] as const)('has the status at the time of the request: %s', async (status, changes) => {
    expect(await read(await givenCart(changes))).toMatchObject({ status });
  });
});

describe('the addresses for the return', () => {
  const PAID = payment();
  const OUTCOMES = { succeeded: 'pay', failed: 'decline', left: 'leave' } as const;

  it.each([
    ['a waiting cart', {}],
    ['a cart whose payment failed', { status: 'payment_failed' }],
    ['an expired cart', { expiresAtMs: EXPIRES_AT_MS - 30 * 60_000 }],
    ['a completed cart', { status: 'completed', paymentId: PAID.paymentId, payments: [PAID] }],
    ['a cart with a placeholder', { returnUrl: `${SHOP}/{CART_ID}?a=1` }],
  ] as const)('are those to which the page of test mode sends the buyer: %s', async (_, changes) => {
    const sandbox = await givenSandbox();
    const { carts, stores, clock } = sandbox;
    const handler = getPaymentCart({
      carts: { live: carts, test: carts },
      stores,
      now: clock.now,
    });
    for (const [outcome, action] of Object.entries(OUTCOMES)) {
      const cartId = await sandbox.givenCart(changes);
      const { bodyText } = await invoke(handler, 'getPaymentCart', { pathParameters: { cartId } }, clock.now);
      const { headers } = await sandbox.submit(cartId, `action=${action}`);
      expect(JSON.parse(bodyText)).toHaveProperty(['returnUrls', outcome], headers['location']);
    }
  });
});

describe('an error', () => {
  it('is the same 404 for unknown and malformed ids', async () => {
    const { code, message } = API_ERRORS.cartNotFound;
    for (const id of [randomUUID(), 'not-a-uuid', '__proto__']) {
      const { status, headers, body } = await service.getPaymentCart(id);
      expect({ status, body }).toStrictEqual({ status: 404, body: { code, message } });
      expect(Object.keys(headers).toSorted()).toStrictEqual([
        'cache-control',
        'content-type',
        'link',
        'x-request-id',
      ]);
    }
  });

  it.each(Object.entries(OUTAGES))('is 503 during an outage of the database: %s', async (_, fail) => {
    const faulty = givenFaultyService();
    faulty.when('read', () => Promise.reject(fail()));
    const response = await faulty.service.getPaymentCart(randomUUID());
    expectError(response, 'serviceUnavailable');
    expect(JSON.stringify(response)).not.toContain(INTERNAL_TEXT);
  });
});

it('a live cart takes one read of the carts and one of the stores, within the budget of a request', async () => {
  const faulty = givenFaultyService();
  faulty.when('read', () => ({ Item: toCartItem(waitingCart()) }));
  faulty.script('Get', () => ({}), 'stores');
  expect((await faulty.service.getPaymentCart(randomUUID())).status).toBe(200);
  expect(faulty.calls.map(({ signal }) => signal)).toStrictEqual([
    expect.any(AbortSignal),
    expect.any(AbortSignal),
  ]);
});

it('the log line has neither the buyer nor the return address', async () => {
  const id = await givenCart();
  const lines = await logged(() => service.getPaymentCart(id));
  expect(lines).toMatchObject([{ operation: 'getPaymentCart', status: 200, mode: 'none' }]);
  expect(findSecrets(JSON.stringify(lines))).toStrictEqual([]);
  expect(JSON.stringify(lines)).not.toContain('shop.example');
});
