import { minorUnitDigits, type Price } from '../products/price.ts';

/**
 * Formats a price in the buyer's locale, or in English if the runtime lacks the locale. It has the decimals of ISO 4217,
 * because those of `Intl` might round it.
 */
export const formatPrice = ({ amount, currency }: Price, locale: string): string => {
  const digits = minorUnitDigits(currency);
  return new Intl.NumberFormat([locale, 'en'], {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(amount);
};
