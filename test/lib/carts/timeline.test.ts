import { describe, expect, it } from 'vitest';
import { timelineOf } from '../../../lib/carts/timeline.ts';
import { CREATED_AT_MS, EXPIRES_AT_MS, payment, waitingCart } from '../../support/payments.ts';

const whatHappened = (...args: Parameters<typeof timelineOf>): string[] =>
  timelineOf(...args).map(({ what }) => what);

describe('the timeline of a cart', () => {
  it('begins with its creation, and ends with its expiry if nobody paid', () => {
    expect(timelineOf(waitingCart(), EXPIRES_AT_MS - 1)).toStrictEqual([
      { what: 'created', atMs: CREATED_AT_MS },
    ]);
    expect(timelineOf(waitingCart(), EXPIRES_AT_MS)).toStrictEqual([
      { what: 'created', atMs: CREATED_AT_MS },
      { what: 'expired', atMs: EXPIRES_AT_MS },
    ]);
  });

  it('tells every payment in the order in which it happened, a late one after the expiry', () => {
    const failed = payment({ result: 'failed', occurredAtMs: EXPIRES_AT_MS + 1_000 });
    const succeeded = payment({ occurredAtMs: EXPIRES_AT_MS + 2_000 });
    const cart = waitingCart({ payments: [failed, succeeded] });
    expect(timelineOf(cart, EXPIRES_AT_MS + 5_000)).toStrictEqual([
      { what: 'created', atMs: CREATED_AT_MS },
      { what: 'expired', atMs: EXPIRES_AT_MS },
      { what: 'paymentFailed', atMs: failed.occurredAtMs, payment: failed },
      { what: 'paymentSucceeded', atMs: succeeded.occurredAtMs, payment: succeeded },
    ]);
  });

  it('tells no expiry of a cart whose payment had succeeded or failed before it', () => {
    for (const result of ['failed', 'succeeded'] as const) {
      const cart = waitingCart({ payments: [payment({ result, occurredAtMs: EXPIRES_AT_MS - 1 })] });
      expect(whatHappened(cart, EXPIRES_AT_MS + 1)).not.toContain('expired');
    }
  });

  it('tells no expiry where one payment came before it and another after', () => {
    const failed = payment({ result: 'failed', occurredAtMs: EXPIRES_AT_MS - 1 });
    const cart = waitingCart({ payments: [failed, payment({ occurredAtMs: EXPIRES_AT_MS + 1 })] });
    expect(whatHappened(cart, EXPIRES_AT_MS + 1)).toStrictEqual([
      'created',
      'paymentFailed',
      'paymentSucceeded',
    ]);
  });

  it('tells the expiry before a payment of the very moment, which is late', () => {
    const cart = waitingCart({ payments: [payment({ occurredAtMs: EXPIRES_AT_MS })] });
    expect(whatHappened(cart, EXPIRES_AT_MS)).toStrictEqual(['created', 'expired', 'paymentSucceeded']);
  });
});
