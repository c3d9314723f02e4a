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

/** A double keeps 15 significant digits of any decimal (IEEE 754), so that every minor unit up to here is told apart. */
const MINOR_UNITS_MAX = 10 ** 15 - 1;

/**
 * Whether a number is an amount that a buyer can pay: above zero, with no more decimals than the currency has, and of
 * at most 15 digits with them.
 */
export const isPayableAmount = (amount: number, currency: string): boolean => {
  const unitsPerMain = 10 ** minorUnitDigits(currency);
  const units = Math.round(amount * unitsPerMain);
  // An amount with that many decimals is the double nearest to its minor units' quotient; any other amount is not.
  return units > 0 && units <= MINOR_UNITS_MAX && units / unitsPerMain === amount;
};
