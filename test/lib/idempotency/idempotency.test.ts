import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCartId } from '../../../lib/carts/cart-id.ts';
import { type CreateCartRequest, createCartRequestSchema } from '../../../lib/carts/create-cart-request.ts';
import { idempotencyKeySchema, idempotentCartId } from '../../../lib/idempotency/idempotency.ts';
import { requestFingerprint } from '../../../lib/carts/create-cart.ts';

const SECRET = Uint8Array.from({ length: 32 }, (_, index) => index);
const LIVE = { storeId: 'shop', mode: 'live' } as const;
const TEST = { ...LIVE, mode: 'test' } as const;

describe('the cart id of an idempotency key', () => {
  // Computed by Python's hmac, json and uuid modules.
  it.each([
    [LIVE, 'order-1', '86a71eb7-e1e3-4f30-babf-3c96f60fddf6'],
    [TEST, 'order-1', '2c9703d4-af76-4d61-a6d7-1c2eb07bd729'],
    [LIVE, '~'.repeat(255), '856d4834-6dc9-4f34-b711-e5349acfe0ba'],
    [{ ...LIVE, storeId: 's_1-A' }, 'a"b\\c ', '9eaaba75-aa45-4604-a203-bf571dec3c5b'],
  ])('is the HMAC-SHA256 of scope and key, and retrievable: %j, %s', (scope, idempotencyKey, id) => {
    expect(idempotentCartId(SECRET, scope, idempotencyKey)).toBe(id);
    expect(parseCartId(id)).toBe(id);
  });

  it('is a UUID of version 4 that depends on the secret, store, mode and every character of the key', () => {
    const keys = ['order-1', 'Order-1', 'order-1 ', ' order-1', 'order-10', '', '","', 'test'];
    const otherSecret = SECRET.with(31, 0);
    const scopes = [LIVE, TEST, { ...LIVE, storeId: 'shop2' }, { ...TEST, storeId: 'Shop' }];
    const ids = [SECRET, otherSecret].flatMap((secret) =>
      scopes.flatMap((scope) => keys.map((key) => idempotentCartId(secret, scope, key))),
    );
    expect(new Set(ids).size).toBe(64);
    for (const id of ids)
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });
});

describe('an idempotency key', () => {
  it.each(['x', ' ', '~', 'a b', '8e03978e-40d5-43dd-bc93-6894a57f9324', 'x'.repeat(255)])(
    'is accepted: %j',
    (key) => {
      expect(idempotencyKeySchema.parse(key)).toBe(key);
    },
  );

  it.each(['', 'x'.repeat(256), 'a\tb', 'a\n', '\u007f', 'é', '\u0000'])('is rejected: %j', (key) => {
    expect(idempotencyKeySchema.safeParse(key).success).toBe(false);
  });
});

const MINIMAL = { productDocumentId: 'course', email: 'a@b.example', firstName: 'Ada', lastName: 'Lovelace' };

/** Texts that could be mistaken for the JSON around them. */
const anyText = fc.constantFrom('', 'a', 'b', 'a","b', 'null', '[]', '🎈');
const anyValue = fc.oneof(
  anyText,
  fc.jsonValue({ maxDepth: 2 }).filter((value) => value !== null),
);

/** Every field of the schema, which includes a new one at once, and names that a later release could add. */
const FIELDS = [...Object.keys(createCartRequestSchema.shape), 'gift', 'items', 'Lang'];
const anyRequest = fc.record(
  Object.fromEntries(
    FIELDS.map((name) => [name, name === 'meta' ? fc.dictionary(anyText, anyText) : anyValue]),
  ),
  { requiredKeys: [] },
);
const anyField = fc.constantFrom(...FIELDS);

const fingerprintOf = (request: object): string => requestFingerprint(request as CreateCartRequest);

/** A request without undefined fields, in which an absent `meta` is empty. */
const normalised = ({ meta = {}, ...rest }: { readonly meta?: unknown }): unknown =>
  JSON.parse(JSON.stringify({ ...rest, meta }));

const reversed = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(reversed);
  const entries = Object.entries(value).map(([name, part]) => [name, reversed(part)]);
  return Object.fromEntries(entries.toReversed());
};

describe("a request's fingerprint", () => {
  // Computed by Python's hashlib. Carts are stored with it: a different result would reject retries after an upgrade.
  it.each([
    [{}, 'fN5c6bZVEkTuLdBwmWr_QQZpxlzVQ9qM2ZcRzr8IEMY'],
    [{ meta: { b: '2', a: '1' }, customerPrice: 7.25 }, 'nAF14SLUq-nSfemqE9yzraCRk6q-AK8QbHfIjlWIzCA'],
    [
      {
        phone: '+1 555 0100',
        redirectURL: 'https://example.com/{CART_ID}',
        meta: { '10': 'x', '9': '', ключ: '"🎈"', constructor: 'c' },
        customerPrice: 1e-7,
      },
      'Ovs2_bWtb8HI8BOvsM6IG-W2vWPhX0AvU6GykqjLTss',
    ],
  ])('never changes: %j', (optional, fingerprint) => {
    expect(fingerprintOf({ ...MINIMAL, ...optional })).toBe(fingerprint);
    expect(fingerprintOf({ ...MINIMAL, ...optional, gift: undefined })).toBe(fingerprint);
  });

  it('differs if and only if a field differs, where undefined equals absent', () => {
    fc.assert(
      fc.property(anyRequest, anyRequest, anyField, (one, other, field) => {
        const changed = { ...one, [field]: other[field] };
        const isSame = isDeepStrictEqual(normalised(one), normalised(changed));
        expect(fingerprintOf(one) === fingerprintOf(changed)).toBe(isSame);
      }),
      { numRuns: 1_000 },
    );
  });

  it('does not depend on the order of fields, at any depth', () => {
    fc.assert(
      fc.property(anyRequest, (request) => {
        expect(fingerprintOf(reversed(request) as object)).toBe(fingerprintOf(request));
      }),
      { numRuns: 1_000 },
    );
  });
});
