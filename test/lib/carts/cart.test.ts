import { describe, expect, it } from 'vitest';
import { newCart } from '../../../lib/carts/cart.ts';
import { CREATED_AT_MS, EXPIRES_AT_MS, LIFETIME, waitingCart } from '../../support/domain/payments.ts';

const { id, storeId, mode, customerInfo, productId, productName, price, meta, requestFingerprint } =
  waitingCart();
const draft = { id, storeId, mode, customerInfo, productId, productName, price, meta, requestFingerprint };

describe('a new cart', () => {
  it('waits for its payment until its expiry, and is deleted once the retention ends', () => {
    expect(newCart({ ...draft, nowMs: CREATED_AT_MS }, LIFETIME)).toStrictEqual({
      ...draft,
      status: 'waiting_payment',
      createdAtMs: CREATED_AT_MS,
      updatedAtMs: CREATED_AT_MS,
      expiresAtMs: EXPIRES_AT_MS,
      // The first whole second after the retention.
      deleteAtSeconds: Date.UTC(2026, 0, 16, 13, 0, 1) / 1_000,
    });
    const { deleteAtSeconds } = newCart({ ...draft, nowMs: Date.UTC(2026, 0, 15, 12, 30) }, LIFETIME);
    expect(deleteAtSeconds).toBe(Date.UTC(2026, 0, 16, 13) / 1_000);
  });
});
