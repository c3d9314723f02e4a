import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCartId } from '../../../lib/carts/cart-id.ts';
import type { CreateCartRequest } from '../../../lib/carts/create-cart-request.ts';
import {
  idempotencyKeySchema,
  idempotentCartId,
  requestFingerprint,
} from '../../../lib/carts/idempotency.ts';
import { BUYER } from '../../support/secrets.ts';

const API_KEY = 'cck_test_0123456789ABCDEFGHIJKLMNOPQRSTUV1U7t3Q';
const OTHER_API_KEY = 'cck_test_000000000000000000000000000000003BQnpD';

describe('the cart id of an idempotency key', () => {
  // From Python's hmac and uuid modules.
  it.each([
    ['order-1', 'e22ab6d3-b210-83cd-b92f-203b3f076ad7'],
    ['order-2', 'a612efc0-6a82-8124-ac90-95cc65cef96c'],
    ['~'.repeat(255), '14b6c096-032e-8270-aa24-384e15852b4a'],
  ])('is the HMAC-SHA256 of the key under the API key: %s', (idempotencyKey, id) => {
    expect(idempotentCartId(API_KEY, idempotencyKey)).toBe(id);
  });

  it('is always a UUID of version 8 and the RFC 9562 variant', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (apiKey, idempotencyKey) => {
        expect(idempotentCartId(apiKey, idempotencyKey)).toMatch(
          /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
        );
      }),
    );
  });

  it('differs from that of every other idempotency key, by case and by space too', () => {
    const keys = ['order-1', 'Order-1', 'order-1 ', ' order-1', 'order-10', ''];
    expect(new Set(keys.map((key) => idempotentCartId(API_KEY, key))).size).toBe(6);
  });

  it('differs from that of every other API key', () => {
    expect(idempotentCartId(OTHER_API_KEY, 'order-1')).not.toBe(idempotentCartId(API_KEY, 'order-1'));
  });

  it('is one that a client can retrieve', () => {
    expect(parseCartId(idempotentCartId(API_KEY, 'order-1'))).toBe('e22ab6d3-b210-83cd-b92f-203b3f076ad7');
  });
});

describe('an idempotency key', () => {
  it.each(['x', ' ', '~', 'a b', '8e03978e-40d5-43dd-bc93-6894a57f9324', 'x'.repeat(255)])(
    'may be %j',
    (key) => {
      expect(idempotencyKeySchema.parse(key)).toBe(key);
    },
  );

  it.each(['', 'x'.repeat(256), 'a\tb', 'a\n', '\u007f', 'é', '\u0000'])('may not be %j', (key) => {
    expect(idempotencyKeySchema.safeParse(key).success).toBe(false);
  });
});

const request: CreateCartRequest = {
  productDocumentId: 'course',
  ...BUYER,
  redirectURL: 'https://example.com/',
  meta: { a: '1', b: '2' },
  customerPrice: 7.25,
};

const without = (field: keyof CreateCartRequest): CreateCartRequest =>
  Object.fromEntries(Object.entries(request).filter(([name]) => name !== field)) as CreateCartRequest;

describe("a request's fingerprint", () => {
  it('is a SHA-256 in base64url', () => {
    expect(requestFingerprint(request)).toMatch(/^[A-Za-z0-9_-]{43}$/);
  });

  // From Python's json and hashlib modules.
  it('is the same for good, since carts are stored with it: of the fields in one order, and of meta by its keys', () => {
    const stored: CreateCartRequest = {
      productDocumentId: 'course',
      email: 'a@b.example',
      firstName: 'Ada',
      lastName: 'Lovelace',
      meta: { b: '2', a: '1' },
      customerPrice: 7.25,
    };
    expect(requestFingerprint(stored)).toBe('cP3QX57-NPhZXolwCm6p7DYUOFtMGm9yO5gd44LBFzk');
  });

  it('does not depend on the order of the fields', () => {
    const reordered = Object.fromEntries(Object.entries(request).toReversed()) as CreateCartRequest;
    expect(requestFingerprint(reordered)).toBe(requestFingerprint(request));
  });

  it('does not depend on the order of meta, whatever its keys', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.string()), (meta) => {
        const reordered = Object.fromEntries(Object.entries(meta).toReversed());
        expect(requestFingerprint({ ...request, meta: reordered })).toBe(
          requestFingerprint({ ...request, meta }),
        );
      }),
    );
  });

  it('takes no meta and empty meta for the same', () => {
    expect(requestFingerprint(without('meta'))).toBe(requestFingerprint({ ...request, meta: {} }));
  });

  it.each<[string, CreateCartRequest]>([
    ['product', { ...request, productDocumentId: 'Course' }],
    ['e-mail address', { ...request, email: 'else@buyer.example' }],
    ['first name', { ...request, firstName: 'Zsofia' }],
    ['last name', { ...request, lastName: 'quackenbush' }],
    ['names, exchanged', { ...request, firstName: request.lastName, lastName: request.firstName }],
    ['phone number', { ...request, phone: '1' }],
    ['phone number, left out', without('phone')],
    ['phone number, left empty', { ...request, phone: '' }],
    ['redirect address', { ...request, redirectURL: 'https://example.com' }],
    ['redirect address, left out', without('redirectURL')],
    ['price', { ...request, customerPrice: 7.26 }],
    ['price, left out', without('customerPrice')],
    ['meta value', { ...request, meta: { a: '1', b: '3' } }],
    ['meta key', { ...request, meta: { a: '1', c: '2' } }],
    ['meta entry, left out', { ...request, meta: { a: '1' } }],
    ['meta entry, added', { ...request, meta: { a: '1', b: '2', c: '' } }],
    ['meta values, exchanged', { ...request, meta: { a: '2', b: '1' } }],
    ['meta, left out', without('meta')],
  ])('differs after a change of the %s', (_, changed) => {
    expect(requestFingerprint(changed)).not.toBe(requestFingerprint(request));
  });

  it('keeps fields apart, however their texts run together', () => {
    const one = { ...request, firstName: 'a","b', lastName: 'c' };
    const other = { ...request, firstName: 'a', lastName: 'b","c' };
    expect(requestFingerprint(one)).not.toBe(requestFingerprint(other));
    expect(requestFingerprint({ ...request, meta: { 'a,1': '2' } })).not.toBe(
      requestFingerprint({ ...request, meta: { a: '1,2' } }),
    );
  });
});
