import { describe, expect, it } from 'vitest';
import { timelineOf } from '../../../../infra/operate/carts/timeline.ts';
import { erasedCart } from '../../../../lib/erasures/erased-cart.ts';
import {
  CREATED_AT_MS,
  EXPIRES_AT_MS,
  payment,
  refund,
  waitingCart,
} from '../../../support/domain/payments.ts';

const created = { what: 'created', atMs: CREATED_AT_MS };
const expired = { what: 'expired', atMs: EXPIRES_AT_MS };

describe('the timeline of a cart', () => {
  it('begins with its creation, and ends with its expiry if nobody paid', () => {
    expect(timelineOf(waitingCart(), EXPIRES_AT_MS - 1)).toStrictEqual([created]);
    expect(timelineOf(waitingCart(), EXPIRES_AT_MS)).toStrictEqual([created, expired]);
  });

  it('has the record of its abandonment, beside a payment that arrived later but happened before', () => {
    const abandonmentRecordedAtMs = EXPIRES_AT_MS + 60_000;
    const recorded = { what: 'abandonmentRecorded', atMs: abandonmentRecordedAtMs };
    const cart = waitingCart({ abandonmentRecordedAtMs });
    expect(timelineOf(cart, EXPIRES_AT_MS + 90_000)).toStrictEqual([created, expired, recorded]);
    const inTime = payment({ occurredAtMs: EXPIRES_AT_MS - 1 });
    const late = payment({ occurredAtMs: abandonmentRecordedAtMs + 1 });
    const paid = { ...cart, payments: [inTime, late] };
    expect(timelineOf(paid, EXPIRES_AT_MS + 90_000)).toMatchObject([
      created,
      { atMs: inTime.occurredAtMs },
      recorded,
      { atMs: late.occurredAtMs },
    ]);
  });

  it('has every refund, and those that wait for their payment', () => {
    const paid = payment();
    const given = refund({ paymentId: paid.paymentId, occurredAtMs: EXPIRES_AT_MS });
    const early = refund({ paymentId: 'unknown', occurredAtMs: EXPIRES_AT_MS + 1 });
    const cart = waitingCart({ payments: [paid], refunds: [given], earlyRefunds: [early] });
    expect(timelineOf(cart, EXPIRES_AT_MS).slice(2)).toStrictEqual([
      { what: 'refund', atMs: given.occurredAtMs, refund: given },
      { what: 'earlyRefund', atMs: early.occurredAtMs, refund: early },
    ]);
  });

  it('has every payment in the order in which it happened, and late ones after the expiry', () => {
    const failed = payment({ result: 'failed', occurredAtMs: EXPIRES_AT_MS });
    const succeeded = payment({ occurredAtMs: EXPIRES_AT_MS + 2_000 });
    const cart = waitingCart({ payments: [failed, succeeded] });
    expect(timelineOf(cart, EXPIRES_AT_MS + 5_000)).toStrictEqual([
      created,
      expired,
      { what: 'paymentFailed', atMs: failed.occurredAtMs, payment: failed },
      { what: 'paymentSucceeded', atMs: succeeded.occurredAtMs, payment: succeeded },
    ]);
  });

  it('begins with its creation, even if the clock of the payment side is behind', () => {
    const early = payment({ occurredAtMs: CREATED_AT_MS - 5_000 });
    const timeline = timelineOf(waitingCart({ payments: [early] }), CREATED_AT_MS);
    expect(timeline).toMatchObject([created, { atMs: early.occurredAtMs }]);
  });

  it('has the erasure of the buyer’s data', () => {
    const cart = erasedCart(waitingCart(), CREATED_AT_MS + 1_000);
    expect(timelineOf(cart, CREATED_AT_MS + 2_000)).toStrictEqual([
      created,
      { what: 'personalDataErased', atMs: CREATED_AT_MS + 1_000 },
    ]);
  });

  it('marks every event of a duplicate payment, whichever happened first', () => {
    const earlier = payment({ occurredAtMs: CREATED_AT_MS + 1_000 });
    const completing = payment({ occurredAtMs: CREATED_AT_MS + 2_000 });
    const later = payment({ occurredAtMs: CREATED_AT_MS + 3_000 });
    const { paymentId } = completing;
    const payments = [earlier, completing, later];
    const cart = waitingCart({ status: 'completed', paymentId, payments });
    expect(timelineOf(cart, EXPIRES_AT_MS).map(({ what }) => what)).toStrictEqual([
      'created',
      'duplicatePayment',
      'paymentSucceeded',
      'duplicatePayment',
    ]);
  });

  it.each(['failed', 'succeeded'] as const)('has no expiry if a payment %s before it', (result) => {
    const inTime = payment({ result, occurredAtMs: EXPIRES_AT_MS - 1 });
    const cart = waitingCart({ payments: [inTime, payment({ occurredAtMs: EXPIRES_AT_MS + 1 })] });
    expect(timelineOf(cart, EXPIRES_AT_MS + 1).map(({ what }) => what)).toStrictEqual([
      'created',
      result === 'failed' ? 'paymentFailed' : 'paymentSucceeded',
      'paymentSucceeded',
    ]);
  });
});
