import * as z from 'zod/mini';

// No function imports these values, because the functions do not validate their responses.

/**
 * One schema for each field of a view, optional fields included. With `{ ... } satisfies FieldsOf<View>`, the compiler
 * reports a field that the contract lacks.
 */
export type FieldsOf<View> = { readonly [Name in keyof View]-?: z.ZodMiniType<View[Name]> };

/** A time. `meaning` is a phrase. */
export const time = (meaning: string) => z.iso.datetime().check(z.describe(`${meaning}, ISO 8601 in UTC`));

/** A text of a list that later versions can extend: `x-extensible-enum` of OpenAPI. Generated clients accept any text. */
export const extensible = (values: readonly string[], description: string) =>
  z
    .string()
    .check(
      z.meta({ 'x-extensible-enum': values, description: `${description} Later versions can add values.` }),
    );

/** Each value with its meaning, for a description. */
export const withMeanings = (meanings: Readonly<Record<string, string>>): string =>
  Object.entries(meanings)
    .map(([value, meaning]) => `\`${value}\`: ${meaning}.`)
    .join(' ');
