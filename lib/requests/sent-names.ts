import { lettersOf } from '../core/letter-case.ts';
import { type Part, PARTS } from './named-parts.ts';

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
