import { describe, expect, it } from 'vitest';
import { errorPages } from '../../../functions/sandbox-checkout/error-pages.ts';
import type { Notice } from '../../../functions/sandbox-checkout/notices.ts';
import { checkoutPage } from '../../../functions/sandbox-checkout/page/checkout-page.ts';
import { pageResponse } from '../../../functions/sandbox-checkout/page/page-response.ts';
import { STYLESHEET } from '../../../functions/sandbox-checkout/page/stylesheet.ts';
import type { Cart } from '../../../lib/carts/cart.ts';
import { ApiError } from '../../../lib/http/errors.ts';
import type { Middleware } from '../../../lib/http/received-request.ts';
import { CREATED_AT_MS, EXPIRES_AT_MS, refund, waitingCart } from '../../support/domain/payments.ts';

/** The page of an error, for a browser. */
const errorPage = (error: Error): string => {
  type Request = Parameters<NonNullable<Middleware['onError']>>[0];
  const request = { error, event: { headers: { accept: 'text/html' }, state: {} } } as unknown as Request;
  errorPages('test').onError?.(request);
  return String(request.response?.body);
};

const pageOf = (changes: Partial<Cart>, nowMs = CREATED_AT_MS, notice: Notice = 'left'): string => {
  const options = { storeName: 'Shop', nowMs, notice, acceptLanguage: undefined };
  return pageResponse(200, checkoutPage(waitingCart(changes), options)).body;
};

/** Pages that together have every part of a page. */
const PAGES = [
  pageOf({}),
  pageOf({ status: 'payment_failed' }, CREATED_AT_MS, 'has_payment'),
  pageOf({}, EXPIRES_AT_MS),
  pageOf({ status: 'completed', latePayment: true, paymentId: 'id', returnUrl: 'https://shop.example' }),
  pageOf({ status: 'completed', paymentId: 'id', refunds: [refund({ paymentId: 'id' })] }),
  pageOf({ returnUrl: 'https://shop.example', price: { amount: 9_999_999.99, currency: 'EUR' } }),
  pageOf({ price: { amount: 9_999_999_999_999.99, currency: 'EUR' } }),
  errorPage(new TypeError()),
  errorPage(new ApiError('cartNotFound')),
].join('');

const found = (text: string, pattern: RegExp): string[] =>
  [...new Set([...text.matchAll(pattern)].map(([, name = '']) => name))].toSorted();

/** The selectors, without media conditions. */
const SELECTORS = found(STYLESHEET.replaceAll(/@media \([^)]*\)/g, ''), /([^{}]*)\{/g);

describe('the stylesheet', () => {
  it('has a style for every class of the pages, and no other', () => {
    const classes = found(PAGES, /\sclass="([^"]*)"/g).flatMap((names) => names.split(' '));
    expect(found(SELECTORS.join(' '), /\.([\w-]+)/g)).toStrictEqual([...new Set(classes)].toSorted());
  });

  it('has styles only for elements of the pages', () => {
    const elements = found(PAGES, /<([a-z]\w*)/g);
    const styled = found(SELECTORS.join(' '), /(?<![.:\w-])([a-z]\w*)/gi);
    expect(styled.filter((element) => !elements.includes(element))).toStrictEqual([]);
    expect(styled).toContain('body');
  });

  it('defines each colour that it uses once for light and once for dark, and no other', () => {
    const used = found(STYLESHEET, /var\((--[\w-]+)\)/g);
    const themes = [...STYLESHEET.matchAll(/:root\{([^}]*)\}/g)];
    const defined = themes.map(([theme]) => found(theme, /(--[\w-]+):/g));
    expect(defined).toStrictEqual([used, used]);
  });

  it('is one line without comments and needless spaces', () => {
    expect(STYLESHEET).not.toMatch(/\/\*|\n| {2}|^ | $|[{};:,] | [{};,]/);
  });
});
