import { randomUUID } from 'node:crypto';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { cartScan, type CartFilter } from '../../../../infra/operate/shared/cart-scan.ts';
import { createCartRepository } from '../../../../lib/carts/cart-repository.ts';
import { type Cart, CART_STATUSES } from '../../../../lib/carts/cart.ts';
import { recordPaymentEvent } from '../../../../lib/payments/record-payment-event.ts';
import { givenDatabase } from '../../../support/database/database.ts';
import { paymentRecordRepositoryOf } from '../../../support/domain/event-logs.ts';
import { EXPIRES_AT_MS, payment, waitingCart } from '../../../support/domain/payments.ts';
import { byId } from '../../../support/domain/products.ts';
import { BUYER } from '../../../support/secrets.ts';

const { documents, tableNames } = await givenDatabase();
const carts = createCartRepository(documents, tableNames.carts, () => EXPIRES_AT_MS);

/** The carts of a new store, sorted by id. */
const givenCarts = async (...changes: readonly Partial<Cart>[]): Promise<readonly [string, Cart[]]> => {
  const storeId = randomUUID();
  const made = changes.map((each) => waitingCart({ storeId, ...each }));
  for (const cart of made) await carts.create(cart);
  return [storeId, byId(made)];
};

/** All carts of both tables that match a filter. */
const find = async (filter: Omit<CartFilter, 'nowMs'> & Partial<CartFilter>): Promise<readonly Cart[]> => {
  const found = [tableNames.carts, tableNames.testCarts].map(async (table) => {
    const scan = cartScan(table, { nowMs: EXPIRES_AT_MS, ...filter });
    return (await documents.send(new ScanCommand(scan))).Items as Cart[];
  });
  return (await Promise.all(found)).flat();
};

const idsOf = async (filter: Parameters<typeof find>[0]): Promise<string[]> =>
  (await find(filter)).map(({ id }) => id);

describe('a scan of carts', () => {
  it("finds a store's carts with any status or with one, and counts expired ones as abandoned", async () => {
    const [storeId, made] = await givenCarts(
      { id: 'waiting', expiresAtMs: EXPIRES_AT_MS + 1 },
      { id: 'expired', mode: 'test' },
      { id: 'failed', status: 'payment_failed' },
      { id: 'paid', status: 'completed' },
    );
    expect((await idsOf({ storeId })).toSorted()).toStrictEqual(made.map(({ id }) => id));
    expect(await idsOf({ storeId: 'store-1' })).toStrictEqual([]);
    const found = CART_STATUSES.map((status) => idsOf({ storeId, status }));
    expect(await Promise.all(found)).toStrictEqual([['waiting'], ['paid'], ['expired'], ['failed']]);
    expect(await idsOf({ storeId, mode: 'test' })).toStrictEqual(['expired']);
  });

  it('finds no cart past its deletion time', async () => {
    const [storeId, [cart]] = await givenCarts({});
    const deletedAtMs = cart!.deleteAtSeconds! * 1_000;
    expect(await idsOf({ storeId, nowMs: deletedAtMs - 1 })).toStrictEqual([cart?.id]);
    expect(await idsOf({ storeId, nowMs: deletedAtMs })).toStrictEqual([]);
  });

  it('finds the carts created from one time until before another one', async () => {
    const [storeId] = await givenCarts(
      ...[1, 2, 3].map((second) => ({ id: `second-${second}`, createdAtMs: second * 1_000 })),
    );
    const range = { storeId, sinceMs: 2_000, untilMs: 3_000 };
    expect(await idsOf(range)).toStrictEqual(['second-2']);
    expect(await idsOf({ ...range, untilMs: 3_001 })).toHaveLength(2);
  });

  it('finds no claim of a payment, which is in the table of its cart, and returns no buyer', async () => {
    const [storeId, [cart]] = await givenCarts({});
    const paymentRecords = paymentRecordRepositoryOf({ documents, tableNames });
    const event = { cartId: cart?.id ?? '', mode: 'live', payment: payment() } as const;
    expect(await recordPaymentEvent(event, { carts, paymentRecords })).toMatchObject({ outcome: 'recorded' });
    const found = await find({});
    expect(found.filter((each) => each.storeId === storeId)).toMatchObject([
      { id: cart?.id, status: 'completed' },
    ]);
    expect(found.every(({ storeId: store }) => store !== undefined)).toBe(true);
    expect(JSON.stringify(found)).not.toContain(BUYER.email);
  });
});
