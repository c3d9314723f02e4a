import { afterEach, describe, expect, it, vi } from 'vitest';
import { buyerLocale, formatTime, timeLocale } from '../../../functions/sandbox-checkout/texts/language.ts';

afterEach(() => vi.unstubAllEnvs());

describe('the locale of a buyer', () => {
  it.each([
    ['FR-ca', 'de-DE', 'fr-CA'],
    [undefined, 'de, fr-CH;q=0.9, en', 'fr-CH'],
    [undefined, 'de', 'en'],
    [undefined, undefined, 'en'],
    ['no_locale', '"><b>', 'en'],
    ['', '', 'en'],
  ])("is the cart's, else the browser's, else the page's: %s, %s", (lang, acceptLanguage, locale) => {
    expect(buyerLocale(lang, acceptLanguage, 'en')).toBe(locale);
  });
});

describe('a time', () => {
  const TIME_MS = Date.UTC(2026, 11, 31, 23, 59, 59, 999);

  it.each([
    ['en', 'en-US', 'December 31, 2026 at 11:59 PM UTC'],
    ['en', 'en-GB', '31 December 2026 at 23:59 UTC'],
    ['fr', 'fr-FR', '31 décembre 2026 à 23:59 UTC'],
    ['fr', 'fr-CA', '31 décembre 2026 à 23 h 59 UTC'],
    ['en', 'en', 'December 31, 2026 at 11:59 PM UTC'],
    // These locales have another calendar or other digits, which do not fit an English page.
    ['en', 'fa-IR', 'December 31, 2026 at 11:59 PM UTC'],
    ['en', 'th-TH', 'December 31, 2026 at 11:59 PM UTC'],
  ] as const)("is in the page's language, to the minute, in UTC: %s, %s", (language, locale, text) => {
    vi.stubEnv('TZ', 'Asia/Tokyo');
    expect(formatTime(TIME_MS, timeLocale(language, locale)).replaceAll(/\s/g, ' ')).toBe(text);
  });
});
