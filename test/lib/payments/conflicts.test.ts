import { randomUUID } from 'node:crypto';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { isUnavailable } from '../../../lib/aws/errors.ts';
import { createCartRepository } from '../../../lib/carts/cart-repository.ts';
import type { Cart } from '../../../lib/carts/cart.ts';
import { DAY_MS } from '../../../lib/core/durations.ts';
import { recordPaymentEvent } from '../../../lib/payments/record-payment-event.ts';
import { runJob } from '../../../lib/timers/run-job.ts';
import { timerOf } from '../../../lib/timers/timer.ts';
import { conflictFirst, newConflict, overlapFirstTransaction } from '../../support/database/client-calls.ts';
import { givenDatabase } from '../../support/database/database.ts';
import { eventsOf, paymentRecordRepositoryOf } from '../../support/domain/event-logs.ts';
import { expiryJobOf } from '../../support/domain/expiries.ts';
import { EXPIRES_AT_MS, payment, waitingCart } from '../../support/domain/payments.ts';
import { logged } from '../../support/logs/log-lines.ts';
import { NEVER } from '../../support/signals.ts';

const database = await givenDatabase();
const { tableNames } = database;
const now = () => EXPIRES_AT_MS + 1_000;

/** A client of its own, which a test disturbs. */
const givenProcess = () => {
  const documents = database.newClient();
  return { documents, tableNames };
};

const { create, find } = createCartRepository(database.documents, tableNames.carts, now);

const givenCart = async (changes: Partial<Cart> = {}): Promise<Cart> =>
  (await create(waitingCart({ storeId: randomUUID(), ...changes }))).cart;

const typesOf = async (cart: Cart): Promise<string[]> =>
  (await eventsOf(database, cart)).map(({ type }) => type);

/** Fails if the function throws no outage. */
const expectOutage = async (run: () => Promise<unknown>): Promise<void> => {
  const error: unknown = await run().then(
    () => undefined,
    (caught: unknown) => caught,
  );
  expect(isUnavailable(error)).toBe(true);
};

describe('a call that the SDK repeats while its first attempt still stores the transaction', () => {
  it('records a payment: its redelivery finds that, and causes no second event', async () => {
    const cart = await givenCart();
    const disturbed = givenProcess();
    overlapFirstTransaction(disturbed.documents);
    const repositories = {
      carts: { find },
      paymentRecords: paymentRecordRepositoryOf(disturbed, 'carts', now),
    };
    const event = { cartId: cart.id, mode: 'live', payment: payment() } as const;

    await expectOutage(() => recordPaymentEvent(event, repositories));

    expect(await recordPaymentEvent(event, repositories)).toMatchObject({ outcome: 'alreadyRecorded' });
    expect(await typesOf(cart)).toStrictEqual(['cart.completed']);
  });

  it('abandons a cart: the next run repeats nothing', async () => {
    const cart = await givenCart();
    const disturbed = givenProcess();
    overlapFirstTransaction(disturbed.documents);
    const run = () => runJob(expiryJobOf(disturbed, now), now, NEVER);

    await logged(async () => expect(await run()).toMatchObject({ failed: 0, isComplete: false }));

    expect(await run()).toMatchObject({ handled: 0, failed: 0, isComplete: true });
    expect(await typesOf(cart)).toStrictEqual(['cart.abandoned']);
  });
});

describe('a write beside the transaction of another writer', () => {
  it('of a payment without an event is a conflict: the caller reads the cart again', async () => {
    // Not due, so no other test's run finds it.
    const cart = await givenCart({ expiresAtMs: EXPIRES_AT_MS + DAY_MS });
    const disturbed = givenProcess();
    conflictFirst(disturbed.documents, 'PutItem', 1);
    const { save } = paymentRecordRepositoryOf(disturbed, 'carts', now);
    const changed = { cart: { ...cart, payments: [payment({ result: 'failed' })] } };

    expect(await save(cart, changed)).toBe('conflict');
    expect(await save(cart, changed)).toBe('saved');
  });

  it('that ends a timer leaves the cart due: the next run ends it, and nothing is postponed', async () => {
    const cart = await givenCart();
    const paid = { ...cart, status: 'payment_failed' as const };
    // As the index shows it, until the payment is stored.
    const Item = { ...paid, ...timerOf('expiry', cart.id, EXPIRES_AT_MS) };
    await database.documents.send(new PutCommand({ TableName: tableNames.carts, Item }));
    const disturbed = givenProcess();
    conflictFirst(disturbed.documents, 'UpdateItem', 1);
    const run = () => runJob(expiryJobOf(disturbed, now), now, NEVER);

    await logged(async () => expect(await run()).toMatchObject({ failed: 0, isComplete: false }));

    expect(await run()).toMatchObject({ handled: 0, failed: 0, isComplete: true });
    expect(await run()).toMatchObject({ handled: 0, lagMs: 0, isComplete: true });
    expect(await typesOf(cart)).toStrictEqual([]);
  });

  it('that creates a cart again is an outage, and stores nothing', async () => {
    const disturbed = givenProcess();
    conflictFirst(disturbed.documents, 'PutItem', 1);
    const cart = waitingCart();
    const creating = createCartRepository(disturbed.documents, tableNames.carts, now).create(cart);

    await expect(creating).rejects.toThrow(newConflict());
    expect(isUnavailable(newConflict())).toBe(true);
    expect(await find(cart.id)).toBeUndefined();
  });
});
