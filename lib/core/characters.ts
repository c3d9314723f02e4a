// Without zod: the help of operators' commands loads this file.

/** The number of code points of a text. */
export const countCharacters = (value: string): number => {
  let count = 0;
  for (const _ of value) count += 1;
  return count;
};

/** Whether the number of characters of a text is within these bounds. It does not count a text that is far too long. */
export const hasCharacters = (text: string, min: number, max: number): boolean => {
  // A character has at most two UTF-16 units.
  if (text.length > 2 * max) return false;
  const count = countCharacters(text);
  return count >= min && count <= max;
};

/**
 * The first characters of a text that a response or a message repeats. The result is well-formed: it has U+FFFD for each lone
 * surrogate, and no half of a pair.
 */
export const firstCharacters = (value: string, charactersMax: number): string =>
  // A character has at most two UTF-16 units.
  Array.from(value.slice(0, 2 * charactersMax))
    .slice(0, charactersMax)
    .join('')
    .toWellFormed();
