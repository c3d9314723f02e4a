import { describe, expect, it } from 'vitest';
import type { Cart } from '../../../lib/carts/cart.ts';
import { createAbandonmentRepository } from '../../../lib/carts/expiry/abandonment-repository.ts';
import { expireNow } from '../../../lib/carts/expiry/expire-now.ts';
import { ERASED_FINGERPRINT } from '../../../lib/erasures/erased-cart.ts';
import { createErasureLedger } from '../../../lib/operators/erasures/erasure-ledger.ts';
import { recordAndEraseCarts } from '../../../lib/operators/erasures/record-and-erase-carts.ts';
import { recordPaymentEvent } from '../../../lib/payments/record-payment-event.ts';
import { eventsOf } from '../../support/domain/event-logs.ts';
import { givenExpiredCarts } from '../../support/domain/expired-carts.ts';
import { EXPIRES_AT_MS, payment } from '../../support/domain/payments.ts';
import { BUYER } from '../../support/secrets.ts';

const expired = await givenExpiredCarts();
const { database, now, repositories, log, abandon, logAfter, findThen } = expired;
const { documents, tableNames } = database;
const ledger = createErasureLedger(documents, tableNames.erasures);

const erase = (cart: Cart) =>
  recordAndEraseCarts(documents, ledger, [{ tableName: tableNames.carts, cart }], now);

const givenCart = () => expired.givenCart({ returnUrl: 'https://shop.example/thanks' });

/** The parts of a stored cart that a race may lose. */
const storedOf = async ({ id }: Cart) => {
  const { status, payments, customerInfo, meta, requestFingerprint, returnUrl, abandonmentRecordedAtMs } =
    (await repositories.live.carts.find(id)) as Cart;
  return { status, payments, customerInfo, meta, requestFingerprint, returnUrl, abandonmentRecordedAtMs };
};

const ERASED = {
  customerInfo: {},
  meta: {},
  requestFingerprint: ERASED_FINGERPRINT,
  returnUrl: undefined,
} as const;

/** The events of a cart's store, with the buyer of each. */
const buyersOf = async (cart: Cart) =>
  (await eventsOf(database, cart)).map(({ type, data }) => [type, data.customerInfo]);

const pay = (cart: Cart, find = repositories.live.carts.find) => {
  const paid = payment();
  const event = { cartId: cart.id, mode: 'live', payment: paid } as const;
  return { paid, done: recordPaymentEvent(event, { ...repositories.live, carts: { find } }) };
};

describe('a payment and an erasure of the same cart', () => {
  it('are both kept if the erasure comes first, and the event has no buyer', async () => {
    const cart = await givenCart();
    const { paid, done } = pay(cart, findThen(erase));
    expect(await done).toMatchObject({ outcome: 'recorded' });
    expect(await storedOf(cart)).toMatchObject({ ...ERASED, status: 'completed', payments: [paid] });
    expect(await buyersOf(cart)).toStrictEqual([['cart.completed', {}]]);
  });

  it('are both kept if the payment comes first, between the read and the write of the erasure', async () => {
    const cart = await givenCart();
    const { paid, done } = pay(cart);
    await done;
    expect(await erase(cart)).toBe(1);
    expect(await storedOf(cart)).toMatchObject({ ...ERASED, status: 'completed', payments: [paid] });
  });

  it('a later payment of an erased cart is recorded, and its cart stays erased', async () => {
    const cart = await givenCart();
    await erase(cart);
    const failed = payment({ result: 'failed' });
    for (const each of [failed, payment()]) {
      await recordPaymentEvent({ cartId: cart.id, mode: 'live', payment: each }, repositories.live);
    }
    expect(await storedOf(cart)).toMatchObject({ ...ERASED, status: 'completed' });
    expect(await buyersOf(cart)).toStrictEqual([
      ['cart.payment_failed', {}],
      ['cart.completed', {}],
    ]);
  });
});

describe('an abandonment and an erasure of the same cart', () => {
  it('are both kept if the erasure comes first, and the event has no buyer', async () => {
    const cart = await givenCart();
    expect(await abandon([cart], logAfter(erase))).toBe(1);
    const expected = { ...ERASED, status: 'waiting_payment', abandonmentRecordedAtMs: now() };
    expect(await storedOf(cart)).toMatchObject(expected);
    expect(await buyersOf(cart)).toStrictEqual([['cart.abandoned', {}]]);
    expect(await abandon([cart])).toBe(0);
  });

  it('are both kept if the abandonment comes first', async () => {
    const cart = await givenCart();
    expect(await abandon([cart])).toBe(1);
    expect(await erase(cart)).toBe(1);
    expect(await storedOf(cart)).toMatchObject({ ...ERASED, abandonmentRecordedAtMs: now() });
    expect(await buyersOf(cart)).toMatchObject([['cart.abandoned', { email: BUYER.email }]]);
  });

  it('an abandonment that a buyer causes in the sandbox is kept too', async () => {
    const cart = await givenCart();
    await erase(cart);
    const dependencies = {
      carts: repositories.live.carts,
      abandonments: createAbandonmentRepository(tableNames.carts, log),
      now: () => EXPIRES_AT_MS - 60_000,
    };
    const done = await expireNow(cart, dependencies, AbortSignal.timeout(60_000));
    expect(done).toMatchObject({ outcome: 'expired' });
    expect(await repositories.live.carts.find(cart.id)).toMatchObject({
      expiresAtMs: EXPIRES_AT_MS - 60_000,
      abandonmentRecordedAtMs: EXPIRES_AT_MS - 60_000,
      customerInfo: {},
    });
    expect(await buyersOf(cart)).toStrictEqual([['cart.abandoned', {}]]);
  });

  it('an erased cart that was paid first is not abandoned', async () => {
    const cart = await givenCart();
    const erasing = logAfter(async () => {
      await pay(cart).done;
      await erase(cart);
    });
    expect(await abandon([cart], erasing)).toBe(0);
    expect(await storedOf(cart)).toMatchObject({ ...ERASED, status: 'completed' });
  });
});
