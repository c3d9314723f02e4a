import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createCartArchive } from '../../../lib/carts/cart-archive.ts';
import { createCartStore } from '../../../lib/carts/cart-store.ts';
import { type Cart, CART_STATUSES, type CartStatus } from '../../../lib/carts/cart.ts';
import { createPaymentStore } from '../../../lib/carts/payment-store.ts';
import { recordPayment } from '../../../lib/carts/record-payment.ts';
import { givenDatabase } from '../../support/database.ts';
import { eventLogOf, lateErasuresOf } from '../../support/events.ts';
import { EXPIRES_AT_MS, payment, waitingCart } from '../../support/payments.ts';
import { byId } from '../../support/products.ts';

const { documents, tableNames } = await givenDatabase();
const carts = createCartStore(documents, tableNames.carts);
const archive = createCartArchive(documents, [tableNames.carts, tableNames.testCarts]);

/** The carts of a new store, sorted by id. */
const givenCarts = async (...changes: readonly Partial<Cart>[]): Promise<readonly [string, Cart[]]> => {
  const storeId = randomUUID();
  const made = changes.map((each) => waitingCart({ storeId, ...each }));
  for (const cart of made) await carts.create(cart);
  return [storeId, byId(made)];
};

describe('a search of carts', () => {
  it("finds a store's carts with any status or with one, and counts expired ones as abandoned", async () => {
    const [storeId, made] = await givenCarts(
      { id: 'waiting', expiresAtMs: EXPIRES_AT_MS + 1 },
      { id: 'expired', mode: 'test' },
      { id: 'failed', status: 'payment_failed' },
      { id: 'paid', status: 'completed' },
    );
    const search = (status?: CartStatus) => archive.search({ storeId, status, nowMs: EXPIRES_AT_MS });
    expect(byId(await search())).toStrictEqual(made);
    expect(await archive.search({ storeId: 'store-1', nowMs: EXPIRES_AT_MS })).toStrictEqual([]);
    const idsOf = async (status: CartStatus) => (await search(status)).map(({ id }) => id);
    expect(await Promise.all(CART_STATUSES.map(idsOf))).toStrictEqual([
      ['waiting'],
      ['paid'],
      ['expired'],
      ['failed'],
    ]);
  });

  it('finds no claim of a payment, which is in the table of its cart', async () => {
    const [storeId, [cart]] = await givenCarts({});
    const payments = createPaymentStore(
      documents,
      tableNames.carts,
      eventLogOf({ documents, tableNames }),
      lateErasuresOf({ documents, tableNames }),
    );
    const event = { cartId: cart?.id ?? '', mode: 'live', payment: payment() } as const;
    expect(await recordPayment(event, { carts, payments })).toMatchObject({ outcome: 'recorded' });
    const found = await archive.search({ storeId, nowMs: EXPIRES_AT_MS });
    expect(found).toMatchObject([{ id: cart?.id, status: 'completed' }]);
  });

  it('reads every page of a table', async () => {
    // DynamoDB ends a page at 1 MB.
    const meta = { text: 'x'.repeat(100_000) };
    const [storeId, made] = await givenCarts(...Array.from({ length: 15 }, () => ({ meta })));
    const found = await archive.search({ storeId, status: 'waiting_payment', nowMs: EXPIRES_AT_MS - 1 });
    expect(byId(found)).toStrictEqual(made);
  });
});
