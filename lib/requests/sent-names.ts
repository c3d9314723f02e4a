import { lettersOf } from '../core/letters-of.ts';

/**
 * The parts of a request that have names. `prefix` begins their paths (`docs/contract.md`, "Errors"). `comparedMax` bounds the
 * work for a hostile body. A gateway adds about 20 headers, and bounds their bytes.
 */
export const PARTS = {
  body: { noun: 'field', place: 'in the body', prefix: '', comparedMax: 20 },
  query: { noun: 'parameter', place: 'in the query', prefix: 'query.', comparedMax: 20 },
  headers: { noun: 'header', place: 'as a header', prefix: 'headers.', comparedMax: 100 },
} as const;

export type Part = keyof typeof PARTS;

/** The values of a request, by name. A body can be anything. */
export type RequestValues = Readonly<Record<Part, unknown>>;

/** A name that a message may repeat. */
const COMPARED_NAME = /^[\w .;[\]-]{1,40}$/;

/** The letters of a sent name, without the `amp;` of a query that was escaped for HTML, and the `X-` of headers. */
export const sentLettersOf = (name: string): string => lettersOf(name.replace(/^(?:amp;|x-)/i, ''));

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** Whether a name has no value. `null` counts as absent. */
export const isAbsent = (values: unknown, name: string): boolean =>
  !isObject(values) || (values[name] ?? null) === null;

/** The first unknown names that a message may repeat, with their values. */
export const unknownEntries = (
  values: unknown,
  known: readonly string[],
  part: Part = 'body',
): readonly [name: string, value: unknown][] =>
  isObject(values)
    ? Object.entries(values)
        .filter(([name]) => !known.includes(name) && COMPARED_NAME.test(name))
        .slice(0, PARTS[part].comparedMax)
    : [];
