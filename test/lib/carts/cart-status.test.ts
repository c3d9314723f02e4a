import { describe, expect, it } from 'vitest';
import { statusAt } from '../../../lib/carts/cart-status.ts';
import { CREATED_AT_MS, EXPIRES_AT_MS, waitingCart } from '../../support/domain/payments.ts';

describe("a cart's status", () => {
  it.each([
    [CREATED_AT_MS, 'waiting_payment', CREATED_AT_MS],
    [EXPIRES_AT_MS - 1, 'waiting_payment', CREATED_AT_MS],
    [EXPIRES_AT_MS, 'abandoned', EXPIRES_AT_MS],
    [EXPIRES_AT_MS + 86_400_000, 'abandoned', EXPIRES_AT_MS],
  ])('is abandoned since the expiry if no payment came: at %i %s', (nowMs, status, sinceMs) => {
    expect(statusAt(waitingCart(), nowMs)).toStrictEqual({ status, updatedAtMs: sinceMs });
  });

  it.each(['completed', 'payment_failed'] as const)('stays %s after the expiry', (status) => {
    const updated = { status, updatedAtMs: CREATED_AT_MS + 5_000 };
    expect(statusAt(waitingCart(updated), EXPIRES_AT_MS)).toStrictEqual(updated);
  });
});
