import { minorUnitDigits, type Price } from '../products/price.ts';
import type { Language } from './language.ts';

/** A buyer's locale as the runtime writes it; `undefined` for none, and for what is no locale. */
export const localeOf = (lang: string | undefined): string | undefined => {
  try {
    return Intl.getCanonicalLocales(lang)[0];
  } catch {
    return undefined;
  }
};

/** A buyer's locale, then English for those that the runtime does not know. */
const localesOf = (lang: string | undefined): readonly string[] => [localeOf(lang) ?? 'en', 'en'];

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

/**
 * A time to the minute in the page's language, as it is written where the buyer is if that is the buyer's language too;
 * in UTC, which it names, since nobody knows the buyer's time zone.
 */
export const formatTime = (timeMs: number, language: Language, lang: string | undefined): string =>
  new Intl.DateTimeFormat(lang?.startsWith(`${language}-`) ? localesOf(lang) : language, {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZone: 'UTC',
    timeZoneName: 'short',
  }).format(timeMs);
