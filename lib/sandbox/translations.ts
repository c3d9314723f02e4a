import { ENGLISH, type Texts } from './english.ts';
import { FRENCH } from './french.ts';

/** The languages of the pages. */
export type Language = 'en' | 'fr';

export const TRANSLATIONS: Readonly<Record<Language, Texts>> = { en: ENGLISH, fr: FRENCH };

/**
 * The language of a page: French for a tag such as `fr-CA`, else English.
 *
 * @param tag a locale, or an `Accept-Language` header, whose first language counts
 */
export const languageOf = (tag: string | undefined): Language =>
  tag?.match(/^\s*fr(?![a-z])/i) ? 'fr' : 'en';
