import { describe, expect, test } from 'vitest';
import { contractDocument } from '../../../infra/contract/document.ts';
import type { Json } from '../../../infra/contract/json-schema.ts';
import { EVENT_TYPES } from '../../../lib/events/event-types.ts';

// The rules that the generators of clients need. `npm run test:clients` runs the generators.

const DOCUMENT = contractDocument() as {
  readonly components: { readonly schemas: Record<string, Json>; readonly responses: Record<string, Json> };
};
const { schemas: COMPONENTS, responses: RESPONSES } = DOCUMENT.components;

interface Part {
  readonly where: string;
  readonly schema: Json;
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const childrenOf = ({ where, schema }: Part): Part[] => {
  const { properties = {}, items, additionalProperties, propertyNames, oneOf = {}, anyOf = {} } = schema;
  const single = { items, additionalProperties, propertyNames };
  const children = [properties, single, oneOf, anyOf].flatMap((group) => Object.entries(group as Json));
  return children.flatMap(([name, child]) =>
    isObject(child) ? [{ where: `${where}.${name}`, schema: child }] : [],
  );
};

/** A schema and everything in it. */
const partsOf = (part: Part): Part[] => [part, ...childrenOf(part).flatMap(partsOf)];

/** The schemas of parameters, headers and bodies: each value of a key `schema`. */
const schemasIn = (where: string, value: unknown): Part[] => {
  if (Array.isArray(value)) return value.flatMap((item, index) => schemasIn(`${where}.${index}`, item));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, child]) => {
    if (key === 'examples' || key === 'example') return [];
    return key === 'schema' && isObject(child)
      ? [{ where, schema: child }]
      : schemasIn(`${where}.${key}`, child);
  });
};

const { components: _, ...OUTSIDE } = DOCUMENT;
const USED = [...schemasIn('', OUTSIDE), ...schemasIn('responses', RESPONSES)];
const NAMED = Object.entries(COMPONENTS).map(([where, schema]) => ({ where, schema }));
const PARTS = [...USED, ...NAMED].flatMap(partsOf);

const isReference = ({ $ref }: Json): boolean => typeof $ref === 'string';

const wherever = (parts: readonly Part[], breaks: (schema: Json) => boolean): string[] =>
  parts.filter(({ schema }) => breaks(schema)).map(({ where }) => where);

const ALTERNATIVES = ['oneOf', 'anyOf', 'allOf'];

const alternativesOf = (schema: Json): readonly string[] =>
  ALTERNATIVES.filter((keyword) => keyword in schema);

test('each value has a type, so that no generator makes it unknown', () => {
  const isUntyped = (schema: Json): boolean =>
    !('type' in schema) && !isReference(schema) && alternativesOf(schema).length === 0;

  expect(wherever(PARTS, isUntyped)).toStrictEqual([]);
});

test('only an event has alternatives: its known types in order, then one for every other type', () => {
  const unions = PARTS.filter(({ schema }) => alternativesOf(schema).length > 0);
  const types = (COMPONENTS['Event']!['anyOf'] as { $ref: string }[]).map(({ $ref }) => {
    const { properties } = COMPONENTS[$ref.split('/').at(-1) ?? ''] as { properties: { type: Json } };
    const { description: _text, ...type } = properties.type;
    return type;
  });

  // A value that may be null says so in its type, not by alternatives.
  expect(unions.map(({ where }) => where)).toStrictEqual(['Event']);
  expect(types).toStrictEqual([
    ...EVENT_TYPES.map((value) => ({ type: 'string', const: value })),
    { type: 'string' },
  ]);
});

test('only the status of a cart is closed, because generated clients reject other values of an enumeration', () => {
  expect(wherever(PARTS, (schema) => 'enum' in schema)).toStrictEqual(['CartStatus']);
  expect(wherever(PARTS, (schema) => 'discriminator' in schema)).toStrictEqual([]);
});

test('each body and each object with fields is a named component', () => {
  const bodies = USED.filter(({ where }) => where.includes('application/json'));
  const anonymous = PARTS.filter((part) => !NAMED.some(({ schema }) => schema === part.schema));
  const hasFields = ({ properties = {} }: Json): boolean => Object.keys(properties as Json).length > 0;

  expect(bodies.length).toBeGreaterThan(20);
  expect(wherever(bodies, (schema) => !isReference(schema))).toStrictEqual([]);
  expect(wherever(anonymous, hasFields)).toStrictEqual([]);
});

test('no two types get one name', () => {
  // A generator without namespaces adds a suffix to the name of a response.
  const names = [...Object.keys(COMPONENTS), ...Object.keys(RESPONSES).map((name) => `${name}Response`)];
  const lowerCase = names.map((name) => name.toLowerCase());

  expect(names.filter((_name, index) => lowerCase.indexOf(lowerCase[index] ?? '') !== index)).toStrictEqual(
    [],
  );
});

describe.each(PARTS.filter(({ schema }) => 'pattern' in schema))('the pattern of $where', ({ schema }) => {
  const pattern = String(schema['pattern']);

  test('compiles in the languages of generated clients', () => {
    for (const flags of ['', 'u']) expect(() => new RegExp(pattern, flags)).not.toThrow();
    // Line separators end a literal of JavaScript. Python, Go and Rust lack properties or look-around.
    expect(pattern).not.toMatch(/\\u|\\p|\\[1-9k]|\(\?(?!:)|[^\x20-\x7e]/);
  });
});
