import { describe, expect, it } from 'vitest';
import { viewCreatedCart, viewRetrievedCart } from '../../../lib/carts/cart-view.ts';
import type { Cart } from '../../../lib/carts/cart.ts';
import { CREATED_AT_MS, EXPIRES_AT_MS, waitingCart } from '../../support/domain/payments.ts';

const ID = '4d2f3c1e-0a5b-4c6d-8e7f-90a1b2c3d4e5';

const cart = waitingCart({
  id: ID,
  updatedAtMs: CREATED_AT_MS + 1_000,
  // In alphabetical order, as a database may return them.
  customerInfo: { email: 'a@b.example', firstName: 'Ada', lang: 'fr-CA', lastName: 'Lovelace', phone: '1' },
  price: { currency: 'EUR', amount: 19.99 },
  returnUrl: 'https://example.com/',
  meta: { b: '2', a: '1' },
});

// Texts, because the order of keys and absent fields are visible only there.
const created = (changes: Partial<Cart> = {}, nowMs = CREATED_AT_MS) =>
  JSON.stringify(viewCreatedCart({ ...cart, ...changes }, nowMs));
const retrieved = (changes: Partial<Cart> = {}, nowMs = CREATED_AT_MS) =>
  JSON.stringify(viewRetrievedCart({ ...cart, ...changes }, nowMs));

const EXPIRY = '"expiresAt":"2026-01-15T13:00:00.250Z"';
const PRICE = '"price":{"amount":19.99,"currency":"EUR"}';

describe('a created cart', () => {
  it('has the fields of the contract in its order, and no other', () => {
    expect(created()).toBe(
      `{"id":"${ID}","createdAt":"2026-01-15T12:30:00.250Z","updatedAt":"2026-01-15T12:30:01.250Z",` +
        '"status":"waiting_payment","customerInfo":{"firstName":"Ada","lastName":"Lovelace",' +
        `"email":"a@b.example","phone":"1","lang":"fr-CA"},"productDocumentId":"course","productName":"Course",${PRICE},${EXPIRY}}`,
    );
  });

  it.each([{ email: 'a@b.example' }, {}, { phone: '' }])(
    'omits absent fields of the buyer and keeps empty ones: %j',
    (customerInfo) => {
      expect(created({ customerInfo })).toContain(`"customerInfo":${JSON.stringify(customerInfo)},`);
    },
  );
});

describe('a retrieved cart', () => {
  it('has the fields of the created cart, sorted meta and expiry, and nothing internal', () => {
    expect(retrieved()).toBe(
      created().replace(`,${PRICE},${EXPIRY}}`, `,"meta":{"a":"1","b":"2"},${PRICE},${EXPIRY}}`),
    );
    expect(retrieved({ meta: {} })).toContain('"meta":{}');
  });

  it('has the same text in whichever order the database returns meta', () => {
    const entries = ['b', 'a!', 'a', 'constructor', '10', '9', 'Z', 'é', '🎈', ''].map((key) => [key, key]);
    const text = retrieved({ meta: Object.fromEntries(entries) as Cart['meta'] });
    expect(retrieved({ meta: Object.fromEntries(entries.toReversed()) as Cart['meta'] })).toBe(text);
    expect(JSON.parse(text)).toHaveProperty('meta', Object.fromEntries(entries));
  });

  it('has meta with whole numbers first, by value, then all other keys in order', () => {
    const keys = ['4294967295', '-1', '01', 'b', '4294967294', '10', '9', '1a'];
    const text = retrieved({ meta: Object.fromEntries(keys.map((key) => [key, ''])) });
    const [, shown = ''] = /"meta":\{(.*?)\}/.exec(text) ?? [];
    expect(shown.split(',')).toStrictEqual(
      ['9', '10', '4294967294', '-1', '01', '1a', '4294967295', 'b'].map((key) => `"${key}":""`),
    );
  });

  it('has a paymentId only if a payment is linked, and latePayment only if it was late', () => {
    const paymentId = '0d9c4a3b-1111-4222-8333-444455556666';
    const marks = { paymentId, latePayment: true } as const;
    expect(retrieved()).not.toMatch(/paymentId|latePayment/);
    expect(retrieved({ paymentId })).not.toContain('latePayment');
    expect(JSON.parse(retrieved({ paymentId }))).toMatchObject({ paymentId });
    expect(JSON.parse(retrieved(marks))).toMatchObject(marks);
  });
});

describe('the payment address of a retrieved cart', () => {
  const URLS = { live: 'https://pay.example/checkout', test: 'https://api.example/sandbox' };
  const addressIn = (changes: Partial<Cart>, nowMs = CREATED_AT_MS) =>
    viewRetrievedCart({ ...cart, ...changes }, nowMs, URLS).redirectUrl;

  it.each(['waiting_payment', 'payment_failed'] as const)('is there in %s, for its mode', (status) => {
    expect(addressIn({ status })).toBe(`${URLS.live}/${ID}`);
    expect(addressIn({ status, mode: 'test' })).toBe(`${URLS.test}/${ID}`);
  });

  it('is absent once the cart is paid or abandoned', () => {
    expect(addressIn({ status: 'completed' })).toBeUndefined();
    expect(addressIn({}, EXPIRES_AT_MS)).toBeUndefined();
  });
});

it('a completed cart has the time of its payment, and a failed one the reason that the payment side gave', () => {
  expect(retrieved()).not.toMatch(/completedAt|failureReason/);
  expect(JSON.parse(retrieved({ completedAtMs: EXPIRES_AT_MS }))).toMatchObject({
    completedAt: '2026-01-15T13:00:00.250Z',
  });
  expect(JSON.parse(retrieved({ failureReason: 'card_declined' }))).toMatchObject({
    failureReason: 'card_declined',
  });
});

it('a view without a payment is abandoned since the expiry', () => {
  const since = '2026-01-15T13:00:00.250Z';
  for (const view of [created, retrieved]) {
    expect(view({}, EXPIRES_AT_MS - 1)).toBe(view());
    expect(JSON.parse(view({}, EXPIRES_AT_MS))).toMatchObject({ updatedAt: since, status: 'abandoned' });
  }
});
