import { describe, expect, it } from 'vitest';
import type { CompletedCart } from '../../../lib/buyers/erasure-schedule.ts';
import { createLateErasures } from '../../../lib/buyers/late-erasures.ts';
import { createCartStore } from '../../../lib/carts/cart-store.ts';
import type { Cart } from '../../../lib/carts/cart.ts';
import { createPaymentStore } from '../../../lib/carts/payment-store.ts';
import type { Payment } from '../../../lib/carts/payment.ts';
import { recordPayment } from '../../../lib/carts/record-payment.ts';
import { givenDatabase } from '../../support/database.ts';
import { eventLogOf } from '../../support/events.ts';
import { CREATED_AT_MS, EXPIRES_AT_MS, payment, waitingCart } from '../../support/payments.ts';

const database = await givenDatabase();
const { documents, tableNames } = database;
const carts = createCartStore(documents, tableNames.carts, () => CREATED_AT_MS);

const givenCart = async (changes: Partial<Cart> = {}): Promise<Cart> =>
  (await carts.create(waitingCart(changes))).cart;

describe('a payment that completes a cart whose expiry may have been handled', () => {
  const givenLate = (nowMs: number) => {
    const scheduled: string[][] = [];
    const days: number[] = [];
    let outage: Error | undefined;
    const put = async (completed: readonly CompletedCart[]): Promise<void> => {
      if (outage) throw outage;
      scheduled.push(completed.map(({ id }) => id));
      days.push(...completed.map(({ updatedAtMs }) => updatedAtMs));
    };
    const now = () => nowMs;
    const options = { log: eventLogOf(database), lateErasures: createLateErasures({ put }, now), now };
    const stores = { carts, payments: createPaymentStore(documents, tableNames.carts, options) };
    return {
      scheduled,
      days,
      fail: (error: Error) => (outage = error),
      pay: (cart: Cart, changes: Partial<Payment> = {}) =>
        recordPayment({ cartId: cart.id, mode: 'live', payment: payment(changes) }, stores),
    };
  };

  it.each([
    ['a minute before the expiry', EXPIRES_AT_MS - 60_000, true],
    ['an hour after it', EXPIRES_AT_MS + 3_600_000, true],
    ['earlier', EXPIRES_AT_MS - 60_001, false],
  ])(
    'schedules the erasure of its personal data by itself, and no other does: %s',
    async (_, nowMs, isLate) => {
      const { scheduled, pay } = givenLate(nowMs);
      const cart = await givenCart();
      await pay(cart, { result: 'failed' });
      expect(scheduled).toStrictEqual([]);
      await pay(cart);
      expect(scheduled).toStrictEqual(isLate ? [[cart.id]] : []);
      await pay(cart);
      expect(scheduled).toHaveLength(isLate ? 1 : 0);
    },
  );

  it('is not recorded if the erasure cannot be scheduled', async () => {
    const { fail, pay } = givenLate(EXPIRES_AT_MS);
    const down = new Error('down');
    fail(down);
    const cart = await givenCart();
    await expect(pay(cart)).rejects.toBe(down);
    expect(await carts.find(cart.id)).toStrictEqual(cart);
  });

  it('schedules the erasure from now on, because a run that finds the cart unpaid forgets it', async () => {
    const nowMs = EXPIRES_AT_MS + 12 * 3_600_000;
    const { days, pay } = givenLate(nowMs);
    await pay(await givenCart());
    expect(days).toStrictEqual([nowMs]);
  });

  it('schedules none for a cart whose data is erased already', async () => {
    const { scheduled, pay } = givenLate(EXPIRES_AT_MS);
    await pay(await givenCart({ personalDataErasedAtMs: EXPIRES_AT_MS }));
    expect(scheduled).toStrictEqual([]);
  });
});
