import * as z from 'zod/mini';
import { hasCharacters } from '../core/characters.ts';

export const MUST_BE_STRING = 'Must be a string';

/** The message for a value that is no string, or the function that makes it. */
type StringError = z.core.$ZodStringParams['error'];

/** A string. */
export const string = (error: StringError = MUST_BE_STRING) => z.string({ error });

/** The check of a string that no surrogate is alone. Further checks do not run on one that fails. */
export const wellFormed = () =>
  z.refine<string>((value) => value.isWellFormed(), { message: 'Must be well-formed Unicode', abort: true });

/**
 * A text with a bounded number of characters. Characters are Unicode code points, as in JSON Schema, not UTF-16 units. A
 * lone surrogate is invalid.
 */
export const text = (charactersMin: number, charactersMax: number, error?: StringError) =>
  string(error).check(
    wellFormed(),
    z.refine(
      (value) => hasCharacters(value, charactersMin, charactersMax),
      `Must have ${charactersMin} to ${charactersMax} characters`,
    ),
    // JSON Schema cannot express a refinement, so the contract reads the bounds here.
    z.meta({ ...(charactersMin > 0 && { minLength: charactersMin }), maxLength: charactersMax }),
  );

/** The parts of an issue on which a message depends. */
export interface Cause {
  readonly input?: unknown;
  readonly path?: readonly PropertyKey[] | undefined;
}

/** The message for a value of the wrong type. `null` counts as absent. */
const requiredOr =
  (message: string) =>
  ({ input, path }: Cause): string =>
    input === undefined || input === null ? `${String(path?.at(-1))} is required` : message;

/** A string that must be there. `message` is the one for any other value. */
export const requiredString = (message = MUST_BE_STRING) => z.string({ error: requiredOr(message) });

/** A field that may be absent. `null` counts as absent, because many languages encode a missing value so. */
export const optional = <Schema extends z.ZodMiniType>(schema: Schema) =>
  z.optional(
    z.pipe(
      z.nullable(schema),
      z.transform((value) => value ?? undefined),
    ),
  );
