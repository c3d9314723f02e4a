import { minorUnitDigits, type Price } from '../products/price.ts';

/** A buyer's locale, then English for those that the runtime does not know; English alone for what is no locale. */
const localesOf = (lang: string | undefined): readonly string[] => {
  try {
    return [...Intl.getCanonicalLocales(lang), 'en'];
  } catch (error) {
    if (error instanceof RangeError) return ['en'];
    throw error;
  }
};

/** A price in the buyer's locale, with the decimals of ISO 4217: those of `Intl` differ and would round. */
export const formatPrice = ({ amount, currency }: Price, lang: string | undefined): string => {
  const digits = minorUnitDigits(currency);
  return new Intl.NumberFormat(localesOf(lang), {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(amount);
};

/** A time to the minute in the buyer's locale; in UTC, which it names, since nobody knows the buyer's time zone. */
export const formatTime = (timeMs: number, lang: string | undefined): string =>
  new Intl.DateTimeFormat(localesOf(lang), {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZone: 'UTC',
    timeZoneName: 'short',
  }).format(timeMs);
