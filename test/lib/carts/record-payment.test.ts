import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { GetCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { describe, expect, it, onTestFinished } from 'vitest';
import { paidCarts } from '../../../lib/carts/cart-events.ts';
import { createCartStore } from '../../../lib/carts/cart-store.ts';
import type { Cart } from '../../../lib/carts/cart.ts';
import { createPaymentStore, type SaveResult } from '../../../lib/carts/payment-store.ts';
import type { PaymentEvent } from '../../../lib/carts/payment-event.ts';
import type { Payment } from '../../../lib/carts/payment.ts';
import { previewPayment, recordPayment } from '../../../lib/carts/record-payment.ts';
import {
  createDocumentClient,
  DatabaseContentionError,
  isDatabaseUnavailable,
} from '../../../lib/dynamodb.ts';
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

const eventOf = (cartId: string, paid: Payment): PaymentEvent => ({ cartId, mode: 'live', payment: paid });
const record = (cartId: string, paid: Payment) => recordPayment(eventOf(cartId, paid), { carts, payments });
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

  /** Listens to the payments that this process stores. */
  const listenToPaidCarts = (): unknown[] => {
    const published: unknown[] = [];
    const listen = (message: unknown): void => void published.push(message);
    paidCarts.subscribe(listen);
    onTestFinished(() => {
      paidCarts.unsubscribe(listen);
    });
    return published;
  };

  it('is published in this process once, and marked for the stream only if it changes the status', async () => {
    const { id } = await givenCart();
    const published = listenToPaidCarts();
    const failed = failedAfter(1);
    const first = await record(id, failed);
    const markedItem = await storedItem(id);
    const second = await record(id, failedAfter(2));
    await record(id, failed);
    expect(published).toStrictEqual([first, second]);
    expect(first).toMatchObject({ change: { from: 'waiting_payment', to: 'payment_failed' } });
    expect(markedItem).toMatchObject({ statusChange: { from: 'waiting_payment', to: 'payment_failed' } });
    expect(await storedItem(id)).not.toHaveProperty('statusChange');
  });

  it('that is a duplicate marks its write alone, and its cart keeps the first payment', async () => {
    const { id } = await givenCart();
    const [first, second] = [payment(), payment({ occurredAtMs: CREATED_AT_MS + 1_000 })];
    await record(id, first);
    expect(await storedItem(id)).not.toHaveProperty('duplicatePayment');
    await record(id, second);
    const { paymentId, occurredAtMs } = second;
    expect(await storedItem(id)).toMatchObject({
      paymentId: first.paymentId,
      duplicatePayment: { paymentId, occurredAt: new Date(occurredAtMs).toISOString() },
    });
    expect(await carts.find(id)).not.toHaveProperty('duplicatePayment');
    await record(id, failedAfter(3));
    expect(await storedItem(id)).not.toHaveProperty('duplicatePayment');
  });
});

describe('the claim of a payment', () => {
  const ofAnotherCart = { outcome: 'rejected', reason: 'paymentOfAnotherCart' };

  it("rejects the payment's success on another cart, which stays unchanged", async () => {
    const [first, second] = [await givenCart(), await givenCart()];
    const paid = payment();
    await record(first.id, paid);
    const again = payment({ paymentId: paid.paymentId });
    expect(await previewPayment(eventOf(second.id, again), { carts, payments })).toStrictEqual(ofAnotherCart);
    expect(await record(second.id, again)).toStrictEqual(ofAnotherCart);
    expect(await carts.find(second.id)).toStrictEqual(second);
    // The cart itself may get more events about its payment.
    const ownAgain = payment({ paymentId: paid.paymentId });
    expect(await previewPayment(eventOf(first.id, ownAgain), { carts, payments })).toMatchObject({
      outcome: 'recorded',
    });
    expect(await record(first.id, ownAgain)).toMatchObject({ outcome: 'recorded', duplicate: undefined });
  });

  it('also rejects a duplicate payment of another cart, and one that would be a duplicate here', async () => {
    const [first, second] = [await givenCart(), await givenCart()];
    const [one, other, extra] = [payment(), payment(), payment()];
    await record(first.id, one);
    await record(first.id, extra);
    expect(await record(second.id, { ...extra, eventId: 'e2' })).toStrictEqual(ofAnotherCart);
    await record(second.id, other);
    expect(await record(second.id, { ...one, eventId: 'e3' })).toStrictEqual(ofAnotherCart);
  });

  it('lets one of two carts have the payment, if both report it at the same time', async () => {
    const both = [await givenCart(), await givenCart()];
    const { paymentId } = payment();
    const recorded = await Promise.all(both.map(({ id }) => record(id, payment({ paymentId }))));
    expect(recorded.map(({ outcome }) => outcome).toSorted()).toStrictEqual(['recorded', 'rejected']);
    const statuses = await Promise.all(both.map(async ({ id }) => String((await carts.find(id))?.status)));
    expect(statuses.toSorted()).toStrictEqual(['completed', 'waiting_payment']);
  });

  it('is not made by a failure, because the buyer may pay another cart with the payment', async () => {
    const [first, second] = [await givenCart(), await givenCart()];
    const { paymentId } = payment();
    await record(first.id, payment({ paymentId, result: 'failed' }));
    expect(await record(second.id, payment({ paymentId }))).toMatchObject({ outcome: 'recorded' });
  });

  it('is missing for a cart of an earlier release, whose events are still recorded', async () => {
    const paid = payment();
    const { deleteAtSeconds: _, ...waiting } = waitingCart();
    const updatedAtMs = paid.occurredAtMs;
    const cart: Cart = {
      ...waiting,
      status: 'completed',
      updatedAtMs,
      paymentId: paid.paymentId,
      payments: [paid],
    };
    await carts.create(cart);
    expect(await record(cart.id, paid)).toStrictEqual({ outcome: 'duplicate', cart });
    // The first event that is recorded after the upgrade claims the payment.
    const again = payment({ paymentId: paid.paymentId, occurredAtMs: paid.occurredAtMs + 1 });
    expect(await record(cart.id, again)).toMatchObject({ outcome: 'recorded', duplicate: undefined });
    const another = await givenCart();
    expect(await record(another.id, { ...paid, eventId: 'e4' })).toStrictEqual(ofAnotherCart);
  });
});

/** Reads that find a cart, whether it is stored or not. */
const finding = (cart: Cart) => ({ find: () => Promise.resolve(cart) });

describe('a payment that cannot be recorded', () => {
  it('creates no cart, even if the cart is deleted between read and write', async () => {
    const unknownCart = { outcome: 'rejected', reason: 'unknownCart' };
    const cart = waitingCart();
    const stale = { carts: finding(cart), payments };
    for (const result of ['succeeded', 'failed'] as const) {
      expect(await record(cart.id, payment({ result }))).toStrictEqual(unknownCart);
      expect(await recordPayment(eventOf(cart.id, payment({ result })), stale)).toStrictEqual(unknownCart);
    }
    expect(await carts.find(cart.id)).toBeUndefined();
  });

  it('does not change its cart, whether it is rejected or the database fails', async () => {
    const cart = await givenCart();
    const rejected = { outcome: 'rejected', reason: 'amountMismatch' };
    expect(await record(cart.id, payment({ amount: 1 }))).toStrictEqual(rejected);
    const stores = { carts: finding(cart), payments };
    const recording = recordPayment(eventOf(cart.id, payment()), stores, AbortSignal.abort());
    await expect(recording).rejects.toMatchObject({ name: 'AbortError' });
    expect(await carts.find(cart.id)).toStrictEqual(cart);
  });

  it('is rejected if its mode is not that of the cart', async () => {
    const cart = await givenCart();
    const event: PaymentEvent = { cartId: cart.id, mode: 'test', payment: payment() };
    const mismatch = { outcome: 'rejected', reason: 'modeMismatch' };
    expect(await recordPayment(event, { carts, payments })).toStrictEqual(mismatch);
    expect(await previewPayment(event, { carts, payments })).toStrictEqual(mismatch);
    expect(await carts.find(cart.id)).toStrictEqual(cart);
  });

  it.each(['overtaken', 'conflict'] as const)(
    'is an error after five attempts if other payments are always saved first: %s',
    async (outcome) => {
      const cart = waitingCart();
      let saves = 0;
      const save = (): Promise<SaveResult> => {
        saves += 1;
        return Promise.resolve({ outcome, cart });
      };
      const recording = recordPayment(eventOf(cart.id, payment()), {
        carts: finding(cart),
        payments: { save },
      });
      await expect(recording).rejects.toBeInstanceOf(DatabaseContentionError);
      expect(saves).toBe(5);
    },
  );
});

describe('a cancelled transaction, by the reasons of cart and claim', () => {
  /** A store on a scripted DynamoDB that cancels every transaction: the embedded one has no conflicts. */
  const saveCancelled = (...codes: readonly string[]): Promise<SaveResult> => {
    const scripted = createDocumentClient({ endpoint: 'http://127.0.0.1:1', region: 'local' });
    const CancellationReasons = codes.map((Code) => ({ Code }));
    const error = new TransactionCanceledException({ message: '', $metadata: {}, CancellationReasons });
    mockClient(scripted).on(TransactWriteCommand).rejects(error);
    const paid = { cart: waitingCart({ payments: [payment()] }), change: undefined, duplicate: undefined };
    return createPaymentStore(scripted, 'carts').save(paid, payment());
  };

  it.each([
    ['overtaken', 'ConditionalCheckFailed', 'None'],
    ['claimed', 'None', 'ConditionalCheckFailed'],
    ['claimed', 'ConditionalCheckFailed', 'ConditionalCheckFailed'],
    ['conflict', 'TransactionConflict', 'None'],
    ['conflict', 'None', 'TransactionConflict'],
    ['overtaken', 'ConditionalCheckFailed', 'TransactionConflict'],
    ['claimed', 'TransactionConflict', 'ConditionalCheckFailed'],
  ])('is %s: %s, %s', async (outcome, ...codes) => {
    expect(await saveCancelled(...codes)).toMatchObject({ outcome });
  });

  it.each([
    ['an outage', 'ThrottlingError', true],
    ['an outage', 'ProvisionedThroughputExceeded', true],
    ['a defect', 'ValidationError', false],
  ])('is %s: %s', async (_, code, isOutage) => {
    const error: unknown = await saveCancelled('None', code).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(TransactionCanceledException);
    expect(isDatabaseUnavailable(error)).toBe(isOutage);
  });
});
