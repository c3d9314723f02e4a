import { describe, expect, it } from 'vitest';
import { isSoldBy, type Pricing, type Product } from '../../../lib/products/product.ts';
import { quote } from '../../../lib/products/quote.ts';
import { fixedProduct } from '../../support/domain/products.ts';

const free = (pricing: Omit<Extract<Pricing, { type: 'free' }>, 'type'> = {}, currency = 'EUR'): Product =>
  fixedProduct({ currency, pricing: { type: 'free', ...pricing } });

describe('a product', () => {
  it('is sold by its own store while it is available', () => {
    expect(isSoldBy(fixedProduct(), 'store-1')).toBe(true);
    expect(isSoldBy(fixedProduct(), 'store-2')).toBe(false);
    expect(isSoldBy(fixedProduct({ available: false }), 'store-1')).toBe(false);
    expect(isSoldBy(undefined, 'store-1')).toBe(false);
  });
});

describe('a fixed price', () => {
  it('is the price of the cart, whether the request states it or not', () => {
    const price = { amount: 19.99, currency: 'EUR' };
    for (const customerPrice of [undefined, 19.99])
      expect(quote(fixedProduct(), customerPrice)).toStrictEqual({ ok: true, price });
  });

  it.each([25, 1, 19.989, 1999, 1e300])('rejects another amount, and names both: %d', (customerPrice) => {
    const message = `Must be 19.99 EUR, the product's fixed price, not ${customerPrice} EUR`;
    expect(quote(fixedProduct(), customerPrice)).toStrictEqual({ ok: false, message });
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
    ['in the currency of the product', free({}, 'JPY'), 500, 500],
  ])('may be %s', (_, product, customerPrice, amount) => {
    const price = { amount, currency: product.currency };
    expect(quote(product, customerPrice)).toStrictEqual({ ok: true, price });
  });

  it.each([
    [
      'without a suggestion',
      free({ minimum: 1 }),
      undefined,
      'The product has no suggested price: choose one',
    ],
    ['below the minimum', free({ minimum: 5 }), 4.99, 'Must be at least 5 EUR'],
    ['suggested below the minimum', free({ minimum: 5, suggested: 4 }), undefined, 'Must be at least 5 EUR'],
    [
      'in JPY with a decimal',
      free({}, 'JPY'),
      5.5,
      'Must be a payable amount in JPY: above 0, without decimals',
    ],
    ['of 14 digits in EUR', free({}), 12_345_678_901_234, 'Must be at most 9999999999999.99 EUR'],
    ['of 16 digits in JPY', free({}, 'JPY'), 1e15, 'Must be at most 999999999999999 JPY'],
    ['of 13 digits in KWD', free({}, 'KWD'), 1e12, 'Must be at most 999999999999.999 KWD'],
  ])('is rejected %s', (_, product, customerPrice, message) => {
    expect(quote(product, customerPrice)).toStrictEqual({ ok: false, message });
  });

  it.each([5.001, 0, -5, Number.NaN])('is rejected if not payable: %d', (amount) => {
    const message = 'Must be a payable amount in EUR: above 0, with at most 2 decimals';
    expect(quote(free({ minimum: -10 }), amount)).toStrictEqual({ ok: false, message });
  });
});
