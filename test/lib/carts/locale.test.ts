import { describe, expect, it } from 'vitest';
import { firstLocale, parseLocale } from '../../../lib/carts/locale.ts';

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
    ['en-US;q=0.1,fr-CA;q=0.9', 'en-US'],
    ['*, zh-Hant-TW, pt-br', 'pt-BR'],
    ['en-GB ; q=0.5', 'en-GB'],
    [',, ,de-CH', 'de-CH'],
    ['de-CH,', 'de-CH'],
  ])('is the first language-REGION tag: %j', (header, locale) => {
    expect(firstLocale(header)).toBe(locale);
  });

  it.each([undefined, '', '*', 'fr', 'fr;q=1, en', ';q=fr-CA', 'a'.repeat(10_000), ','.repeat(10_000)])(
    'is undefined without such a tag: %j',
    (header) => {
      expect(firstLocale(header)).toBeUndefined();
    },
  );
});
