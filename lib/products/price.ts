/** An amount of money in the currency's main unit, such as `{ amount: 19.99, currency: 'EUR' }`. */
export interface Price {
  readonly amount: number;
  /** ISO 4217, three capital letters. */
  readonly currency: string;
}

/** The decimals of current currencies, if not two (ISO 4217). `Intl` has CLDR's decimals, which differ. */
const MINOR_UNIT_DIGITS: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' ').map((code) => [code, 0]),
  ),
  ...Object.fromEntries('BHD IQD JOD KWD LYD OMR TND'.split(' ').map((code) => [code, 3])),
  ...Object.fromEntries('CLF UYW'.split(' ').map((code) => [code, 4])),
};

/** The number of decimals of a currency (ISO 4217 minor unit). */
export const minorUnitDigits = (currency: string): number => MINOR_UNIT_DIGITS[currency] ?? 2;

/** 15 digits. A double (IEEE 754) keeps that many, so all amounts up to this one are distinct. */
const MINOR_UNITS_MAX = 10 ** 15 - 1;

/** The largest amount in a currency's main unit. */
export const amountMax = (currency: string): number => MINOR_UNITS_MAX / 10 ** minorUnitDigits(currency);

/**
 * Says why an amount is not payable. A payable one is above zero, has no more decimals than its currency, and has at most 15
 * digits in total.
 */
export const amountIssue = (amount: number, currency: string): string | undefined => {
  const max = amountMax(currency);
  if (amount > max) return `Must be at most ${max} ${currency}`;
  const digits = minorUnitDigits(currency);
  const units = Math.round(amount * 10 ** digits);
  // Only an amount without further decimals equals this quotient.
  if (units > 0 && units / 10 ** digits === amount) return undefined;
  const decimals = digits === 0 ? 'without decimals' : `with at most ${digits} decimals`;
  return `Must be a payable amount in ${currency}: above 0, ${decimals}`;
};

/** An amount in the minor unit of its currency, such as cents. */
export const toMinorUnits = (amount: number, currency: string): bigint =>
  BigInt(Math.round(amount * 10 ** minorUnitDigits(currency)));

/** An amount in the main unit: `1999n` of EUR becomes 19.99. */
export const fromMinorUnits = (units: bigint, currency: string): number =>
  Number(units) / 10 ** minorUnitDigits(currency);

/** The decimal text of an amount in minor units: `1999n` of EUR becomes `19.99`. */
export const minorUnitsText = (units: bigint, currency: string): string => {
  const decimals = minorUnitDigits(currency);
  if (decimals === 0) return String(units);
  const digits = String(units).padStart(decimals + 1, '0');
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
};
