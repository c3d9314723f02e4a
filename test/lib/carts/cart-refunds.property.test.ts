import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { applyPayment } from '../../../lib/carts/cart-payments.ts';
import { applyRefund, refundedAmount, releaseRefund, unitsLeft } from '../../../lib/carts/cart-refunds.ts';
import type { Cart } from '../../../lib/carts/cart.ts';
import type { Payment } from '../../../lib/carts/payment.ts';
import type { Refund } from '../../../lib/carts/refund.ts';
import { CREATED_AT_MS, payment, refund, waitingCart } from '../../support/domain/payments.ts';

type Report = Payment | Refund;

const PAYMENT_IDS = ['p1', 'p2', 'p3'] as const;

const anyPayment = fc
  .record({
    paymentId: fc.constantFrom(...PAYMENT_IDS),
    result: fc.constantFrom('succeeded', 'failed'),
    occurredAtMs: fc.integer({ min: CREATED_AT_MS, max: CREATED_AT_MS + 3 }),
  })
  .map((changes) => payment(changes));

/** Amounts that are no exact sums as doubles. `p0` never succeeds. */
const anyRefund = fc
  .record({
    paymentId: fc.constantFrom('p0', ...PAYMENT_IDS),
    amount: fc.constantFrom(0.1, 0.2, 0.7, 19.99),
    occurredAtMs: fc.integer({ min: CREATED_AT_MS, max: CREATED_AT_MS + 3 }),
  })
  .map((changes) => refund(changes));

const deliveryOf = (reports: readonly Report[]) =>
  fc
    .array(fc.integer({ min: 1, max: 3 }), { minLength: reports.length, maxLength: reports.length })
    .chain((times) => {
      const delivered = reports.flatMap((report, index) => Array<Report>(times[index] ?? 1).fill(report));
      return fc.shuffledSubarray(delivered, { minLength: delivered.length });
    });

/** Payments and refunds, delivered twice: each time in another order, each of them one to three times. */
const twoDeliveries = fc
  .tuple(fc.array(anyPayment, { maxLength: 4 }), fc.array(anyRefund, { maxLength: 6 }))
  .map((reports): Report[] => reports.flat())
  .chain((reports) =>
    fc.record({ reports: fc.constant(reports), first: deliveryOf(reports), second: deliveryOf(reports) }),
  );

/** The cart after a delivery, and the refunds that its events report. */
const deliver = (delivery: readonly Report[]) => {
  let cart: Cart = waitingCart();
  const events: Refund[] = [];
  for (const report of delivery) {
    const applied = 'refundId' in report ? applyRefund(cart, report) : applyPayment(cart, report);
    if (applied.outcome === 'rejected') throw new Error(`Rejected: ${applied.reason}`);
    if (applied.outcome === 'recorded' && applied.event?.refund) events.push(applied.event.refund);
    ({ cart } = applied);
    for (let next = releaseRefund(cart); next; next = releaseRefund(cart)) {
      if (next.event?.refund) events.push(next.event.refund);
      ({ cart } = next);
    }
  }
  return { cart, events };
};

const unitsOf = (refunds: readonly Refund[]): number =>
  refunds.reduce((sum, { amount }) => sum + Math.round(amount * 100), 0);

it('payments and refunds in any order, with any redelivery, give the same refunds and totals, and none twice', () => {
  fc.assert(
    fc.property(twoDeliveries, ({ reports, first, second }) => {
      const { cart, events } = deliver(first);
      const { cart: other } = deliver(second);
      expect([cart.refunds, cart.earlyRefunds]).toStrictEqual([other.refunds, other.earlyRefunds]);
      const refunds = reports.filter((report) => 'refundId' in report);
      const paidIds = new Set(
        cart.payments?.flatMap((each) => (each.result === 'succeeded' ? each.paymentId : [])),
      );
      const effective = refunds.filter(({ paymentId }) => paidIds.has(paymentId));
      const byId = (some: readonly Refund[] = []) => some.map(({ refundId }) => refundId).toSorted();
      expect(byId(cart.refunds)).toStrictEqual(byId(effective));
      expect(byId(events)).toStrictEqual(byId(effective));
      expect((cart.refunds?.length ?? 0) + (cart.earlyRefunds?.length ?? 0)).toBe(refunds.length);
      for (const paymentId of paidIds) {
        const units = unitsOf(effective.filter((each) => each.paymentId === paymentId));
        expect(unitsLeft(cart, paymentId)).toBe(BigInt(1_999 - units));
      }
      const ofCompleting = effective.filter(({ paymentId }) => paymentId === cart.paymentId);
      expect(Math.round((refundedAmount(cart) ?? 0) * 100)).toBe(unitsOf(ofCompleting));
    }),
    { numRuns: 500 },
  );
});
