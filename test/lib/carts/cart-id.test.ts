import { describe, expect, it } from 'vitest';
import { parseCartId } from '../../../lib/carts/cart-id.ts';

describe('a cart id that was sent', () => {
  const STORED = 'e22ab6d3-b210-83cd-b92f-203b3f076ad7';

  it.each([STORED, 'E22AB6D3-B210-83CD-B92F-203B3F076AD7', 'e22Ab6d3-B210-83cd-b92F-203b3f076aD7'])(
    'is read in any case: %s',
    (sent) => {
      expect(parseCartId(sent)).toBe(STORED);
    },
  );

  it.each([
    undefined,
    '',
    'cart',
    '__proto__',
    ` ${STORED}`,
    `${STORED} `,
    `${STORED}\n`,
    `{${STORED}}`,
    `urn:uuid:${STORED}`,
    STORED.slice(1),
    `${STORED}0`,
    STORED.replaceAll('-', ''),
    STORED.replace('e', 'g'),
    STORED.replace('-', '\u2010'),
    '１22ab6d3-b210-83cd-b92f-203b3f076ad7',
  ])('is none where it is no UUID: %j', (sent) => {
    expect(parseCartId(sent)).toBeUndefined();
  });
});
