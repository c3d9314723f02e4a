import { afterEach, describe, expect, it, vi } from 'vitest';
import { buyerLocale, formatPrice, formatTime, timeLocale } from '../../../lib/pages/formats.ts';

afterEach(() => vi.unstubAllEnvs());

describe('a price', () => {
  it.each([
    [49.9, 'EUR', 'en-US', '€49.90'],
    [49.9, 'EUR', 'fr-FR', '49,90\u00A0€'],
    [1_500, 'JPY', 'en-US', '¥1,500'],
    [1_500, 'JPY', 'ja-JP', '￥1,500'],
    [0.125, 'KWD', 'en-US', 'KWD\u00A00.125'],
    [5, 'CLF', 'en-US', 'CLF\u00A05.0000'],
    [12.5, 'HUF', 'en-US', 'HUF\u00A012.50'],
    [2.5, 'RSD', 'en-US', 'RSD\u00A02.50'],
  ])('has the decimals of ISO 4217: %d %s for %s is %s', (amount, currency, lang, text) => {
    expect(formatPrice({ amount, currency }, lang)).toBe(text);
  });

  it('is in English for a locale that the runtime lacks', () => {
    expect(formatPrice({ amount: 1.5, currency: 'EUR' }, 'xx-999')).toBe('€1.50');
  });
});

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
