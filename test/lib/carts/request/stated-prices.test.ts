import { describe, expect, it } from 'vitest';
import { priceIssues, statedPrices } from '../../../../lib/carts/request/stated-prices.ts';

/** `Number` throws on it. */
const NO_NUMBER = { valueOf: 1, toString: 1 };

describe('a currency in the field of another API', () => {
  const price = { amount: 49.9, currency: 'EUR' };

  it('that is not the currency of the product is to be omitted, also beside customerPrice', () => {
    const message = 'Unknown field currency; the price of the product is in EUR: omit the field';
    for (const currency of ['USD', '', 1]) {
      const stated = statedPrices({ currency, customerPrice: 5 });
      expect(priceIssues(stated, price, 'free')).toStrictEqual([{ path: 'currency', message }]);
    }
  });

  it.each(['EUR', 'eur', null])('that is the currency of the product passes: %s', (currency) => {
    expect(priceIssues(statedPrices({ currency }), price, 'fixed')).toStrictEqual([]);
  });
});

describe('an amount in the field of another API', () => {
  const price = { amount: 49.9, currency: 'EUR' };
  const issuesOf = (body: object, pricing: 'fixed' | 'free' = 'free') =>
    priceIssues(statedPrices(body), price, pricing);

  it.each(['price', 'amount', 'Price', 'unit_amount', 'total', 'custom_price'])(
    'that is not the price of the cart names customerPrice: %s',
    (path) => {
      const issue = { path, message: `Unknown field ${path}; did you mean customerPrice?` };
      for (const value of [
        45,
        '45',
        4_990,
        0,
        '',
        {},
        [],
        NO_NUMBER,
        { ...price, amount: 45 },
        { ...price, currency: 'USD' },
      ]) {
        expect(issuesOf({ [path]: value }), JSON.stringify(value)).toStrictEqual([issue]);
      }
    },
  );

  it('that is not the price of a product with a fixed price is to be omitted', () => {
    const message = 'Unknown field price; the price of the product is fixed: omit the field';
    expect(issuesOf({ price: 45 }, 'fixed')).toStrictEqual([{ path: 'price', message }]);
    expect(issuesOf({ price: 49.9 }, 'fixed')).toStrictEqual([]);
  });

  it.each([49.9, '49.90', price, null])('that is the price of the cart passes: %j', (value) => {
    expect(issuesOf({ price: value, amount: value })).toStrictEqual([]);
  });

  it('passes beside customerPrice, and null counts as absent', () => {
    expect(issuesOf({ price: 45, customerPrice: 5 })).toStrictEqual([]);
    expect(issuesOf({ price: 45, amount: 44, customerPrice: null })).toHaveLength(2);
  });

  it.each([undefined, null, 'price', 5, ['price'], { unit_price: 5 }])('is not in this body: %j', (body) => {
    expect(statedPrices(body)).toStrictEqual([]);
  });
});
