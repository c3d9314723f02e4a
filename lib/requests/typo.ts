import leven from 'leven';

/** Most words of four letters become other words by one edit: `meta` becomes `beta`, `met` and `metal`. */
const EDITED_LETTERS_MIN = 5;

const sorted = (letters: string): string => letters.split('').toSorted().join('');

/**
 * Whether a name becomes the known one by one letter less, more or other, or by two letters that change places. The first letter
 * must match: `iphone` is not a typo of `phone`.
 */
export const isTypoOf = (known: string, name: string): boolean => {
  if (known.length < EDITED_LETTERS_MIN || known[0] !== name[0]) return false;
  const edits = leven(known, name, { maxDistance: 3 });
  return edits === 1 || (edits === 2 && sorted(known) === sorted(name));
};
