import { describe, expect, it } from 'vitest';
import { isVisibleTo, newCart } from '../../../lib/carts/cart.ts';
import { BUYER } from '../../support/secrets.ts';

const CREATED_AT_MS = Date.UTC(2026, 0, 15, 12, 30, 0, 250);
const EXPIRES_AT_MS = Date.UTC(2026, 0, 15, 13, 0, 0, 250);

const draft = {
  id: '4d2f3c1e-0a5b-4c6d-8e7f-90a1b2c3d4e5',
  storeId: 'store-1',
  mode: 'test',
  customerInfo: { ...BUYER },
  productId: 'course',
  productName: 'Course',
  price: { amount: 19.99, currency: 'EUR' },
  meta: { order: 'A-1' },
  requestFingerprint: 'fingerprint',
} as const;

const cart = newCart({ ...draft, nowMs: CREATED_AT_MS }, { expirySeconds: 1_800, retentionSeconds: 86_400 });

describe('a new cart', () => {
  it('waits for its payment until its expiry, and is kept as long as the stage keeps unpaid carts after that', () => {
    expect(cart).toStrictEqual({
      ...draft,
      status: 'waiting_payment',
      createdAtMs: CREATED_AT_MS,
      updatedAtMs: CREATED_AT_MS,
      expiresAtMs: EXPIRES_AT_MS,
      // The first whole second that is not before its time.
      deleteAtSeconds: Date.UTC(2026, 0, 16, 13, 0, 1) / 1_000,
    });
  });

  it('is deleted at the very second where its times are whole seconds', () => {
    const nowMs = Date.UTC(2026, 0, 15, 12, 30, 0);
    const { deleteAtSeconds } = newCart(
      { ...draft, nowMs },
      { expirySeconds: 1_800, retentionSeconds: 86_400 },
    );
    expect(deleteAtSeconds).toBe(Date.UTC(2026, 0, 16, 13, 0, 0) / 1_000);
  });
});

describe('a cart is visible', () => {
  it("to its store's keys of its mode alone", () => {
    expect(isVisibleTo(cart, { storeId: 'store-1', mode: 'test' })).toBe(true);
    expect(isVisibleTo(cart, { storeId: 'store-1', mode: 'live' })).toBe(false);
    expect(isVisibleTo(cart, { storeId: 'store-2', mode: 'test' })).toBe(false);
  });

  it('to nobody if there is none', () => {
    expect(isVisibleTo(undefined, { storeId: 'store-1', mode: 'test' })).toBe(false);
  });
});
