import { convertToAttr, convertToNative } from '@aws-sdk/util-dynamodb';

/**
 * The places of native values in an input or output, as each document command of the SDK states them: `null` for a value,
 * `{}` or `[]` for a map or list of values, `*` for each entry, or the nodes of some keys.
 */
export type KeyNodes = { readonly [key: string]: KeyNodes } | readonly never[] | null;

export type Fields = Record<string, unknown>;

type Convert = (value: unknown) => unknown;

const MARSHALL_OPTIONS = { removeUndefinedValues: true, convertTopLevelContainer: true };

/** Converts each entry of an object or list. Functions and `undefined` of an object are left out. */
const convertEntries = (container: object, convert: Convert): object => {
  if (Array.isArray(container)) return container.map(convert);
  const converted: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(container)) {
    if (value !== undefined && typeof value !== 'function') converted[key] = convert(value);
  }
  return converted;
};

const convertAt = (value: unknown, nodes: KeyNodes, convert: Convert): unknown => {
  if (nodes === null) return convert(value);
  // The input is wrong here, and the service rejects it.
  if (typeof value !== 'object' || value === null) return value;
  const keys = Object.keys(nodes);
  if (keys.length === 0) return convertEntries(value, convert);
  const byKey = nodes as { readonly [key: string]: KeyNodes };
  const each = byKey['*'];
  if (each !== undefined) return convertEntries(value, (entry) => convertAt(entry, each, convert));
  const converted: Record<string, unknown> = { ...value };
  for (const key of keys) {
    const field = converted[key];
    if (field !== undefined) converted[key] = convertAt(field, byKey[key] as KeyNodes, convert);
  }
  return converted;
};

/** The input of a document command with attribute values in place of native ones. */
export const marshallInput = (input: Fields, nodes: KeyNodes): Fields =>
  convertAt(input, nodes, (value) => convertToAttr(value, MARSHALL_OPTIONS)) as Fields;

/** The output of a document command with native values in place of attribute values. */
export const unmarshallOutput = <Output extends Fields>(output: Output, nodes: KeyNodes): Output =>
  convertAt(output, nodes, (value) => convertToNative(value as never)) as Output;
