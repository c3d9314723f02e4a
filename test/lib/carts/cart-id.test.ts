import { describe, expect, it } from 'vitest';
import { parseCartId } from '../../../lib/carts/cart-id.ts';

const STORED = 'e22ab6d3-b210-83cd-b92f-203b3f076ad7';

describe('a cart id of a request', () => {
  it.each([STORED, STORED.toUpperCase(), 'e22Ab6d3-B210-83cd-b92F-203b3f076aD7'])(
    'is read in any case: %s',
    (sent) => {
      expect(parseCartId(sent)).toBe(STORED);
    },
  );

  it.each(
    [
      [undefined, '', 'cart', '__proto__', ` ${STORED}`, `${STORED} `, `${STORED}\n`, `{${STORED}}`],
      [`urn:uuid:${STORED}`, STORED.slice(1), `${STORED}0`, STORED.replaceAll('-', '')],
      [STORED.replace('e', 'g'), STORED.replace('-', '\u2010'), STORED.replace('2', '\uff12')],
    ].flat(),
  )('is undefined if it is not a UUID: %j', (sent) => {
    expect(parseCartId(sent)).toBeUndefined();
  });
});
