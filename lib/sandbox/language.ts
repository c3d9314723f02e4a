/** The languages of the pages. */
export const LANGUAGES = ['en', 'fr'] as const;

export type Language = (typeof LANGUAGES)[number];

/**
 * The language of a page for a reader: French for a tag such as `fr-CA`, else English.
 *
 * @param tag a locale, or an `Accept-Language` header, of which the first language counts
 */
export const languageOf = (tag: string | undefined): Language =>
  /^\s*fr(?![a-z])/i.test(tag ?? '') ? 'fr' : 'en';
