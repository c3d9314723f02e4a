import { describe, expect, it } from 'vitest';
import { isSoldBy, type Pricing, type Product, quote } from '../../../lib/products/product.ts';

const product: Product = {
  id: 'course',
  storeId: 'store-1',
  name: 'Course',
  available: true,
  currency: 'EUR',
  pricing: { type: 'fixed', amount: 19.99 },
};

const free = (pricing: Omit<Extract<Pricing, { type: 'free' }>, 'type'> = {}, currency = 'EUR'): Product => ({
  ...product,
  currency,
  pricing: { type: 'free', ...pricing },
});

describe('a product is sold', () => {
  it('by its own store while it is available', () => {
    expect(isSoldBy(product, 'store-1')).toBe(true);
    expect(isSoldBy(product, 'store-2')).toBe(false);
    expect(isSoldBy({ ...product, available: false }, 'store-1')).toBe(false);
    expect(isSoldBy(undefined, 'store-1')).toBe(false);
  });
});

describe('a fixed price', () => {
  it('is what the cart costs', () => {
    expect(quote(product, undefined)).toStrictEqual({ ok: true, price: { amount: 19.99, currency: 'EUR' } });
  });

  it.each([19.99, 25, 1])('cannot be chosen by the buyer, not even rightly: %f', (customerPrice) => {
    expect(quote(product, customerPrice)).toStrictEqual({
      ok: false,
      message: 'The product has a fixed price',
    });
  });
});

describe('a free price', () => {
  it.each([
    ['chosen', free(), 7.25, 7.25],
    ['chosen above the suggestion', free({ suggested: 5 }), 7.25, 7.25],
    ['chosen below the suggestion', free({ suggested: 5 }), 0.01, 0.01],
    ['chosen at the minimum', free({ minimum: 5 }), 5, 5],
    ['suggested', free({ minimum: 1, suggested: 5 }), undefined, 5],
    ['suggested at the minimum', free({ minimum: 5, suggested: 5 }), undefined, 5],
  ])('may be %s', (_, freeProduct, customerPrice, amount) => {
    expect(quote(freeProduct, customerPrice)).toStrictEqual({ ok: true, price: { amount, currency: 'EUR' } });
  });

  it('is in the currency of the product', () => {
    expect(quote(free({}, 'JPY'), 500)).toStrictEqual({ ok: true, price: { amount: 500, currency: 'JPY' } });
  });

  it.each([
    [
      'absent where none is suggested',
      free({ minimum: 1 }),
      undefined,
      'The product has no suggested price: choose one',
    ],
    ['below the minimum', free({ minimum: 5 }), 4.99, 'Must be at least 5 EUR'],
    ['suggested below the minimum', free({ minimum: 5, suggested: 4 }), undefined, 'Must be at least 5 EUR'],
    ['of three decimals', free(), 5.001, 'Must be a payable amount in EUR, with at most 2 decimals'],
    ['of a decimal in yen', free({}, 'JPY'), 5.5, 'Must be a payable amount in JPY, with at most 0 decimals'],
    ['zero', free(), 0, 'Must be a payable amount in EUR, with at most 2 decimals'],
    ['negative', free({ minimum: -10 }), -5, 'Must be a payable amount in EUR, with at most 2 decimals'],
    [
      'infinite',
      free(),
      Number.POSITIVE_INFINITY,
      'Must be a payable amount in EUR, with at most 2 decimals',
    ],
    ['no number', free(), Number.NaN, 'Must be a payable amount in EUR, with at most 2 decimals'],
  ])('may not be %s', (_, freeProduct, customerPrice, message) => {
    expect(quote(freeProduct, customerPrice)).toStrictEqual({ ok: false, message });
  });
});
