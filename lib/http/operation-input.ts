import * as z from 'zod/mini';
import { firstCharacters } from '../core/characters.ts';
import type { ForeignNames } from '../requests/foreign-names.ts';
import type { InvalidField } from '../requests/invalid-field.ts';
import { type FindTestModeIssues, type KnownNames, unknownNames } from '../requests/unknown-names.ts';
import type { Mode } from '../stores/mode.ts';
import type { RequestHeaders } from './request-headers.ts';

/** A hostile request must not cause a long response. */
export const DETAILS_MAX = 20;

/** Longer than any path in a valid request. */
const PATH_CHARACTERS_MAX = 100;

/** The input of an operation, or its validation issues, which are thrown after 401 and 429 are ruled out. */
export type Parsed<Input> = (
  | { readonly ok: true; readonly input: Input }
  | { readonly ok: false; readonly details: readonly InvalidField[] }
) & {
  /** The issues of test mode, as the log names them. */
  readonly loggedIssues?: readonly string[];
};

/** The parts of a request from which an operation reads its input. */
export interface RequestParts {
  /** The id of this API in API Gateway. The local stage has none. */
  readonly apiId: string | undefined;
  readonly path: Readonly<Record<string, string | undefined>>;
  /** API Gateway lists the values of each parameter. */
  readonly query: Readonly<Record<string, string[] | undefined>>;
  /** By name, in lower case. */
  readonly headers: RequestHeaders['headers'];
  /** The parsed JSON, if it is any. */
  readonly body: unknown;
}

/** Validates a request, and returns the operation's input. `mode` is that of the key's text, which is not authenticated yet. */
export type ParseInput<Input> = (parts: RequestParts, mode: Mode) => Parsed<Input>;

/** Validates a value. The issues repeat the value only if a message of the schema does. */
export const parseWith = <Schema extends z.ZodMiniType>(
  schema: Schema,
  value: unknown,
): Parsed<z.output<Schema>> => {
  const result = schema.safeParse(value);
  return result.success
    ? { ok: true, input: result.data }
    : { ok: false, details: result.error.issues.slice(0, DETAILS_MAX).map(invalidField) };
};

/** The issue of a body field has the path in the body. The issue of a header has the path `headers.{name}`. */
const invalidField = (issue: z.core.$ZodIssue): InvalidField => {
  const path = issue.path[0] === 'body' ? issue.path.slice(1) : issue.path;
  // The issue of a record's key is one level deeper.
  const cause = issue.code === 'invalid_key' ? issue.issues[0] : undefined;
  return { path: firstCharacters(path.join('.'), PATH_CHARACTERS_MAX), message: (cause ?? issue).message };
};

/** The fields of an object's schema, also of one whose values a transform changes. An absent schema has none. */
const shapeOf = (schema: z.core.$ZodType | undefined): z.core.$ZodShape => {
  if (schema === undefined) return {};
  if (schema instanceof z.ZodMiniObject) return schema.shape;
  if (schema instanceof z.ZodMiniPipe) return shapeOf(schema.def.in);
  throw new Error('The schema of an input, or of a part with names, is no object');
};

/** The names that the schema of an operation's input reads. Throws if it is no schema of an object with such parts. */
export const namesIn = (schema: z.core.$ZodType): Required<KnownNames> => {
  const { body, query, headers } = shapeOf(schema);
  const keysOf = (part: z.core.$ZodType | undefined): readonly string[] => Object.keys(shapeOf(part));
  return { body: keysOf(body), query: keysOf(query), headers: keysOf(headers) };
};

/** How an operation gets its input. */
export interface InputOptions<Input> {
  /** The fields of the JSON body. Default: the operation reads no body. */
  readonly bodyFields?: readonly string[] | undefined;
  readonly parse: ParseInput<Input>;
  /** The rules that only test mode enforces, such as that of unknown names. */
  readonly findTestModeIssues: FindTestModeIssues;
}

/**
 * The options of an operation whose schema has all rules of its input.
 *
 * @param foreignNames names of other APIs, for the names in the schema
 */
export const inputOf = <Schema extends z.ZodMiniType>(
  schema: Schema,
  foreignNames?: ForeignNames,
): InputOptions<z.output<Schema>> => {
  const names = namesIn(schema);
  return {
    bodyFields: shapeOf(schema)['body'] && names.body,
    parse: (parts) => parseWith(schema, parts),
    findTestModeIssues: unknownNames(names, foreignNames),
  };
};
