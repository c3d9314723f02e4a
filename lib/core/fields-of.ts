import type * as z from 'zod/mini';

/**
 * One schema for each field of a view, optional fields included. With `{ ... } satisfies FieldsOf<View>`, the compiler
 * reports a field that the contract lacks.
 */
export type FieldsOf<View> = { readonly [Name in keyof View]-?: z.ZodMiniType<View[Name]> };
