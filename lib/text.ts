import * as z from 'zod';

/**
 * A text of so many characters. Characters are Unicode code points, as in JSON Schema, not UTF-16 units; a text that
 * holds half of a surrogate pair is none.
 */
export const text = (charactersMin: number, charactersMax: number) =>
  z.string().superRefine((value, context) => {
    if (!value.isWellFormed()) {
      context.addIssue({ code: 'custom', message: 'Must be well-formed Unicode' });
      return;
    }
    const characters = countCharacters(value);
    if (characters < charactersMin || characters > charactersMax) {
      context.addIssue({
        code: 'custom',
        message: `Must have ${charactersMin} to ${charactersMax} characters`,
      });
    }
  });

const countCharacters = (value: string): number => {
  let count = 0;
  for (const _ of value) count += 1;
  return count;
};
