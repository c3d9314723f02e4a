// The contract has the buyer's language: `lang` (`docs/contract.md`, "CustomerInfo"). The page follows it, so that a merchant sees
// whether it has arrived. That takes two languages.

import { preferredLocale, preferredTags } from '../../../lib/core/locale.ts';

/** The languages of the pages. */
export type Language = 'en' | 'fr';

/**
 * The language of a page: the first of the preferences that it has, else English. A tag such as `fr-CA` counts as `fr`.
 *
 * @param preferences locales, or `Accept-Language` headers
 */
export const languageOf = (...preferences: readonly (string | undefined)[]): Language => {
  const tags = preferences.flatMap((preference) => preferredTags(preference ?? ''));
  const tag = tags.find((each) => /^(?:en|fr)(?![a-z])/i.test(each));
  return tag?.toLowerCase().startsWith('fr') ? 'fr' : 'en';
};

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
