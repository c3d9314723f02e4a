import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { createCartStore } from '../../../lib/carts/cart-store.ts';
import type { Cart } from '../../../lib/carts/cart.ts';
import { createPaymentStore, type PaymentStore } from '../../../lib/carts/payment-store.ts';
import type { Payment } from '../../../lib/carts/payment.ts';
import { recordPayment } from '../../../lib/carts/record-payment.ts';
import { type StoredStatusChange, statusChanges } from '../../../lib/carts/status-changes.ts';
import { DatabaseContentionError } from '../../../lib/dynamodb.ts';
import { givenDatabase } from '../../support/database.ts';
import { CREATED_AT_MS, payment, waitingCart } from '../../support/payments.ts';

const { documents, tableNames } = await givenDatabase();
const carts = createCartStore(documents, tableNames.carts);
const payments = createPaymentStore(documents, tableNames.carts);

const givenCart = async (changes: Partial<Cart> = {}): Promise<Cart> => {
  const cart = waitingCart(changes);
  await carts.create(cart);
  return cart;
};

/** The item of a cart, with attributes that are not the cart's. */
const storedItem = async (id: string) => {
  const command = new GetCommand({ TableName: tableNames.carts, Key: { id } });
  return (await documents.send(command)).Item;
};

const record = (cartId: string, paid: Payment) => recordPayment(cartId, paid, { carts, payments });
const failedAfter = (seconds: number) =>
  payment({ result: 'failed', occurredAtMs: CREATED_AT_MS + seconds * 1_000 });

describe('a recorded payment', () => {
  it('is stored once with its cart, which keeps all other fields', async () => {
    const { deleteAtSeconds: _, ...cart } = await givenCart({ meta: { constructor: 'A', order: 'B' } });
    const paid = payment();
    const { paymentId, occurredAtMs } = paid;
    // The second delivery of an event changes nothing.
    for (const outcome of ['recorded', 'duplicate']) {
      expect(await record(cart.id, paid)).toMatchObject({ outcome });
      const completed = { status: 'completed', paymentId, updatedAtMs: occurredAtMs, payments: [paid] };
      expect(await carts.find(cart.id)).toStrictEqual({ ...cart, ...completed });
    }
  });

  it('is marked for the stream and published in this process, both only if it changes the status', async () => {
    const { id } = await givenCart();
    const published: unknown[] = [];
    const listen = (message: unknown): void => void published.push(message);
    statusChanges.subscribe(listen);
    const failed = failedAfter(1);
    const first = await record(id, failed);
    const markedItem = await storedItem(id);
    await record(id, failedAfter(2));
    await record(id, failed);
    statusChanges.unsubscribe(listen);
    const { cart, change } = first as StoredStatusChange;
    expect(change).toMatchObject({ from: 'waiting_payment', to: 'payment_failed' });
    expect(published).toStrictEqual([{ cart, change }]);
    expect(markedItem).toMatchObject({ statusChange: change });
    expect(await storedItem(id)).not.toHaveProperty('statusChange');
  });
});

/** Reads that find a cart, whether it is stored or not. */
const finding = (cart: Cart) => ({ find: () => Promise.resolve(cart) });

describe('a payment that cannot be recorded', () => {
  it('creates no cart, even if the cart is deleted between read and write', async () => {
    const unknownCart = { outcome: 'rejected', reason: 'unknownCart' };
    const cart = waitingCart();
    const stale = { carts: finding(cart), payments };
    expect(await record(cart.id, payment())).toStrictEqual(unknownCart);
    expect(await recordPayment(cart.id, payment(), stale)).toStrictEqual(unknownCart);
    expect(await carts.find(cart.id)).toBeUndefined();
  });

  it('does not change its cart, whether it is rejected or the database fails', async () => {
    const cart = await givenCart();
    const rejected = { outcome: 'rejected', reason: 'amountMismatch' };
    expect(await record(cart.id, payment({ amount: 1 }))).toStrictEqual(rejected);
    const stores = { carts: finding(cart), payments };
    const recording = recordPayment(cart.id, payment(), stores, AbortSignal.abort());
    await expect(recording).rejects.toMatchObject({ name: 'AbortError' });
    expect(await carts.find(cart.id)).toStrictEqual(cart);
  });

  it('is an error after five attempts if other payments are always saved first', async () => {
    const cart = waitingCart();
    let saves = 0;
    const overtaken: PaymentStore = {
      save: () => {
        saves += 1;
        return Promise.resolve({ outcome: 'overtaken', cart });
      },
    };
    const stores = { carts: finding(cart), payments: overtaken };
    await expect(recordPayment(cart.id, payment(), stores)).rejects.toBeInstanceOf(DatabaseContentionError);
    expect(saves).toBe(5);
  });
});
