import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { applyPayment, statusAt, type StatusChange } from '../../../lib/carts/cart-lifecycle.ts';
import type { Cart, CartStatus } from '../../../lib/carts/cart.ts';
import type { Payment } from '../../../lib/carts/payment.ts';
import { CREATED_AT_MS, EXPIRES_AT_MS, payment, waitingCart } from '../../support/payments.ts';

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
  readonly changes: readonly StatusChange[];
  readonly recorded: readonly string[];
}

const CART = waitingCart();

const deliver = (delivery: readonly Payment[]): Delivered => {
  let cart = CART;
  const statuses: CartStatus[] = [];
  const changes: StatusChange[] = [];
  const recorded: string[] = [];
  for (const event of delivery) {
    const applied = applyPayment(cart, event);
    if (applied.outcome === 'rejected') throw new Error(`Rejected: ${applied.reason}`);
    ({ cart } = applied);
    statuses.push(statusAt(cart, EXPIRES_AT_MS + 5_000).status);
    if (applied.outcome === 'recorded') {
      recorded.push(event.eventId);
      if (applied.change) changes.push(applied.change);
    }
  }
  return { cart, statuses, changes, recorded };
};

it('payments make the same cart in any order and with any redelivery, and each is applied once', () => {
  fc.assert(
    fc.property(twoDeliveries, ({ events, first, second }) => {
      const { cart, statuses, changes, recorded } = deliver(first);
      expect(cart).toStrictEqual(deliver(second).cart);
      expect(recorded.toSorted()).toStrictEqual(events.map(({ eventId }) => eventId));
      expect(cart.payments ?? []).toHaveLength(events.length);
      // A success completes the cart for good, which is reported once.
      const isPaid = events.some(({ result }) => result === 'succeeded');
      const sinceCompleted = isPaid ? statuses.slice(statuses.indexOf('completed')) : [];
      expect(new Set(sinceCompleted)).toStrictEqual(new Set(isPaid ? ['completed'] : []));
      expect(statuses.includes('completed')).toBe(isPaid);
      expect(changes.filter(({ to }) => to === 'completed')).toHaveLength(isPaid ? 1 : 0);
    }),
    { numRuns: 5_000 },
  );
});
