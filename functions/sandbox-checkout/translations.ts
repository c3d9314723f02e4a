import type { Language } from '../../lib/pages/language.ts';
import { ENGLISH, type Texts } from './english.ts';
import { FRENCH } from './french.ts';

export const TRANSLATIONS: Readonly<Record<Language, Texts>> = { en: ENGLISH, fr: FRENCH };
