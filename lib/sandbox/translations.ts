import { ENGLISH } from './english.ts';
import { FRENCH } from './french.ts';
import type { Language } from './language.ts';
import type { Texts } from './texts.ts';

/** The texts of the pages, by language. */
export const TRANSLATIONS: Readonly<Record<Language, Texts>> = { en: ENGLISH, fr: FRENCH };
