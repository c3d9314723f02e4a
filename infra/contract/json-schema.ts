import * as z from 'zod/mini';

/** A part of the document. */
export type Json = Readonly<Record<string, unknown>>;

/** The JSON Schema (2020-12) of what a zod schema takes; objects stay open, since changes within a version only add. */
export const jsonSchemaOf = (schema: z.ZodMiniType): Json => {
  const { $schema: _, ...jsonSchema } = z.toJSONSchema(schema, { io: 'input' });
  return jsonSchema;
};

/** As {@link jsonSchemaOf}, without the patterns by which zod checks a format: its name says it all. */
export const plainJsonSchemaOf = (schema: z.ZodMiniType): Json => {
  const { $schema: _, ...jsonSchema } = z.toJSONSchema(schema, {
    io: 'input',
    override: ({ jsonSchema: part }) => {
      if (part.format !== undefined) delete part.pattern;
    },
  });
  return jsonSchema;
};

/** A reference to a component of the document. */
export const schemaReference = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });

/**
 * Adds to each property of an object schema what zod does not tell; a reference takes the property's place.
 *
 * @throws Error unless the additions are for exactly the properties that there are
 */
export const withProperties = (schema: Json, additions: Readonly<Record<string, Json>>): Json => {
  const properties = schema['properties'] as Record<string, Json>;
  const names = Object.keys(properties);
  if (names.toSorted().join() !== Object.keys(additions).toSorted().join()) {
    throw new Error(`The contract must describe the properties ${names.join(', ')}`);
  }
  const described = names.map((name) => {
    const addition = additions[name];
    return [name, addition?.['$ref'] === undefined ? { ...properties[name], ...addition } : addition];
  });
  return { ...schema, properties: Object.fromEntries(described) as Json };
};
