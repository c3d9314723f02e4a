import { minorUnitDigits, type Price } from '../products/price.ts';
import type { Language } from './translations.ts';

/** The canonical form of a buyer's locale. `undefined` if it is absent or invalid. */
export const localeOf = (lang: string | undefined): string | undefined => {
  try {
    return Intl.getCanonicalLocales(lang)[0];
  } catch {
    return undefined;
  }
};

/** The buyer's locale, then English for a locale that the runtime lacks. */
const localesOf = (lang: string | undefined): readonly string[] => [localeOf(lang) ?? 'en', 'en'];

/** Formats a price in the buyer's locale. It has the decimals of ISO 4217, because those of `Intl` might round it. */
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
 * Formats a time to the minute in the page's language, and in the buyer's locale if it has that language. The text names
 * its time zone, UTC, because the buyer's zone is unknown.
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
