import { describe, expect, it } from 'vitest';
import { formTargetOf, returnAddress } from '../../../lib/sandbox/return-address.ts';

const ID = '4d2f3c1e-0a5b-4c6d-8e7f-90a1b2c3d4e5';
const ADDED = `cartId=${ID}&status=completed`;

const addressFor = (redirectUrl: string | undefined): string | undefined =>
  returnAddress({ redirectUrl, id: ID }, 'completed');

describe('returnAddress', () => {
  it.each([
    ['https://shop.example', `https://shop.example/?${ADDED}`],
    ['https://shop.example/thanks', `https://shop.example/thanks?${ADDED}`],
    ['https://shop.example/thanks?', `https://shop.example/thanks?${ADDED}`],
    ['https://shop.example/thanks#a?b', `https://shop.example/thanks?${ADDED}#a?b`],
    ['https://shop.example/t?a=1&a=2&b#c', `https://shop.example/t?a=1&a=2&b&${ADDED}#c`],
    ['http://localhost:3000/?a=%20+%2B', `http://localhost:3000/?a=%20+%2B&${ADDED}`],
    ['https://shop.example/?cartId=mine', `https://shop.example/?cartId=mine&${ADDED}`],
  ])('adds cart and status to the query and keeps the rest: %s', (redirectUrl, address) => {
    expect(addressFor(redirectUrl)).toBe(address);
  });

  it.each([
    ['https://shop.example/{CART_ID}', `https://shop.example/${ID}`],
    ['https://shop.example/%7BCART_ID%7D', `https://shop.example/${ID}`],
    ['https://shop.example/%7bCART_ID%7d', `https://shop.example/${ID}`],
    [
      'https://shop.example/{CART_ID}?c={CART_ID}&d=%7BCART_ID%7D#{CART_ID}',
      `https://shop.example/${ID}?c=${ID}&d=${ID}#${ID}`,
    ],
    ['https://{CART_ID}.shop.example/', `https://${ID}.shop.example/`],
  ])('fills in every placeholder and adds nothing: %s', (redirectUrl, address) => {
    expect(addressFor(redirectUrl)).toBe(address);
  });

  it.each([
    ['https://shop.example/{CART}', `https://shop.example/%7BCART%7D?${ADDED}`],
    ['https://shop.example/{cart_id}', `https://shop.example/%7Bcart_id%7D?${ADDED}`],
    ['https://shop.example/%257BCART_ID%257D', `https://shop.example/%257BCART_ID%257D?${ADDED}`],
  ])('takes nothing else for a placeholder: %s', (redirectUrl, address) => {
    expect(addressFor(redirectUrl)).toBe(address);
  });

  it.each([
    [
      'https://münchen.example/ü?ü=ü#ü',
      `https://xn--mnchen-3ya.example/%C3%BC?%C3%BC=%C3%BC&${ADDED}#%C3%BC`,
    ],
    ['https://shop.example/"><script>', `https://shop.example/%22%3E%3Cscript%3E?${ADDED}`],
    ['https://shop.example/a\r\nSet-Cookie: a=b', `https://shop.example/aSet-Cookie:%20a=b?${ADDED}`],
    ['https://shop.example/\u202E', `https://shop.example/%E2%80%AE?${ADDED}`],
  ])('is an address that a header can hold: %j', (redirectUrl, address) => {
    expect(addressFor(redirectUrl)).toBe(address);
  });

  it.each([
    [undefined],
    ['javascript:alert(1)'],
    ['data:text/html,<script>alert(1)</script>'],
    ['ftp://shop.example/'],
    ['//shop.example/'],
    ['/thanks'],
    ['https://'],
    ['https://{CART_ID}:x/'],
    [''],
  ])('is none where no buyer can be sent: %s', (redirectUrl) => {
    expect(addressFor(redirectUrl)).toBeUndefined();
  });

  it.each(['waiting_payment', 'payment_failed', 'abandoned'] as const)('tells the status: %s', (status) => {
    const address = returnAddress({ redirectUrl: 'https://shop.example', id: ID }, status);
    expect(new URL(String(address)).searchParams.get('status')).toBe(status);
  });
});

describe('formTargetOf', () => {
  it.each([
    ['https://shop.example/thanks?a=1', 'https:'],
    ['http://localhost:3000/', 'http:'],
    ["https://a;script-src'unsafe-inline'/", 'https:'],
  ])('is the scheme alone, so that the merchant may send the buyer on: %s', (address, source) => {
    expect(formTargetOf(address)).toBe(source);
  });
});
