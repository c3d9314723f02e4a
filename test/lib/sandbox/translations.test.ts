import { describe, expect, it } from 'vitest';
import { ACTIONS } from '../../../lib/sandbox/actions.ts';
import { languageOf, TRANSLATIONS } from '../../../lib/sandbox/translations.ts';

/** The texts by path, such as `errors.internal.heading`. */
const textsOf = (value: unknown, path = ''): [string, string][] =>
  typeof value === 'string'
    ? [[path, value]]
    : Object.entries(value as object).flatMap(([key, part]) => textsOf(part, path ? `${path}.${key}` : key));

const ENGLISH = new Map(textsOf(TRANSLATIONS.en));
const FRENCH = new Map(textsOf(TRANSLATIONS.fr));

/** Texts that are equal in both languages. */
const SHARED = ['total', 'email', 'mode'];

describe('the texts', () => {
  it('exist in both languages, and each is translated', () => {
    expect([...FRENCH.keys()]).toStrictEqual([...ENGLISH.keys()]);
    const same = [...ENGLISH].filter(([path, text]) => FRENCH.get(path) === text).map(([path]) => path);
    expect(same).toStrictEqual(SHARED);
  });

  it.each(['en', 'fr'] as const)('are not empty, and have no markup or straight quotes: %s', (language) => {
    for (const [path, text] of textsOf(TRANSLATIONS[language])) expect(text, path).toMatch(/^[^<>&'"]+$/);
  });

  it('have a no-break space before two-part punctuation in French', () => {
    for (const [path, text] of FRENCH) expect(text, path).not.toMatch(/[^\u00A0][:;!?]/);
  });

  it('describe every effect in sentences', () => {
    const effects = [...ENGLISH, ...FRENCH].filter(([path]) => path.startsWith('effects.'));
    // Buyers pay and leave without an explanation.
    expect(effects).toHaveLength(2 * (ACTIONS.length - 2));
    for (const [path, text] of effects) expect(text, path).toMatch(/^\p{Lu}.+\.$/u);
  });
});

describe('the language of a page', () => {
  it.each(['fr', 'fr-FR', 'FR-ca', ' fr;q=0.9, en', 'fr,en', 'de, fr;q=0.8, en;q=0.7'])(
    'is French for %s',
    (tag) => {
      expect(languageOf(tag)).toBe('fr');
    },
  );

  it.each([undefined, '', 'en', 'de-FR', 'frr-DE', 'fro', 'en, fr', 'de-fr, en;q=0.9, fr;q=0.8', '*'])(
    'is English for %s',
    (tag) => {
      expect(languageOf(tag)).toBe('en');
    },
  );

  it.each([
    ['en-GB', 'fr', 'en'],
    ['fr-FR', 'en', 'fr'],
    ['de-DE', 'fr', 'fr'],
    [undefined, 'fr', 'fr'],
  ])('is the first that the page has: %s, then %s', (lang, acceptLanguage, language) => {
    expect(languageOf(lang, acceptLanguage)).toBe(language);
  });
});
