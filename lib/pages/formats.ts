import { preferredLocale } from '../core/locale.ts';
import { minorUnitDigits, type Price } from '../products/price.ts';
import type { Language } from './language.ts';

const canonicalLocale = (tag: string | undefined): string | undefined => {
  try {
    return Intl.getCanonicalLocales(tag)[0];
  } catch {
    return undefined;
  }
};

/** The buyer's locale: the cart's `lang`, else the first of the browser, else the page's language. */
export const buyerLocale = (
  lang: string | undefined,
  acceptLanguage: string | undefined,
  language: Language,
): string => canonicalLocale(lang) ?? preferredLocale(acceptLanguage) ?? language;

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

/** The locale of the page's times: the buyer's if it has the page's language. */
export const timeLocale = (language: Language, locale: string): string =>
  locale.startsWith(`${language}-`) ? locale : language;

/** A time to the minute, with its time zone. */
const TIME_FORMAT = {
  year: 'numeric',
  month: 'long',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  timeZoneName: 'short',
} as const satisfies Intl.DateTimeFormatOptions;

/** Formats a time in UTC, because the server does not know the buyer's time zone. */
export const formatTime = (timeMs: number, locale: string): string =>
  new Intl.DateTimeFormat([locale, 'en'], { ...TIME_FORMAT, timeZone: 'UTC' }).format(timeMs);
