import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { type CartStore, createCartStore } from '../../../lib/carts/cart-store.ts';
import type { Cart } from '../../../lib/carts/cart.ts';
import { createPaymentStore, type PaymentStore } from '../../../lib/carts/payment-store.ts';
import type { Payment } from '../../../lib/carts/payment.ts';
import { recordPayment } from '../../../lib/carts/record-payment.ts';
import { type StoredStatusChange, statusChanges } from '../../../lib/carts/status-changes.ts';
import { DatabaseContentionError } from '../../../lib/dynamodb.ts';
import { givenDatabase, type TestDatabase } from '../../support/database.ts';
import { CREATED_AT_MS, payment, waitingCart } from '../../support/payments.ts';

let database: TestDatabase;
let carts: CartStore;
let payments: PaymentStore;
beforeAll(async () => {
  database = await givenDatabase();
  const { documents, tableNames } = database;
  carts = createCartStore(documents, tableNames.carts);
  payments = createPaymentStore(documents, tableNames.carts);
});

const givenCart = async (changes: Partial<Cart> = {}): Promise<Cart> => {
  const cart = waitingCart(changes);
  await carts.create(cart);
  return cart;
};

/** The item itself, with the attributes that are not a cart's. */
const storedItem = async (id: string) => {
  const { documents, tableNames } = database;
  return (await documents.send(new GetCommand({ TableName: tableNames.carts, Key: { id } }))).Item;
};

const record = (cartId: string, paid: Payment) => recordPayment(cartId, paid, { carts, payments });

describe('a recorded payment', () => {
  it('is found on its cart, which keeps all else that it was', async () => {
    const { deleteAtSeconds: _, ...cart } = await givenCart({ meta: { constructor: 'A', order: 'B' } });
    const paid = payment();
    await record(cart.id, paid);
    expect(await carts.find(cart.id)).toStrictEqual({
      ...cart,
      status: 'completed',
      paymentId: paid.paymentId,
      updatedAtMs: paid.occurredAtMs,
      payments: [paid],
    });
  });

  it('marks its write as a change of status only if it is one, for the stream to tell', async () => {
    const { id } = await givenCart();
    await record(id, payment({ result: 'failed', occurredAtMs: CREATED_AT_MS + 1_000 }));
    expect(await storedItem(id)).toHaveProperty('statusChange.to', 'payment_failed');
    await record(id, payment({ result: 'failed', occurredAtMs: CREATED_AT_MS + 2_000 }));
    expect(await storedItem(id)).not.toHaveProperty('statusChange');
  });

  it('is told to this process once it is stored, if it changed the status', async () => {
    const { id } = await givenCart();
    const told: unknown[] = [];
    const listen = (message: unknown): void => void told.push(message);
    statusChanges.subscribe(listen);
    const failed = payment({ result: 'failed', occurredAtMs: CREATED_AT_MS + 1_000 });
    const first = await record(id, failed);
    await record(id, payment({ result: 'failed', occurredAtMs: CREATED_AT_MS + 2_000 }));
    await record(id, failed);
    statusChanges.unsubscribe(listen);
    expect(first).toMatchObject({ change: { from: 'waiting_payment', to: 'payment_failed' } });
    const { cart, change } = first as StoredStatusChange;
    expect(told).toStrictEqual([{ cart, change }]);
  });

  it('is written once, however often its event comes', async () => {
    const { id } = await givenCart();
    const paid = payment();
    expect(await record(id, paid)).toMatchObject({ outcome: 'recorded' });
    const stored = await carts.find(id);
    expect(await record(id, paid)).toMatchObject({ outcome: 'duplicate' });
    expect(await carts.find(id)).toStrictEqual(stored);
  });
});

describe('a payment that cannot be recorded', () => {
  it('leaves no cart where there was none', async () => {
    const { id } = waitingCart();
    expect(await record(id, payment())).toStrictEqual({ outcome: 'rejected', reason: 'unknownCart' });
    expect(await carts.find(id)).toBeUndefined();
  });

  it('leaves its cart as it was', async () => {
    const cart = await givenCart();
    const refused = { outcome: 'rejected', reason: 'amountMismatch' };
    expect(await record(cart.id, payment({ amount: 1 }))).toStrictEqual(refused);
    expect(await carts.find(cart.id)).toStrictEqual(cart);
  });

  it('does not bring back a cart that was deleted between read and write', async () => {
    const cart = waitingCart();
    const stale = { find: () => Promise.resolve(cart) };
    const outcome = await recordPayment(cart.id, payment(), { carts: stale, payments });
    expect(outcome).toStrictEqual({ outcome: 'rejected', reason: 'unknownCart' });
    expect(await carts.find(cart.id)).toBeUndefined();
  });

  it('because the database fails is not taken for one of an unknown cart', async () => {
    const cart = await givenCart();
    const found = { find: () => Promise.resolve(cart) };
    const recording = recordPayment(cart.id, payment(), { carts: found, payments }, AbortSignal.abort());
    await expect(recording).rejects.toMatchObject({ name: 'AbortError' });
    expect(await carts.find(cart.id)).toStrictEqual(cart);
  });

  it('says so when other payments are always faster, so that its event comes again', async () => {
    const cart = waitingCart();
    let saves = 0;
    const overtaken: PaymentStore = {
      save: () => {
        saves += 1;
        return Promise.resolve({ outcome: 'overtaken', cart });
      },
    };
    const recording = recordPayment(cart.id, payment(), {
      carts: { find: () => Promise.resolve(cart) },
      payments: overtaken,
    });
    await expect(recording).rejects.toBeInstanceOf(DatabaseContentionError);
    expect(saves).toBe(5);
  });
});
