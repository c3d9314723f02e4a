import { describe, expect, it } from 'vitest';
import { parseCartId } from '../../../lib/carts/cart-id.ts';

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
