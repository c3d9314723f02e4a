import { describe, expect, it } from 'vitest';
import { viewCreatedCart, viewRetrievedCart } from '../../../lib/carts/cart-view.ts';
import type { Cart } from '../../../lib/carts/cart.ts';

const NOW_MS = Date.UTC(2026, 0, 15, 12, 30, 0, 250);

const cart: Cart = {
  id: '4d2f3c1e-0a5b-4c6d-8e7f-90a1b2c3d4e5',
  storeId: 'store-1',
  mode: 'test',
  status: 'waiting_payment',
  createdAtMs: NOW_MS,
  updatedAtMs: NOW_MS + 1_000,
  expiresAtMs: NOW_MS + 86_400_000,
  // In the order of a database that sorts.
  customerInfo: { email: 'a@b.example', firstName: 'Ada', lang: 'fr-CA', lastName: 'Lovelace', phone: '1' },
  productId: 'course',
  productName: 'Course',
  price: { currency: 'EUR', amount: 19.99 },
  redirectUrl: 'https://example.com/',
  meta: { b: '2', a: '1' },
  deleteAtSeconds: 1_768_566_601,
  requestFingerprint: 'fingerprint',
};

// Texts, since the order of keys and what is left out show in them alone.
const created = (changes: Partial<Cart> = {}, nowMs = NOW_MS) =>
  JSON.stringify(viewCreatedCart({ ...cart, ...changes }, nowMs));
const retrieved = (changes: Partial<Cart> = {}, nowMs = NOW_MS) =>
  JSON.stringify(viewRetrievedCart({ ...cart, ...changes }, nowMs));

describe('a created cart', () => {
  it('has the fields of the document, in its order, and no other', () => {
    expect(created()).toBe(
      '{"id":"4d2f3c1e-0a5b-4c6d-8e7f-90a1b2c3d4e5","createdAt":"2026-01-15T12:30:00.250Z",' +
        '"updatedAt":"2026-01-15T12:30:01.250Z","status":"waiting_payment","customerInfo":{"firstName":"Ada",' +
        '"lastName":"Lovelace","email":"a@b.example","phone":"1","lang":"fr-CA"}}',
    );
  });

  it('leaves out what the buyer did not give', () => {
    expect(created({ customerInfo: { email: 'a@b.example' } })).toContain(
      '"customerInfo":{"email":"a@b.example"}}',
    );
    expect(created({ customerInfo: {} })).toContain('"customerInfo":{}}');
  });

  it('keeps what the buyer gave empty', () => {
    expect(created({ customerInfo: { phone: '' } })).toContain('"customerInfo":{"phone":""}}');
  });

  it('is abandoned where a retry comes after its expiry', () => {
    expect(created({}, NOW_MS + 86_400_000)).toContain(
      '"updatedAt":"2026-01-16T12:30:00.250Z","status":"abandoned"',
    );
  });
});

describe('a retrieved cart', () => {
  it('has the fields of the created cart, then meta, price and expiry, and nothing internal', () => {
    expect(retrieved()).toBe(
      `${created().slice(0, -1)},"meta":{"b":"2","a":"1"},"price":{"amount":19.99,"currency":"EUR"},` +
        '"expiresAt":"2026-01-16T12:30:00.250Z"}',
    );
  });

  it('has a payment only once one is linked, and a late one is marked', () => {
    const paymentId = '0d9c4a3b-1111-4222-8333-444455556666';
    expect(JSON.parse(retrieved())).not.toHaveProperty('paymentId');
    expect(JSON.parse(retrieved())).not.toHaveProperty('latePayment');
    const paid = retrieved({ status: 'completed', paymentId });
    expect(JSON.parse(paid)).toMatchObject({ status: 'completed', paymentId });
    expect(JSON.parse(paid)).not.toHaveProperty('latePayment');
    expect(JSON.parse(retrieved({ status: 'completed', paymentId, latePayment: true }))).toMatchObject({
      paymentId,
      latePayment: true,
    });
  });

  it('has an empty meta where none was given', () => {
    expect(JSON.parse(retrieved({ meta: {} }))).toMatchObject({ meta: {} });
  });

  it('is waiting until the last millisecond before its expiry, then abandoned since that moment', () => {
    const waiting = { status: 'waiting_payment', updatedAt: '2026-01-15T12:30:01.250Z' };
    const abandoned = { status: 'abandoned', updatedAt: '2026-01-16T12:30:00.250Z' };
    expect(JSON.parse(retrieved({}, NOW_MS + 86_399_999))).toMatchObject(waiting);
    expect(JSON.parse(retrieved({}, NOW_MS + 86_400_000))).toMatchObject(abandoned);
  });
});
