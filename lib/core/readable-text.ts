// Without zod: the help of operators' commands loads this file.

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
