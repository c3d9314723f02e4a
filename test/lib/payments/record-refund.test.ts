import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { UnavailableError } from '../../../lib/aws/errors.ts';
import { possibleEventIds } from '../../../lib/carts/cart-event.ts';
import type { Cart } from '../../../lib/carts/cart.ts';
import type { Payment } from '../../../lib/carts/payment.ts';
import type { Refund } from '../../../lib/carts/refund.ts';
import { createClaimRepository } from '../../../lib/operators/claim-repository.ts';
import { createErasureLedger } from '../../../lib/operators/erasures/erasure-ledger.ts';
import { recordAndEraseCarts } from '../../../lib/operators/erasures/record-and-erase-carts.ts';
import { previewPayment } from '../../../lib/operators/preview-payment.ts';
import { type RecordDependencies, recordPaymentEvent } from '../../../lib/payments/record-payment-event.ts';
import { eventsOf } from '../../support/domain/event-logs.ts';
import { givenExpiredCarts } from '../../support/domain/expired-carts.ts';
import { CREATED_AT_MS, payment, refund } from '../../support/domain/payments.ts';
import { givenPauses } from '../../support/pauses.ts';

const { database, now, repositories, abandon, findThen, givenCart } = await givenExpiredCarts();
const { documents, tableNames } = database;
const { live } = repositories;

const find = async ({ id }: Cart): Promise<Cart> => (await live.carts.find(id)) as Cart;

const eventOf = (cartId: string, report: Payment | Refund) =>
  ({ cartId, mode: 'live', ...('refundId' in report ? { refund: report } : { payment: report }) }) as const;

const record = ({ id }: Cart, report: Payment | Refund, through: RecordDependencies = live) =>
  recordPaymentEvent(eventOf(id, report), through);

const claims = createClaimRepository(documents, tableNames.carts);
const preview = (event: ReturnType<typeof eventOf>) => previewPayment(event, { carts: live.carts, claims });

const recordAll = async (cart: Cart, ...reports: readonly (Payment | Refund)[]): Promise<void> => {
  for (const report of reports) expect(await record(cart, report)).toMatchObject({ outcome: 'recorded' });
};

/** The ids of the refunds that the events of a cart's store report, in their order. */
const reportedRefunds = async (cart: Cart): Promise<string[]> =>
  (await eventsOf(database, cart)).flatMap(({ type, data }) =>
    type === 'cart.refunded' ? [String(data.refund?.id)] : [],
  );

const idsOf = (refunds: readonly Refund[] = []): string[] => refunds.map(({ refundId }) => refundId);

/** The `index`-th of some refunds of a payment, in the order of their times. */
const nth = ({ paymentId }: Payment, index: number): Refund =>
  refund({ paymentId, amount: 0.5, occurredAtMs: CREATED_AT_MS + 120_000 + index });

describe('a recorded refund', () => {
  it('is stored once with its event, which has the cart and the refund', async () => {
    const cart = await givenCart();
    const paid = payment();
    await record(cart, paid);
    const before = await find(cart);
    const given = nth(paid, 0);
    for (const outcome of ['recorded', 'alreadyRecorded'])
      expect(await record(cart, given)).toMatchObject({ outcome });
    expect(await find(cart)).toStrictEqual({ ...before, refunds: [given] });
    const [, event, ...others] = await eventsOf(database, cart);
    const { refundId: id, paymentId, amount, currency, occurredAtMs } = given;
    const view = { id, paymentId, amount, currency, refundedAt: new Date(occurredAtMs).toISOString() };
    expect(others).toStrictEqual([]);
    expect(event).toMatchObject({
      type: 'cart.refunded',
      data: { id: cart.id, status: 'completed', refunds: [view], refundedAmount: 0.5, refund: view },
    });
    // An erasure finds the deliveries of the event by its id.
    expect(possibleEventIds(await find(cart))).toContain(event?.id);
  });

  it('stays on its cart after later payments, which keep the completing one', async () => {
    const cart = await givenCart();
    const [paid, again, failed] = [payment(), payment(), payment({ result: 'failed' })];
    const [ofPaid, ofAgain] = [nth(paid, 0), nth(again, 1)];
    await recordAll(cart, paid, ofPaid, again, ofAgain, failed);
    expect(await find(cart)).toMatchObject({ paymentId: paid.paymentId, refunds: [ofPaid, ofAgain] });
    expect(await reportedRefunds(cart)).toStrictEqual(idsOf([ofPaid, ofAgain]));
  });

  it("is not one of another cart's payment, whether it has an effect yet or not", async () => {
    const [cart, other] = [await givenCart(), await givenCart()];
    const paid = payment();
    await recordAll(cart, paid);
    await recordAll(other, payment());
    const rejected = { outcome: 'rejected', reason: 'paymentOfAnotherCart' };
    const before = await find(other);
    expect(await preview(eventOf(other.id, nth(paid, 0)))).toStrictEqual(rejected);
    expect(await record(other, nth(paid, 0))).toStrictEqual(rejected);
    expect(await find(other)).toStrictEqual(before);
    // The refund claims nothing: the payment may still come, on either cart.
    const unknown = payment();
    await recordAll(cart, nth(unknown, 1));
    await recordAll(other, unknown);
  });

  it('creates no cart', async () => {
    const unknown = { outcome: 'rejected', reason: 'unknownCart' };
    const event = eventOf(randomUUID(), refund({ paymentId: randomUUID() }));
    expect(await recordPaymentEvent(event, live)).toStrictEqual(unknown);
    expect(await preview(event)).toStrictEqual(unknown);
  });

  it('is previewed as it would be recorded', async () => {
    const cart = await givenCart();
    const paid = payment();
    await record(cart, paid);
    for (const given of [nth(paid, 0), refund({ paymentId: randomUUID() })])
      expect(await preview(eventOf(cart.id, given))).toMatchObject({ outcome: 'recorded' });
    expect(await find(cart)).not.toHaveProperty('refunds');
  });
});

describe('a refund that comes before its payment', () => {
  it('is not shown and has no event until its payment comes, and then each has its own', async () => {
    const cart = await givenCart();
    const paid = payment();
    const refunds = [nth(paid, 0), nth(paid, 1)];
    await recordAll(cart, ...refunds);
    expect(await eventsOf(database, cart)).toStrictEqual([]);
    expect(await record(cart, paid)).toMatchObject({
      outcome: 'recorded',
      refundCount: 2,
      cart: { refunds },
    });
    const stored = await find(cart);
    expect(stored).toMatchObject({ status: 'completed', refunds });
    expect(stored).not.toHaveProperty('earlyRefunds');
    const events = await eventsOf(database, cart);
    expect(events.map(({ type, data }) => [type, data.refundedAmount])).toStrictEqual([
      ['cart.completed', undefined],
      ['cart.refunded', 0.5],
      ['cart.refunded', 1],
    ]);
  });

  it.each([
    ['the payment', (paid: Payment, _given: Refund) => paid],
    ['the refund', (_paid: Payment, given: Refund) => given],
  ])(
    'takes effect by a redelivery of %s if the process ended after the payment was saved',
    async (_, choose) => {
      const cart = await givenCart();
      const paid = payment();
      const given = nth(paid, 0);
      await record(cart, given);
      let saves = 0;
      const save: RecordDependencies['paymentRecords']['save'] = (...args) => {
        saves += 1;
        return saves === 1
          ? live.paymentRecords.save(...args)
          : Promise.reject(new Error('The process was killed'));
      };
      const killed = { carts: live.carts, paymentRecords: { save } };
      await expect(record(cart, paid, killed)).rejects.toThrow('The process was killed');
      expect(await reportedRefunds(cart)).toStrictEqual([]);
      expect(await record(cart, choose(paid, given))).toMatchObject({
        outcome: 'alreadyRecorded',
        refundCount: 1,
      });
      expect(await record(cart, choose(paid, given))).not.toHaveProperty('refundCount');
      expect(await find(cart)).toMatchObject({ refunds: [given] });
      expect(await reportedRefunds(cart)).toStrictEqual(idsOf([given]));
    },
  );

  it('outlasts the expiry of its cart', async () => {
    const cart = await givenCart();
    const late = payment({ occurredAtMs: now() });
    const given = nth(late, 0);
    await record(cart, given);
    expect(await abandon([cart])).toBe(1);
    await record(cart, late);
    expect(await find(cart)).toMatchObject({ latePayment: true, refunds: [given] });
  });

  it('takes effect once if another writer is first between the payment and its release', async () => {
    const cart = await givenCart();
    const paid = payment();
    const refunds = [nth(paid, 0), nth(paid, 1)];
    await record(cart, refunds[0]!);
    const budget = new AbortController();
    let saves = 0;
    const save: RecordDependencies['paymentRecords']['save'] = async (...args) => {
      saves += 1;
      if (saves === 2) await record(cart, refunds[1]!);
      if (saves === 10) budget.abort();
      return live.paymentRecords.save(...args);
    };
    const through = { carts: live.carts, paymentRecords: { save }, pauses: givenPauses().pauses };
    const recorded = await recordPaymentEvent(eventOf(cart.id, paid), through, budget.signal);
    expect(recorded).toMatchObject({ outcome: 'recorded', cart: { refunds } });
    expect(await find(cart)).toMatchObject({ refunds });
    expect((await reportedRefunds(cart)).toSorted()).toStrictEqual(idsOf(refunds).toSorted());
  });

  it('is tried again until its time is up if other writers are always first', async () => {
    const cart = await givenCart();
    const paid = payment();
    await recordAll(cart, nth(paid, 0));
    const budget = new AbortController();
    let saves = 0;
    const save: RecordDependencies['paymentRecords']['save'] = async (...args) => {
      saves += 1;
      if (saves === 10) budget.abort();
      return saves === 1 ? live.paymentRecords.save(...args) : 'conflict';
    };
    const through = { carts: live.carts, paymentRecords: { save }, pauses: givenPauses().pauses };
    const recording = recordPaymentEvent(eventOf(cart.id, paid), through, budget.signal);
    await expect(recording).rejects.toBeInstanceOf(UnavailableError);
    expect(saves).toBe(10);
  });
});

describe('concurrent writers of a cart', () => {
  const ledger = createErasureLedger(documents, tableNames.erasures);
  const erase = (cart: Cart) =>
    recordAndEraseCarts(documents, ledger, [{ tableName: tableNames.carts, cart }], now);

  /** Stores of a record that another writer overtakes after its first read. */
  const overtakenBy = (write: (cart: Cart) => Promise<unknown>): RecordDependencies => ({
    ...live,
    carts: { find: findThen(write) },
  });

  const [paid, again] = [payment(), payment()];
  const [given, early] = [nth(paid, 1), nth(again, 5)];

  it.each<[string, readonly (Payment | Refund)[], Payment | Refund, Payment | Refund]>([
    ['a refund, its redelivery', [paid], given, given],
    ['a payment, its redelivery', [], paid, paid],
    ['a refund, another refund', [paid], nth(paid, 1), nth(paid, 2)],
    ['a refund, a payment', [paid], nth(paid, 1), payment()],
    ['a refund, its own payment', [], nth(paid, 1), paid],
    ['a payment, a refund', [paid], payment(), nth(paid, 1)],
    ['a payment, a refund of it', [], paid, nth(paid, 1)],
    ['a payment, an early refund', [paid, nth(paid, 1)], payment({ result: 'failed' }), early],
    ['an early refund, another one', [paid, early], nth(again, 1), nth(again, 2)],
    ['a refund, the release of another', [paid, early], nth(paid, 1), again],
  ])('lose none of their changes, of which the second is first: %s', async (_, before, slow, fast) => {
    const cart = await givenCart();
    // Each case needs ids of its own, because a payment belongs to one cart.
    const own = <Report extends Payment | Refund>(report: Report): Report => ({
      ...report,
      paymentId: `${report.paymentId.slice(0, 24)}${cart.id.slice(24)}`,
    });
    await recordAll(cart, ...before.map(own));
    await record(
      cart,
      own(slow),
      overtakenBy(() => record(cart, own(fast))),
    );
    const reports = [...new Set([...before, slow, fast])].map(own);
    const stored = await find(cart);
    const refunds = reports.filter((report) => 'refundId' in report);
    const payments = reports.filter((report) => 'eventId' in report);
    expect(idsOf([...(stored.refunds ?? []), ...(stored.earlyRefunds ?? [])]).toSorted()).toStrictEqual(
      idsOf(refunds).toSorted(),
    );
    expect(stored.payments).toHaveLength(payments.length);
    const succeeded = payments.filter(({ result }) => result === 'succeeded');
    const paidIds = new Set(succeeded.map(({ paymentId }) => paymentId));
    const effective = idsOf(refunds.filter((each) => paidIds.has(each.paymentId)));
    expect(idsOf(stored.refunds).toSorted()).toStrictEqual(effective.toSorted());
    expect((await reportedRefunds(cart)).toSorted()).toStrictEqual(effective.toSorted());
  });

  it('lose no refund to an erasure, and the event of a refund has no erased buyer', async () => {
    const cart = await givenCart();
    const own = payment();
    await record(cart, own);
    const [one, two] = [nth(own, 0), nth(own, 1)];
    await record(cart, one, overtakenBy(erase));
    await record(cart, two);
    const { refunds, customerInfo, meta } = await find(cart);
    expect({ refunds, customerInfo, meta }).toStrictEqual({
      refunds: [one, two],
      customerInfo: {},
      meta: {},
    });
    const buyers = (await eventsOf(database, cart)).slice(1).map(({ data }) => data.customerInfo);
    expect(buyers).toStrictEqual([{}, {}]);
  });

  it('lose no refund to an erasure that read the cart before it', async () => {
    const cart = await givenCart();
    const own = payment();
    await recordAll(cart, nth(own, 0), own, nth(own, 1), refund({ paymentId: randomUUID() }));
    expect(await erase(cart)).toBe(1);
    expect(await find(cart)).toMatchObject({ refunds: [{}, {}], earlyRefunds: [{}], customerInfo: {} });
  });
});
