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

/**
 * A visible character: not white space, a control character or a zero-width one. The Braille pattern without dots, U+2800, is
 * blank too.
 */
const VISIBLE = /[^\p{White_Space}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** PostgreSQL rejects NUL, and a direction mark can make a text look like another one (Unicode, UAX 9). */
const UNSAFE = /[\p{Cc}\p{Bidi_Control}]/u;

/** Says why people cannot read a text, such as a name, or misread it. `undefined` if neither. */
export const unreadableTextIssue = (value: string): string | undefined => {
  if (!VISIBLE.test(value)) return 'Must have a visible character';
  return UNSAFE.test(value) ? 'Must have no control character and no direction mark' : undefined;
};
