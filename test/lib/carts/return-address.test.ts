import { describe, expect, it } from 'vitest';
import { returnAddress, returnUrlsOf } from '../../../lib/carts/return-address.ts';
import { CREATED_AT_MS, waitingCart } from '../../support/domain/payments.ts';

const ID = '4d2f3c1e-0a5b-4c6d-8e7f-90a1b2c3d4e5';
const ADDED = `cartId=${ID}&status=completed`;
const SHOP = 'https://shop.example';

const addressFor = (returnUrl: string | undefined): string | undefined =>
  returnAddress({ returnUrl, id: ID }, 'completed');

describe('the return address', () => {
  it.each([
    [SHOP, `${SHOP}/?${ADDED}`],
    [`${SHOP}/thanks`, `${SHOP}/thanks?${ADDED}`],
    [`${SHOP}/thanks?`, `${SHOP}/thanks?${ADDED}`],
    [`${SHOP}/thanks#a?b`, `${SHOP}/thanks?${ADDED}#a?b`],
    [`${SHOP}/t?a=1&a=2&b#c`, `${SHOP}/t?a=1&a=2&b&${ADDED}#c`],
    ['http://localhost:3000/?a=%20+%2B', `http://localhost:3000/?a=%20+%2B&${ADDED}`],
    [`${SHOP}/?a&&b&`, `${SHOP}/?a&&b&&${ADDED}`],
    // These are not placeholders.
    [`${SHOP}/{CART}`, `${SHOP}/%7BCART%7D?${ADDED}`],
    [`${SHOP}/{cart_id}`, `${SHOP}/%7Bcart_id%7D?${ADDED}`],
    [`${SHOP}/%257BCART_ID%257D`, `${SHOP}/%257BCART_ID%257D?${ADDED}`],
    // These are escaped for a header.
    ['https://ü.example/ü?ü=ü#ü', `https://xn--tda.example/%C3%BC?%C3%BC=%C3%BC&${ADDED}#%C3%BC`],
    [`${SHOP}/"><script>`, `${SHOP}/%22%3E%3Cscript%3E?${ADDED}`],
    [`${SHOP}/a\r\nSet-Cookie: a=b`, `${SHOP}/aSet-Cookie:%20a=b?${ADDED}`],
    [`${SHOP}/\u202E`, `${SHOP}/%E2%80%AE?${ADDED}`],
  ])('has the cart and the status in its query, and keeps the rest: %j', (returnUrl, address) => {
    expect(addressFor(returnUrl)).toBe(address);
  });

  it.each([
    ['status=success', ''],
    ['cartId=mine&status=success', ''],
    ['status=success&a=%20+%2B', 'a=%20+%2B&'],
    ['a=1&status=&b=%zz&cartId&c', 'a=1&b=%zz&c&'],
    ['status=1&status=2&%73tat%75s=3&cart%49d=4&a', 'a&'],
    // These are other names.
    [
      'Status=1&status[]=2&cartid=3&?status=4&status%20=5',
      'Status=1&status[]=2&cartid=3&?status=4&status%20=5&',
    ],
    ['a=status=1&b=%26status=2', 'a=status=1&b=%26status=2&'],
    // Without its second `?`, the first name would be ours.
    ['?status=success', ''],
    ['?stat%75s=success&a&?cartId=1', 'a&?cartId=1&'],
    ['?a=1&cartId=mine', '?a=1&'],
    ['??status=1', '??status=1&'],
  ])('replaces cartId and status of the merchant, and keeps the rest byte for byte: %s', (query, kept) => {
    expect(addressFor(`${SHOP}/t?${query}#status=4`)).toBe(`${SHOP}/t?${kept}${ADDED}#status=4`);
  });

  it.each(['waiting_payment', 'payment_failed', 'abandoned'] as const)('has the status %s', (status) => {
    const address = returnAddress({ returnUrl: SHOP, id: ID }, status);
    expect(new URL(String(address)).searchParams.get('status')).toBe(status);
  });

  it.each([
    [`${SHOP}/{CART_ID}`, `${SHOP}/${ID}`],
    [`${SHOP}/%7BCART_ID%7D`, `${SHOP}/${ID}`],
    [`${SHOP}/%7bCART_ID%7d`, `${SHOP}/${ID}`],
    [`${SHOP}/{CART_ID}?c={CART_ID}&d=%7BCART_ID%7D#{CART_ID}`, `${SHOP}/${ID}?c=${ID}&d=${ID}#${ID}`],
    [`${SHOP}/?cartId={CART_ID}&Status=mine`, `${SHOP}/?cartId=${ID}&Status=mine`],
    ['https://{CART_ID}.shop.example/', `https://${ID}.shop.example/`],
  ])('has the id in place of every placeholder, and no added query: %s', (returnUrl, address) => {
    expect(addressFor(returnUrl)).toBe(address);
  });

  it.each([
    ['/?cartId={CART_ID}&status=success', `/?${ADDED}`],
    ['/{CART_ID}??status=success', `/${ID}?${ADDED}`],
    ['/{CART_ID}?a=%20&stat%75s=1#{CART_ID}', `/${ID}?a=%20&${ADDED}#${ID}`],
  ])('never has the status of the merchant, with a placeholder either: %s', (path, address) => {
    expect(addressFor(`${SHOP}${path}`)).toBe(`${SHOP}${address}`);
  });

  const UNUSABLE =
    '/thanks //shop.example/ https:// https://{CART_ID}:x/ ftp://shop.example/ javascript:alert(1) data:text/html,a';
  it.each([undefined, '', ...UNUSABLE.split(' ')])(
    'is undefined if no buyer can be sent there: %s',
    (returnUrl) => {
      expect(addressFor(returnUrl)).toBeUndefined();
    },
  );
});

describe('the return addresses of a visit', () => {
  const statusesOf = (returnUrl: string | undefined) => {
    const urls = returnUrlsOf(waitingCart({ returnUrl }), CREATED_AT_MS);
    return (
      urls && Object.entries(urls).map(([visit, url]) => [visit, new URL(url).searchParams.get('status')])
    );
  };

  it('have the status after each outcome', () => {
    expect(statusesOf(SHOP)).toStrictEqual([
      ['succeeded', 'completed'],
      ['failed', 'payment_failed'],
      ['left', 'waiting_payment'],
    ]);
  });

  it.each([
    [undefined, 'waiting_payment', 'https://basket.example'],
    [SHOP, 'waiting_payment', 'https://basket.example'],
    // Somebody paid in another tab.
    [SHOP, 'completed', SHOP],
  ] as const)(
    'send a buyer who leaves to the cancelUrl, until the cart is completed: %s, %s',
    (returnUrl, status, left) => {
      const cart = waitingCart({ returnUrl, cancelUrl: 'https://basket.example', status });
      const urls = returnUrlsOf(cart, CREATED_AT_MS);
      expect(urls?.left).toBe(`${left}/?cartId=${cart.id}&status=${status}`);
      const others = [urls?.succeeded, urls?.failed].map((url) => url && new URL(url).origin);
      expect(others).toStrictEqual([returnUrl, returnUrl]);
    },
  );

  it('are absent if the merchant sent none that a buyer can be sent to', () => {
    expect([undefined, 'ftp://shop.example/'].map(statusesOf)).toStrictEqual([undefined, undefined]);
  });
});
