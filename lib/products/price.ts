/** An amount of money in a currency's main unit, as JSON carries it: `{ amount: 19.99, currency: 'EUR' }`. */
export interface Price {
  readonly amount: number;
  /** ISO 4217, three capital letters. */
  readonly currency: string;
}

/** ISO 4217: the currencies in use whose minor unit is not a hundredth. `Intl` has CLDR's digits, which differ. */
const MINOR_UNIT_DIGITS: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' ').map((code) => [code, 0]),
  ),
  ...Object.fromEntries('BHD IQD JOD KWD LYD OMR TND'.split(' ').map((code) => [code, 3])),
  ...Object.fromEntries('CLF UYW'.split(' ').map((code) => [code, 4])),
};

/** How many decimals an amount of a currency may have (ISO 4217 minor unit). */
export const minorUnitDigits = (currency: string): number => MINOR_UNIT_DIGITS[currency] ?? 2;

/**
 * Whether a number is an amount that a buyer can pay: finite, above zero, with no more decimals than the currency
 * has, and small enough that every minor unit is told apart (2^53).
 */
export const isPayableAmount = (amount: number, currency: string): boolean => {
  const unitsPerMain = 10 ** minorUnitDigits(currency);
  const units = Math.round(amount * unitsPerMain);
  // The nearest double of a decimal is what its integer number of minor units divides to, and no other is.
  return units > 0 && Number.isSafeInteger(units) && units / unitsPerMain === amount;
};
