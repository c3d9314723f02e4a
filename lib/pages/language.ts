/** The languages of the pages. */
export type Language = 'en' | 'fr';

/**
 * The language of a page: the first of the preferences that it has, else English. A tag such as `fr-CA` counts as `fr`.
 *
 * @param preferences locales, or `Accept-Language` headers, whose weights it ignores
 */
export const languageOf = (...preferences: readonly (string | undefined)[]): Language => {
  const [, language] = /(?:^|,)\s*(en|fr)(?![a-z])/i.exec(preferences.join()) ?? [];
  return language?.toLowerCase() === 'fr' ? 'fr' : 'en';
};
