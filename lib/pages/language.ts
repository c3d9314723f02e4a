import { preferredTags } from '../core/locale.ts';

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
