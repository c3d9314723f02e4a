import { types } from 'node:util';

/** Numbers the prototypes of the same name, so that two classes `X` of two packages differ. */
const prototypes = new Map<string, unknown[]>();

const className = (value: object): string => {
  const prototype = Object.getPrototypeOf(value) as {
    readonly constructor?: { readonly name?: string };
  } | null;
  if (prototype === null) return 'null-prototype';
  const name = String(prototype.constructor?.name);
  const known = prototypes.get(name) ?? [];
  if (!known.includes(prototype)) prototypes.set(name, [...known, prototype]);
  const index = prototypes.get(name)?.indexOf(prototype) ?? 0;
  return index === 0 ? name : `${name} (class ${index + 1} of this name)`;
};

const bytesOf = (value: ArrayBufferView | ArrayBufferLike): Buffer =>
  ArrayBuffer.isView(value)
    ? Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    : Buffer.from(value as ArrayBuffer);

/** Whether the order of keys and of the members of sets counts. */
export type Order = 'as it is' | 'sorted';

const join = (texts: readonly string[], order: Order): string =>
  (order === 'sorted' ? texts.toSorted() : texts).join(', ');

const describeObject = (value: object, order: Order): string => {
  const name = className(value);
  const inside = (member: unknown): string => describe(member, order);
  if (Array.isArray(value)) return `${name === 'Array' ? '' : name}[${value.map(inside).join(', ')}]`;
  if (ArrayBuffer.isView(value) || types.isAnyArrayBuffer(value)) {
    return `${name}(${bytesOf(value).toString('base64')})`;
  }
  if (value instanceof Set || value instanceof Map) return `${name}{${join([...value].map(inside), order)}}`;
  if (value instanceof Date || types.isBoxedPrimitive(value)) return `${name}(${JSON.stringify(value)})`;
  const fields = Object.entries(value).map(([key, field]) => `${JSON.stringify(key)}: ${inside(field)}`);
  const message = value instanceof Error ? `(${JSON.stringify(value.message)})` : '';
  return `${name === 'Object' ? '' : name}${message}{${join(fields, order)}}`;
};

/**
 * A text that is equal for two values only if no caller can tell them apart: it has the types, the order of keys, fields
 * that are `undefined`, the sign of zero, and unpaired surrogates.
 */
export const describe = (value: unknown, order: Order = 'as it is'): string => {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value);
  if (typeof value === 'bigint') return `${value}n`;
  return typeof value === 'object' && value !== null ? describeObject(value, order) : String(value);
};

/** The classes of a value, from its own to the last. */
export const describeClasses = (value: object): string => {
  const names: string[] = [];
  for (let at: object | null = value; at !== null; at = Object.getPrototypeOf(at) as object | null) {
    names.push(className(at));
  }
  return names.join(' < ');
};
