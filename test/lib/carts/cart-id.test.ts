import { describe, expect, it } from 'vitest';
import { parseCartId } from '../../../lib/carts/cart-id.ts';
import { idempotentCartId } from '../../../lib/carts/creation/idempotent-cart-id.ts';

const STORED = 'e22ab6d3-b210-43cd-b92f-203b3f076ad7';

describe('a cart id of a request', () => {
  it('is read in any case', () => {
    const mixed = 'e22Ab6d3-b210-43cd-b92F-203b3f076aD7';
    for (const sent of [STORED, STORED.toUpperCase(), mixed]) expect(parseCartId(sent)).toBe(STORED);
  });

  it.each([
    ['other text', [undefined, '', 'cart', '__proto__', STORED.replace('e', 'g')]],
    ['text around a UUID', [` ${STORED}`, `${STORED} `, `${STORED}\n`, `{${STORED}}`, `urn:uuid:${STORED}`]],
    ['a wrong length', [STORED.slice(1), `${STORED}0`, STORED.replaceAll('-', '')]],
    ['other hyphens or digits', [STORED.replace('-', '\u2010'), STORED.replace('2', '\uff12')]],
  ])('is undefined if it is not a UUID: %s', (_, values) => {
    for (const sent of values) expect(parseCartId(sent), sent).toBeUndefined();
  });
});

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
