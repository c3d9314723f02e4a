import { describe, expect, it } from 'vitest';
import { preferredLocale, parseLocale } from '../../../lib/core/locale.ts';

describe('a locale', () => {
  it.each([
    ['fr-CA', 'fr-CA'],
    ['FR-ca', 'fr-CA'],
    ['es-419', 'es-419'],
    ['fil-PH', 'fil-PH'],
    [' de-AT ', 'de-AT'],
  ])('is a language and a region, in their usual case: %j', (tag, locale) => {
    expect(parseLocale(tag)).toBe(locale);
  });

  it.each(
    [
      ['', 'fr -CA', 'fr-\u0421A'],
      'fr fr- -CA f-CA fran-CA fr-C fr-CAN fr-41 fr-4199 fr_CA * i-klingon'.split(' '),
      'zh-Hant-TW de-DE-1996 fr-CA-x-private'.split(' '),
    ].flat(),
  )('is undefined for anything else: %j', (tag) => {
    expect(parseLocale(tag)).toBeUndefined();
  });
});

describe('the locale of an Accept-Language header', () => {
  it.each([
    ['fr-CA', 'fr-CA'],
    ['fr, fr-ca;q=0.9, en-US;q=0.8', 'fr-CA'],
    ['en-US;q=0.1,fr-CA;q=0.9', 'fr-CA'],
    ['en-US;q=0, fr-CA', 'fr-CA'],
    ['de, fr-CA;q=0.3, en-GB;q=0.30, en-US;q=0.2', 'fr-CA'],
    ['en-GB;Q=0., es-MX;q=0.001', 'es-MX'],
    ['en-GB;q=2, fr-CA;q=0.9', 'en-GB'],
    ['en-GB;q=0.5x, fr-CA;q=0.9', 'en-GB'],
    ['*, zh-Hant-TW, pt-br', 'pt-BR'],
    ['en-GB ; q=0.5', 'en-GB'],
    [',, ,de-CH', 'de-CH'],
    ['de-CH,', 'de-CH'],
  ])('is the language-REGION tag with the highest weight, the first of several: %j', (header, locale) => {
    expect(preferredLocale(header)).toBe(locale);
  });

  it.each([
    undefined,
    '',
    '*',
    'fr',
    'fr;q=1, en',
    'fr-CA;q=0, en-US;q=0.000',
    ';q=fr-CA',
    'a'.repeat(10_000),
    ','.repeat(10_000),
  ])('is undefined without such a tag: %j', (header) => {
    expect(preferredLocale(header)).toBeUndefined();
  });
});
