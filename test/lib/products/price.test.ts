import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { amountIssue, minorUnitDigits } from '../../../lib/products/price.ts';

/** Small and large counts of minor units. */
const units = fc.oneof(
  fc.integer({ min: 1, max: 1_000_000 }),
  fc.integer({ min: 1, max: 999_999_999_999_999 }),
);

const DECIMALS: [number, string][] = [
  [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'],
  [2, 'EUR USD HUF XYZ'],
  [3, 'BHD IQD JOD KWD LYD OMR TND'],
  [4, 'CLF UYW'],
];

it.each(DECIMALS)('currencies with %i decimals: %s', (digits, currencies) => {
  for (const currency of currencies.split(' ')) expect(minorUnitDigits(currency), currency).toBe(digits);
});

describe('an amount', () => {
  it.each([
    ['EUR', [0.01, 0.07, 1.1, 4.35, 19.99, 100, 1_000_000_000_000.01, 9_999_999_999_999.99]],
    ['JPY', [1, 999_999_999_999_999]],
    ['KWD', [0.001, 1.005, 999_999_999_999.999]],
    ['CLF', [0.0001, 99_999_999_999.9999]],
  ])('in %s is payable with up to 15 digits: %j', (currency, amounts) => {
    for (const amount of amounts) expect(amountIssue(amount, currency), `${amount}`).toBeUndefined();
  });

  it.each([
    ['an inexact decimal', 'EUR', [0.1 + 0.2, 19.990000000000002]],
    ['not above zero', 'EUR', [0, -0, -1]],
    ['extreme', 'EUR', [5e-324, 1e21, Number.MAX_VALUE, Number.POSITIVE_INFINITY, Number.NaN]],
    ['of 16 digits', 'EUR', [10_000_000_000_000, 90_071_992_547_409.94]],
    ['of 16 digits', 'JPY', [1_000_000_000_000_000, 9_007_199_254_740_992]],
    ['of 16 digits', 'KWD', [1_000_000_000_000]],
    ['of 16 digits', 'CLF', [100_000_000_000]],
  ])('is not payable if it is %s in %s: %j', (_, currency, amounts) => {
    for (const amount of amounts) expect(amountIssue(amount, currency), `${amount}`).toMatch(/^Must be /);
  });

  it.each(DECIMALS)('is payable exactly if it has at most %i decimals in %s', (digits, currencies) => {
    const currency = currencies.slice(0, 3);
    fc.assert(
      fc.property(units, fc.integer({ min: 1, max: 9 }), (count, tenths) => {
        expect(amountIssue(count / 10 ** digits, currency)).toBeUndefined();
        const shorter = Math.floor(count / 10);
        expect(amountIssue((shorter * 10 + tenths) / 10 ** (digits + 1), currency)).toMatch(/^Must be /);
      }),
      { numRuns: 2_000 },
    );
  });
});
