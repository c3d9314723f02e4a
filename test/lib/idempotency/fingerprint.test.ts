import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { requestFingerprint } from '../../../lib/carts/creation/create-cart.ts';
import {
  type CreateCartRequest,
  createCartRequestSchema,
} from '../../../lib/carts/request/create-cart-request.ts';

const MINIMAL = { productDocumentId: 'course', email: 'a@b.example', firstName: 'Ada', lastName: 'Lovelace' };

/** Texts that could be mistaken for the JSON around them. */
const anyText = fc.constantFrom('', 'a', 'b', 'a","b', 'null', '[]', '🎈');
const anyValue = fc.oneof(
  anyText,
  fc.constantFrom(['a', 'b'], ['b', 'a']),
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
      { numRuns: 300 },
    );
  });

  it('does not depend on the order of fields, at any depth', () => {
    fc.assert(
      fc.property(anyRequest, (request) => {
        expect(fingerprintOf(reversed(request) as object)).toBe(fingerprintOf(request));
      }),
      { numRuns: 300 },
    );
  });
});
