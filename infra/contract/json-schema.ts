import * as z from 'zod/mini';

/** A part of the OpenAPI document. */
export type Json = Readonly<Record<string, unknown>>;

const internalsOf = ({ _zod: internals }: z.core.$ZodType) => internals as z.core.$ZodTypes['_zod'];

const lastCheck = (schema: z.core.$ZodType, kinds: readonly string[]): number =>
  (internalsOf(schema).def.checks ?? []).findLastIndex(({ _zod: { def } }) => kinds.includes(def.check));

/** The kinds of check that zod does not translate into JSON Schema. */
const UNTRANSLATED = ['custom', 'property'];

/** Metadata that states no bound. */
const REMARKS = new Set(['id', 'title', 'description', 'examples', 'deprecated', 'x-extensible-enum']);

const statesBound = (schema: z.core.$ZodType): boolean =>
  Object.keys(z.globalRegistry.get(schema) ?? {}).some((keyword) => !REMARKS.has(keyword));

const isTransform = (schema: z.core.$ZodType): boolean => internalsOf(schema).def.type === 'transform';

/** Whether a schema rejects more than its JSON Schema: zod translates neither refinements nor the end of a pipe. */
const hidesBounds = (schema: z.core.$ZodType): boolean => {
  const { def } = internalsOf(schema);
  const isPipe = def.type === 'pipe' && !isTransform(def.in) && !isTransform(def.out);
  const untranslated = lastCheck(schema, UNTRANSLATED);
  if (!isPipe && untranslated === -1) return false;
  return !statesBound(schema) || untranslated > lastCheck(schema, ['meta']);
};

/** Turns `anyOf` of a type and null into `["string", "null"]`, of which generators make better types. */
const joinNull = (jsonSchema: z.core.JSONSchema.BaseSchema): void => {
  const { type, ...bounds } = jsonSchema.anyOf?.[0] ?? {};
  if (typeof type !== 'string') return;
  delete jsonSchema.anyOf;
  Object.assign(jsonSchema, { type: [type, 'null'], ...bounds });
};

/**
 * The JSON Schema (2020-12) of the values that a zod schema accepts. Objects stay open, because a later version may add
 * fields.
 *
 * @throws Error if a bound of the schema would be missing
 */
const convert = (schema: z.ZodMiniType, isRequest: boolean): Json => {
  const hiding = new Map<unknown, string>();
  const { $schema: _, ...converted } = z.toJSONSchema(schema, {
    io: 'input',
    override: ({ zodSchema, jsonSchema, path }) => {
      // A check copies its schema. Only the copy counts.
      hiding.delete(internalsOf(zodSchema).parent);
      const field = path.filter((part) => part !== 'properties').join('.');
      if (hidesBounds(zodSchema)) hiding.set(zodSchema, field);
      if (internalsOf(zodSchema).def.type === 'nullable') joinNull(jsonSchema);
      // In responses, the name of a format is enough.
      if (!isRequest && jsonSchema.format !== undefined) delete jsonSchema.pattern;
    },
  });
  if (hiding.size > 0) {
    throw new Error(
      `The contract lacks a bound of ${[...hiding.values()].join(', ')}: after its refinement or pipe, add z.meta({ maxLength: ... }) or the keyword that fits`,
    );
  }
  return JSON.parse(JSON.stringify(converted).replaceAll('#/$defs/', '#/components/schemas/')) as Json;
};

export const inlineSchema = (schema: z.ZodMiniType): Json => convert(schema, true);

export const schemaReference = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });

/** A body: its name and its components. Each part with an `id` is a component. */
export interface Body {
  readonly name: string;
  readonly components: Readonly<Record<string, Json>>;
}

/**
 * Describes a body.
 *
 * @param owner the operation and the body, for messages
 * @param fieldTexts the descriptions of the fields, for a request
 * @throws Error if the schema has no `id`, or a field of a request has no description
 */
export const bodyOf = (
  schema: z.ZodMiniType,
  owner: string,
  fieldTexts?: Readonly<Record<string, string>>,
): Body => {
  const name = z.globalRegistry.get(schema)?.id;
  if (name === undefined) {
    throw new Error(`The schema of ${owner} has no name: add .check(z.meta({ id: 'Name' }))`);
  }
  const components = convert(schema, fieldTexts !== undefined)['$defs'] as Record<string, Json>;
  if (fieldTexts) {
    const fields = Object.entries(components[name]?.['properties'] as Record<string, Json>);
    const undescribed = fields.flatMap(([field]) => (field in fieldTexts ? [] : [field]));
    if (undescribed.length > 0)
      throw new Error(`Describe ${undescribed.join(', ')} in the contract of ${owner}`);
    const described = fields.map(([field, part]) => [field, { description: fieldTexts[field], ...part }]);
    components[name] = { ...components[name], properties: Object.fromEntries(described) as Json };
  }
  return { name, components };
};
