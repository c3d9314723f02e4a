import { ENGLISH, type Texts } from './english.ts';
import { FRENCH } from './french.ts';
import type { Language } from './language.ts';

export const TRANSLATIONS: Readonly<Record<Language, Texts>> = { en: ENGLISH, fr: FRENCH };
