import type { APIGatewayProxyEvent } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import type { Cart } from '../../../lib/carts/cart.ts';
import type { Middleware } from '../../../lib/http/request-state.ts';
import { checkoutPage } from '../../../lib/sandbox/checkout-page.ts';
import { errorPages } from '../../../lib/sandbox/error-pages.ts';
import { pageResponse } from '../../../lib/sandbox/page.ts';
import { STYLESHEET } from '../../../lib/sandbox/stylesheet.ts';
import { CREATED_AT_MS, EXPIRES_AT_MS, waitingCart } from '../../support/payments.ts';

/** The page of any error, without its text. */
const errorPage = (): string => {
  type Request = Parameters<NonNullable<Middleware['onError']>>[0];
  const event = { headers: {} } as unknown as APIGatewayProxyEvent;
  const request = { error: new TypeError(), event, internal: {} } as unknown as Request;
  errorPages().onError?.(request);
  return String(request.response?.body);
};

const pageOf = (changes: Partial<Cart>, nowMs = CREATED_AT_MS): string =>
  pageResponse(200, checkoutPage(waitingCart(changes), nowMs, 'left')).body;

/** Pages that together have every part that a page can have. */
const PAGES = [
  pageOf({}),
  pageOf({ status: 'payment_failed' }),
  pageOf({}, EXPIRES_AT_MS),
  pageOf({
    status: 'completed',
    latePayment: true,
    paymentId: 'payment-1',
    redirectUrl: 'https://shop.example',
  }),
  pageOf({ price: { amount: 9_999_999.99, currency: 'EUR' } }),
  errorPage(),
].join('');

const found = (text: string, pattern: RegExp): string[] =>
  [...new Set([...text.matchAll(pattern)].map(([, name = '']) => name))].toSorted();

/** What stands before each brace, conditions aside. */
const SELECTORS = found(STYLESHEET.replaceAll(/@media \([^)]*\)/g, ''), /([^{}]*)\{/g);

describe('the stylesheet', () => {
  it('has a style for every class of the pages, and for no other', () => {
    const classes = found(PAGES, /\sclass="([^"]*)"/g).flatMap((names) => names.split(' '));
    expect(found(SELECTORS.join(' '), /\.([\w-]+)/g)).toStrictEqual([...new Set(classes)].toSorted());
  });

  it('styles only elements that the pages have', () => {
    const elements = found(PAGES, /<([a-z]\w*)/g);
    const styled = found(SELECTORS.join(' '), /(?<![.:\w-])([a-z]\w*)/gi);
    expect(styled.filter((element) => !elements.includes(element))).toStrictEqual([]);
    expect(styled).toContain('body');
  });

  it('has every colour that it uses, once for light and once for dark, and no other', () => {
    const used = found(STYLESHEET, /var\((--[\w-]+)\)/g);
    const [light, dark, ...more] = [...STYLESHEET.matchAll(/:root \{([^}]*)\}/g)].map(
      ([, declarations = '']) => found(declarations, /(--[\w-]+):/g),
    );
    expect([light, dark, more]).toStrictEqual([used, used, []]);
  });

  it('is sent as one line without comments and indentation', () => {
    expect(STYLESHEET).not.toMatch(/\/\*|\n| {2}|^ | $/);
  });
});
