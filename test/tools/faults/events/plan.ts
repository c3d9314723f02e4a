import { randomUUID } from 'node:crypto';
import { DEMO_STORES } from '../../../../infra/local-access/demo-stores.ts';
import { CART_LIFETIME } from '../../../../infra/stage/stage-config.ts';
import type { Cart } from '../../../../lib/carts/cart.ts';
import type { Payment, PaymentResult } from '../../../../lib/carts/payment.ts';
import type { LogId } from '../../../../lib/events/logged-event.ts';
import type { Action } from '../../../../functions/sandbox-checkout/actions.ts';
import { payment, refund } from '../../../support/domain/payments.ts';
import { benchCart } from '../../bench/support/items.ts';
import type { Random } from '../world/random.ts';
import type { Report } from '../../../support/payment-side.ts';

/**
 * A change of a cart.
 *
 * - `sandbox`: a request to a service process. A repetition is a new payment.
 * - `writer`: an event of the payment side on the bus of a process. A repetition is the same payment or refund.
 * - `command`: `payments send`, which is a process of its own. A repetition sends the same event.
 */
export type Step =
  | { readonly by: 'sandbox'; readonly action: Action }
  | { readonly by: 'writer'; readonly report: Report; readonly copies: number }
  | { readonly by: 'command'; readonly result: PaymentResult };

/** A cart, the steps that change it in this order, and about how many changes that makes. */
export interface Plan {
  readonly cart: Cart;
  readonly steps: readonly Step[];
  readonly changes: number;
}

const [STORE_ONE, STORE_TWO] = DEMO_STORES as [(typeof DEMO_STORES)[0], (typeof DEMO_STORES)[0]];

/** The logs of the load, with their parts of the carts. The shares add up to 1. */
export const LOGS: readonly (LogId & { readonly share: number })[] = [
  { storeId: STORE_ONE.id, mode: 'test', share: 0.6 },
  { storeId: STORE_TWO.id, mode: 'test', share: 0.25 },
  { storeId: STORE_ONE.id, mode: 'live', share: 0.15 },
];

const cartOf = ({ storeId, mode }: LogId, nowMs: number, expirySeconds: number): Cart => ({
  ...benchCart(randomUUID(), nowMs + (expirySeconds - CART_LIFETIME.expirySeconds) * 1_000),
  storeId,
  mode,
});

/** A payment of the price of these carts. */
const paymentOf = (result: PaymentResult, occurredAtMs: number): Payment =>
  payment({ amount: 49.9, result, occurredAtMs });

const reported = (report: Report, copies = 1): Step => ({ by: 'writer', report, copies });

const paid = (result: PaymentResult, occurredAtMs: number, copies = 1): Step =>
  reported(paymentOf(result, occurredAtMs), copies);

/** A refund in part, by two copies at the same time. */
const refunded = ({ paymentId, occurredAtMs }: Payment): Step =>
  reported(refund({ paymentId, amount: 0.1, occurredAtMs }), 2);

/** A payment and a duplicate payment with refunds of both, of which some come before their payment. */
const refundedInAnyOrder = (nowMs: number): readonly Step[] => {
  const [first, second] = [paymentOf('succeeded', nowMs), paymentOf('succeeded', nowMs + 1)];
  return [
    refunded(first),
    refunded(second),
    refunded(first),
    reported(first, 2),
    refunded(first),
    reported(second, 2),
    refunded(second),
  ];
};

interface Kind {
  readonly share: number;
  readonly changes: number;
  /** Whether the cart expires during the load. */
  readonly expires?: boolean;
  readonly steps: (cart: Cart, nowMs: number) => readonly Step[];
}

const sandbox = (...actions: readonly Action[]): readonly Step[] =>
  actions.map((action) => ({ by: 'sandbox', action }));

/** The shares add up to 1. Live carts have no sandbox: the payment side reports their payments. */
const KINDS: readonly Kind[] = [
  { share: 0.24, changes: 1, steps: () => sandbox('pay') },
  { share: 0.14, changes: 2, steps: () => sandbox('decline', 'pay') },
  { share: 0.04, changes: 2, steps: () => sandbox('pay_twice') },
  { share: 0.04, changes: 1, steps: () => sandbox('out_of_order') },
  { share: 0.08, changes: 1, steps: (_, nowMs) => [paid('succeeded', nowMs)] },
  { share: 0.04, changes: 7, steps: (_, nowMs) => refundedInAnyOrder(nowMs) },
  // Two copies at the same time, on the buses of two processes.
  { share: 0.08, changes: 1, steps: (_, nowMs) => [paid('succeeded', nowMs, 2)] },
  {
    share: 0.08,
    changes: 3,
    steps: (_, nowMs) => [paid('failed', nowMs), paid('failed', nowMs + 1), paid('succeeded', nowMs + 2)],
  },
  // The failure comes after the success, and happened before it.
  {
    share: 0.05,
    changes: 1,
    steps: (_, nowMs) => [paid('succeeded', nowMs), paid('failed', nowMs - 1_000)],
  },
  {
    share: 0.05,
    changes: 2,
    steps: (_, nowMs) => [paid('succeeded', nowMs, 2), paid('succeeded', nowMs + 1, 2)],
  },
  // The service may record the abandonment before the late payment or not at all.
  { share: 0.04, changes: 2, expires: true, steps: (cart) => [paid('succeeded', cart.expiresAtMs + 1_000)] },
  { share: 0.12, changes: 1, expires: true, steps: () => [] },
];

const planOf = (random: Random, nowMs: number, expiryRangeSeconds: number): Plan => {
  const log = random.byShare(LOGS);
  const kinds =
    log.mode === 'test' ? KINDS : KINDS.filter(({ steps }) => steps.toString().indexOf('sandbox') < 0);
  const total = kinds.reduce((sum, { share }) => sum + share, 0);
  const { expires = false, steps, changes } = random.byShare(kinds, total);
  const expirySeconds = expires ? random.next() * expiryRangeSeconds : CART_LIFETIME.expirySeconds;
  const cart = cartOf(log, nowMs, expirySeconds);
  return { cart, steps: steps(cart, nowMs), changes };
};

/**
 * Chooses carts and their changes.
 *
 * @param expiryRangeSeconds the carts that expire do so within this time
 */
export const makePlans = (
  random: Random,
  changes: number,
  commands: number,
  nowMs: number,
  expiryRangeSeconds: number,
): Plan[] => {
  const plans: Plan[] = Array.from({ length: commands }, () => ({
    cart: cartOf(LOGS[0]!, nowMs, CART_LIFETIME.expirySeconds),
    steps: [{ by: 'command', result: 'succeeded' }],
    changes: 1,
  }));
  let planned = commands;
  while (planned < changes) {
    const plan = planOf(random, nowMs, expiryRangeSeconds);
    planned += plan.changes;
    // Commands are spread over the load.
    plans.splice(Math.floor(random.next() * (plans.length + 1)), 0, plan);
  }
  return plans;
};
