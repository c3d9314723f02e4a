import { closestMatch } from 'leven';
import { lettersOf } from '../../lib/core/letter-case.ts';

/** Larger distances suggest names that have nothing in common with the text. */
const EDITS_MAX = 2;

/** The name that a mistyped text most likely means, ignoring case and punctuation. Undefined if none is near. */
export const closestName = (text: string, names: readonly string[]): string | undefined => {
  const closest = closestMatch(lettersOf(text), names.map(lettersOf), { maxDistance: EDITS_MAX });
  return names.find((name) => lettersOf(name) === closest);
};
