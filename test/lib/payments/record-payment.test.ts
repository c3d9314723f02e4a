import { randomUUID } from 'node:crypto';
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { createDocumentClient } from '../../../lib/aws/clients.ts';
import { isUnavailable, UnavailableError } from '../../../lib/aws/errors.ts';
import { type CartRepository, createCartRepository } from '../../../lib/carts/cart-repository.ts';
import type { Cart } from '../../../lib/carts/cart.ts';
import type { Payment } from '../../../lib/carts/payment.ts';
import { createClaimRepository } from '../../../lib/operators/claim-repository.ts';
import { previewPayment } from '../../../lib/operators/preview-payment.ts';
import type { PaymentEvent } from '../../../lib/payments/payment-event.ts';
import type { SaveResult } from '../../../lib/payments/payment-record-repository.ts';
import { recordPaymentEvent } from '../../../lib/payments/record-payment-event.ts';
import { mockDocuments } from '../../support/database/client-calls.ts';
import { givenDatabase } from '../../support/database/database.ts';
import { eventsOf, paymentRecordRepositoryOf } from '../../support/domain/event-logs.ts';
import { CREATED_AT_MS, payment, waitingCart } from '../../support/domain/payments.ts';
import { givenPauses } from '../../support/pauses.ts';

const database = await givenDatabase();
const { documents, tableNames } = database;
const carts = createCartRepository(documents, tableNames.carts, () => CREATED_AT_MS);
const paymentRecords = paymentRecordRepositoryOf(database);

const givenCart = async (changes: Partial<Cart> = {}): Promise<Cart> => {
  const cart = waitingCart(changes);
  await carts.create(cart);
  return cart;
};

const eventOf = (cartId: string, paid: Payment): PaymentEvent => ({ cartId, mode: 'live', payment: paid });
const record = (cartId: string, paid: Payment) =>
  recordPaymentEvent(eventOf(cartId, paid), { carts, paymentRecords });
const preview = (cartId: string, paid: Payment) =>
  previewPayment(eventOf(cartId, paid), {
    carts,
    claims: createClaimRepository(documents, tableNames.carts),
  });
const failedAfter = (seconds: number) =>
  payment({ result: 'failed', occurredAtMs: CREATED_AT_MS + seconds * 1_000 });

describe('a recorded payment', () => {
  it('is stored once with its cart, which keeps all other fields', async () => {
    const { deleteAtSeconds: _, ...cart } = await givenCart({ meta: { constructor: 'A', order: 'B' } });
    const paid = payment();
    const { paymentId, occurredAtMs } = paid;
    // The second delivery of an event changes nothing.
    for (const outcome of ['recorded', 'alreadyRecorded']) {
      expect(await record(cart.id, paid)).toMatchObject({ outcome });
      const times = { updatedAtMs: occurredAtMs, completedAtMs: occurredAtMs };
      const completed = { status: 'completed', paymentId, ...times, payments: [paid] };
      expect(await carts.find(cart.id)).toStrictEqual({ ...cart, ...completed });
    }
  });

  it('has its event in the log of the store once', async () => {
    const storeId = randomUUID();
    const { id } = await givenCart({ storeId });
    const [failed, paid, again] = [failedAfter(1), payment(), payment()];
    for (const each of [failed, failed, paid, paid, again, again]) await record(id, each);
    const events = await eventsOf(database, { storeId, mode: 'live' });
    expect(events).toMatchObject([
      { type: 'cart.payment_failed', data: { id, status: 'payment_failed', paymentId: failed.paymentId } },
      { type: 'cart.completed', data: { id, status: 'completed', paymentId: paid.paymentId } },
      {
        type: 'cart.duplicate_payment',
        data: { id, paymentId: paid.paymentId, duplicatePaymentId: again.paymentId },
      },
    ]);
  });

  it('has no event if it changes neither the status nor the payment', async () => {
    const storeId = randomUUID();
    const { id } = await givenCart({ storeId });
    const paid = payment();
    await record(id, paid);
    for (const each of [failedAfter(1), payment({ paymentId: paid.paymentId, occurredAtMs: CREATED_AT_MS })])
      expect(await record(id, each)).toMatchObject({ outcome: 'recorded' });
    expect(await eventsOf(database, { storeId, mode: 'live' })).toHaveLength(1);
  });
});

describe('the claim of a payment', () => {
  const ofAnotherCart = { outcome: 'rejected', reason: 'paymentOfAnotherCart' };

  it("rejects the payment's success on another cart, which stays unchanged", async () => {
    const [first, second] = [await givenCart(), await givenCart()];
    const paid = payment();
    await record(first.id, paid);
    const again = payment({ paymentId: paid.paymentId });
    expect(await preview(second.id, again)).toStrictEqual(ofAnotherCart);
    expect(await record(second.id, again)).toStrictEqual(ofAnotherCart);
    expect(await carts.find(second.id)).toStrictEqual(second);
    // The cart itself may get more events about its payment.
    const ownAgain = payment({ paymentId: paid.paymentId });
    expect(await preview(first.id, ownAgain)).toMatchObject({ outcome: 'recorded' });
    expect(await record(first.id, ownAgain)).toMatchObject({ outcome: 'recorded' });
  });

  it('is previewed only for a success that could be recorded', async () => {
    const [first, second] = [await givenCart(), await givenCart()];
    const { paymentId } = payment();
    await record(first.id, payment({ paymentId }));
    const previewOf = (changes: Partial<Payment>) => preview(second.id, payment({ paymentId, ...changes }));
    expect(await previewOf({ result: 'failed' })).toMatchObject({ outcome: 'recorded' });
    expect(await previewOf({ amount: 1 })).toMatchObject({ outcome: 'rejected', reason: 'amountMismatch' });
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
});

/** Reads that find a cart first, whether it is stored or not. */
const finding = (cart: Cart): Pick<CartRepository, 'find'> => {
  const found = [cart];
  return { find: async (id) => found.pop() ?? carts.find(id) };
};

describe('a payment that cannot be recorded', () => {
  it('creates no cart, even if the cart is deleted between read and write', async () => {
    const unknownCart = { outcome: 'rejected', reason: 'unknownCart' };
    const cart = waitingCart();
    for (const result of ['succeeded', 'failed'] as const) {
      const stale = { carts: finding(cart), paymentRecords };
      expect(await record(cart.id, payment({ result }))).toStrictEqual(unknownCart);
      expect(await recordPaymentEvent(eventOf(cart.id, payment({ result })), stale)).toStrictEqual(
        unknownCart,
      );
    }
    expect(await carts.find(cart.id)).toBeUndefined();
  });

  it('conflicts if its cart has changed since the read', async () => {
    const cart = await givenCart();
    await record(cart.id, failedAfter(1));
    for (const paid of [failedAfter(2), payment()]) {
      const stale = { cart: { ...cart, payments: [paid] } };
      expect(await paymentRecords.save(cart, stale)).toBe('conflict');
    }
  });

  it('does not change its cart, whether it is rejected or the database fails', async () => {
    const cart = await givenCart();
    const rejected = { outcome: 'rejected', reason: 'amountMismatch' };
    expect(await record(cart.id, payment({ amount: 1 }))).toStrictEqual(rejected);
    const repositories = { carts: finding(cart), paymentRecords };
    const recording = recordPaymentEvent(eventOf(cart.id, payment()), repositories, AbortSignal.abort());
    await expect(recording).rejects.toMatchObject({ name: 'AbortError' });
    expect(await carts.find(cart.id)).toStrictEqual(cart);
  });

  it('is tried again until its time is up if other writers are always first', async () => {
    const cart = await givenCart();
    const budget = new AbortController();
    let saves = 0;
    const save = async (): Promise<SaveResult> => {
      saves += 1;
      if (saves === 30) budget.abort();
      return 'conflict';
    };
    const repositories = { carts, paymentRecords: { save }, pauses: givenPauses().pauses };
    const recording = recordPaymentEvent(eventOf(cart.id, payment()), repositories, budget.signal);
    await expect(recording).rejects.toBeInstanceOf(UnavailableError);
    expect(saves).toBe(30);
  });
});

describe('a cancelled transaction, by the reasons of cart and claim', () => {
  /** A repository on a scripted DynamoDB that cancels every transaction: the embedded one has no conflicts. */
  const saveCancelled = (...codes: readonly string[]): Promise<SaveResult> => {
    const scripted = createDocumentClient({ endpoint: 'http://127.0.0.1:1', region: 'local' });
    const CancellationReasons = codes.map((Code) => ({ Code }));
    const error = new TransactionCanceledException({ message: '', $metadata: {}, CancellationReasons });
    mockDocuments(scripted).on(TransactWriteCommand).rejects(error);
    // A further event about the payment causes no event.
    const cart = waitingCart();
    const claim = { by: 'success', paymentId: randomUUID() } as const;
    const paid = { cart: { ...cart, payments: [payment()] }, claim };
    return paymentRecordRepositoryOf({ documents: scripted, tableNames }).save(cart, paid);
  };

  it.each([
    ['conflict', 'ConditionalCheckFailed', 'None'],
    ['claimed', 'None', 'ConditionalCheckFailed'],
    ['claimed', 'ConditionalCheckFailed', 'ConditionalCheckFailed'],
    ['conflict', 'TransactionConflict', 'None'],
    ['conflict', 'None', 'TransactionConflict'],
    ['conflict', 'ConditionalCheckFailed', 'TransactionConflict'],
    ['claimed', 'TransactionConflict', 'ConditionalCheckFailed'],
  ])('is %s: %s, %s', async (outcome, ...codes) => {
    expect(await saveCancelled(...codes)).toBe(outcome);
  });

  it.each([
    ['an outage', 'ThrottlingError', true],
    ['an outage', 'ProvisionedThroughputExceeded', true],
    ['a defect', 'ValidationError', false],
  ])('is %s: %s', async (_, code, isOutage) => {
    const error: unknown = await saveCancelled('None', code).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(TransactionCanceledException);
    expect(isUnavailable(error)).toBe(isOutage);
  });
});
