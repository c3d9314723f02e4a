import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPayableAmount, minorUnitDigits } from '../../../lib/products/price.ts';

const CURRENCIES = [
  ['JPY', 0],
  ['EUR', 2],
  ['KWD', 3],
  ['CLF', 4],
] as const;

/** Minor units of an amount that can be paid, small and large ones alike. */
const units = fc.oneof(
  fc.integer({ min: 1, max: 1_000_000 }),
  fc.integer({ min: 1, max: 999_999_999_999_999 }),
);

describe("a currency's decimals", () => {
  it.each([
    ...CURRENCIES,
    ['USD', 2],
    ['KRW', 0],
    ['ISK', 0],
    ['BHD', 3],
    ['UYW', 4],
    ['HUF', 2],
    ['XYZ', 2],
  ] as const)('of %s are %i', (currency, digits) => {
    expect(minorUnitDigits(currency)).toBe(digits);
  });
});

describe('a payable amount', () => {
  it.each([
    [19.99, 'EUR'],
    [0.01, 'EUR'],
    [0.07, 'EUR'],
    [1.1, 'EUR'],
    [100, 'EUR'],
    [4.35, 'EUR'],
    [1.005, 'KWD'],
    [0.001, 'KWD'],
    [0.0001, 'CLF'],
    [1, 'JPY'],
    [1_000_000_000_000.01, 'EUR'],
    // 15 digits, the most that a double keeps of every decimal.
    [999_999_999_999_999, 'JPY'],
    [9_999_999_999_999.99, 'EUR'],
    [999_999_999_999.999, 'KWD'],
    [99_999_999_999.9999, 'CLF'],
  ])('is %f %s', (amount, currency) => {
    expect(isPayableAmount(amount, currency)).toBe(true);
  });

  it.each([
    ['a sum that is no decimal', 0.1 + 0.2, 'EUR'],
    ['a neighbour of a decimal', 19.990000000000002, 'EUR'],
    ['a third decimal', 0.001, 'EUR'],
    ['half a cent', 0.005, 'EUR'],
    ['a third decimal of a large amount', 1_000_000_000.001, 'EUR'],
    ['a decimal of a currency without any', 1.5, 'JPY'],
    ['a fourth decimal', 1.0005, 'KWD'],
    ['a fifth decimal', 0.00005, 'CLF'],
    ['nothing', 0, 'EUR'],
    ['negative nothing', -0, 'EUR'],
    ['less than nothing', -1, 'EUR'],
    ['the smallest number', 5e-324, 'EUR'],
    ['more than can be told apart', 1e21, 'EUR'],
    ['the largest number', Number.MAX_VALUE, 'EUR'],
    ['16 digits in yen', 1_000_000_000_000_000, 'JPY'],
    ['16 digits in euros', 10_000_000_000_000, 'EUR'],
    ['16 digits in dinars', 1_000_000_000_000, 'KWD'],
    ['16 digits in units of account', 100_000_000_000, 'CLF'],
    ['2^53 minor units', 9_007_199_254_740_992, 'JPY'],
    ['2^53 + 1 minor units', Number('9007199254740993'), 'JPY'],
    ['2^53 + 2 minor units', 90_071_992_547_409.94, 'EUR'],
    ['infinity', Number.POSITIVE_INFINITY, 'EUR'],
    ['no number', Number.NaN, 'EUR'],
  ])('is not %s', (_, amount, currency) => {
    expect(isPayableAmount(amount, currency)).toBe(false);
  });

  it.each(CURRENCIES)(
    'in %s is every number of minor units of up to 15 digits, divided by 10^%i',
    (currency, digits) => {
      fc.assert(
        fc.property(units, (count) => {
          expect(isPayableAmount(count / 10 ** digits, currency)).toBe(true);
        }),
        { numRuns: 2_000 },
      );
    },
  );

  it.each(CURRENCIES)('in %s has no decimal more than %i', (currency, digits) => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 99_999_999_999_999 }),
        fc.integer({ min: 1, max: 9 }),
        (count, tenths) => {
          expect(isPayableAmount((count * 10 + tenths) / 10 ** (digits + 1), currency)).toBe(false);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
