import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyPayment, duplicatePaymentIds } from '../../../lib/carts/cart-payments.ts';
import { statusAt } from '../../../lib/carts/cart-status.ts';
import type { Cart, CartStatus } from '../../../lib/carts/cart.ts';
import type { CausedEvent } from '../../../lib/carts/changed-cart.ts';
import type { Payment } from '../../../lib/carts/payment.ts';
import { CREATED_AT_MS, EXPIRES_AT_MS, payment, waitingCart } from '../../support/domain/payments.ts';

/** Few ids and times, so that ties, duplicates and payments around the expiry are common. */
const anyPayment = fc
  .record({
    paymentId: fc.constantFrom('p1', 'p2', 'p3'),
    result: fc.constantFrom('succeeded', 'failed'),
    occurredAtMs: fc.constantFrom(
      CREATED_AT_MS - 1_000,
      CREATED_AT_MS + 1_000,
      CREATED_AT_MS + 2_000,
      EXPIRES_AT_MS - 1,
      EXPIRES_AT_MS,
      EXPIRES_AT_MS + 1_000,
    ),
  })
  .map((changes) => payment(changes));

/** Up to six events, delivered twice: each time in another order, each event one to three times. */
const twoDeliveries = fc
  .array(anyPayment, { maxLength: 6 })
  .map((events) => events.map((event, index) => ({ ...event, eventId: `event-${index}` })))
  .chain((events) => {
    const delivery = fc
      .array(fc.integer({ min: 1, max: 3 }), { minLength: events.length, maxLength: events.length })
      .chain((times) => {
        const delivered = events.flatMap((event, index) => Array<Payment>(times[index] ?? 1).fill(event));
        return fc.shuffledSubarray(delivered, { minLength: delivered.length });
      });
    return fc.record({ events: fc.constant(events), first: delivery, second: delivery });
  });

interface Delivered {
  readonly cart: Cart;
  readonly statuses: readonly CartStatus[];
  readonly events: readonly CausedEvent[];
  readonly recorded: readonly Payment[];
}

const CART = waitingCart();

const deliver = (delivery: readonly Payment[]): Delivered => {
  let cart = CART;
  const statuses: CartStatus[] = [];
  const events: CausedEvent[] = [];
  const recorded: Payment[] = [];
  for (const event of delivery) {
    const applied = applyPayment(cart, event);
    if (applied.outcome === 'rejected') throw new Error(`Rejected: ${applied.reason}`);
    ({ cart } = applied);
    statuses.push(statusAt(cart, EXPIRES_AT_MS + 5_000).status);
    if (applied.outcome === 'recorded') {
      recorded.push(event);
      if (applied.event) events.push(applied.event);
    }
  }
  return { cart, statuses, events, recorded };
};

const isSuccess = ({ result }: Payment): boolean => result === 'succeeded';

/** The payment of the success that arrives first. */
const firstPaid = (delivery: readonly Payment[]): string | undefined => delivery.find(isSuccess)?.paymentId;

/** The same delivery, with the successes of one payment before all others. */
const withFirst = (paymentId: string | undefined, delivery: readonly Payment[]): readonly Payment[] => {
  const isFirst = (event: Payment): boolean => isSuccess(event) && event.paymentId === paymentId;
  return [...delivery.filter(isFirst), ...delivery.filter((event) => !isFirst(event))];
};

describe('payments in any order and with any redelivery', () => {
  it('make the same cart if the same success is recorded first, and each is applied once', () => {
    fc.assert(
      fc.property(twoDeliveries, ({ events, first, second }) => {
        const { cart, statuses, events: caused, recorded } = deliver(first);
        expect(cart).toStrictEqual(deliver(withFirst(firstPaid(first), second)).cart);
        const ids = recorded.map(({ eventId }) => eventId);
        expect(ids.toSorted()).toStrictEqual(events.map(({ eventId }) => eventId));
        expect(cart.payments ?? []).toHaveLength(events.length);
        // A success completes the cart for good, which is reported once.
        const isPaid = events.some(isSuccess);
        const sinceCompleted = isPaid ? statuses.slice(statuses.indexOf('completed')) : [];
        expect(new Set(sinceCompleted)).toStrictEqual(new Set(isPaid ? ['completed'] : []));
        expect(statuses.includes('completed')).toBe(isPaid);
        expect(caused.filter(({ type }) => type === 'cart.completed')).toHaveLength(isPaid ? 1 : 0);
      }),
      { numRuns: 500 },
    );
  });

  it('are completed by the success that was recorded first; every other paid payment is reported once', () => {
    fc.assert(
      fc.property(twoDeliveries, ({ first }) => {
        const { cart, events, recorded } = deliver(first);
        const duplicates = events.flatMap(({ duplicatePaymentId }) => duplicatePaymentId ?? []);
        const paid = recorded.filter(isSuccess);
        const [completing, ...others] = [...new Set(paid.map(({ paymentId }) => paymentId))];
        expect(duplicates).toStrictEqual(others);
        expect([...duplicatePaymentIds(cart)].toSorted()).toStrictEqual(others.toSorted());
        if (completing === undefined) return;
        expect(cart.paymentId).toBe(completing);
        // If several events report the completing payment, the earliest decides.
        const ofCompleting = paid.filter(({ paymentId }) => paymentId === completing);
        const paidAtMs = Math.min(...ofCompleting.map(({ occurredAtMs }) => occurredAtMs));
        expect(cart.updatedAtMs).toBe(Math.max(CREATED_AT_MS, paidAtMs));
        const failedInTime = recorded.some(
          (event) => !isSuccess(event) && event.occurredAtMs < EXPIRES_AT_MS,
        );
        expect(cart.latePayment ?? false).toBe(paidAtMs >= EXPIRES_AT_MS && !failedInTime);
        const types = events.map(({ type }) => type);
        expect(types.findLast((type) => type !== 'cart.duplicate_payment')).toBe('cart.completed');
      }),
      { numRuns: 500 },
    );
  });
});
