import type * as z from 'zod/mini';
import { firstCharacters } from '../core/characters.ts';
import { parseJson } from '../core/parse-json.ts';
import type { InvalidField, TestModeIssue } from '../requests/invalid-field.ts';
import {
  type FindTestModeIssues,
  type RequestNames,
  type RequestWords,
  unknownNames,
} from '../requests/unknown-names.ts';
import type { Mode } from '../stores/mode.ts';
import { parseJsonBody } from './json-body.ts';
import type { ReceivedRequest } from './received-request.ts';
import { repeatedHeaderIssues, type RequestHeaders } from './request-headers.ts';
import type { RequestKey } from './request-key.ts';

/** A hostile request must not cause a long response. */
const DETAILS_MAX = 20;

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

/** The fields of an object's schema, also of one whose values a transform changes. */
const shapeOf = (schema: z.core.$ZodType | undefined): z.core.$ZodShape => {
  const { def } = (schema ?? {}) as { def?: Partial<z.core.$ZodObjectDef & Pick<z.core.$ZodPipeDef, 'in'>> };
  return def?.shape ?? (def?.in ? shapeOf(def.in) : {});
};

/** The names that the schema of an operation's input reads. */
export const namesIn = (schema: z.core.$ZodType): Required<RequestNames> => {
  const { body, query, headers } = shapeOf(schema);
  const keysOf = (part: z.core.$ZodType | undefined): readonly string[] => Object.keys(shapeOf(part));
  return { body: keysOf(body), query: keysOf(query), headers: keysOf(headers) };
};

/**
 * Adds the issues of test mode, which rejects the request for them. Live mode only reports them for the log, so that no running
 * integration breaks.
 */
export const withTestModeIssues = <Input>(
  parsed: Parsed<Input>,
  issues: readonly TestModeIssue[],
  mode: Mode,
): Parsed<Input> => {
  if (issues.length === 0) return parsed;
  const loggedIssues = [...new Set(issues.map(({ loggedAs }) => loggedAs))].slice(0, DETAILS_MAX);
  if (mode === 'live') return { ...parsed, loggedIssues };
  const meant = new Set(issues.map(({ means }) => means));
  const details = [
    ...issues.map(({ path, message }) => ({ path, message })),
    // A misspelled name replaces the issue of the absent field.
    ...(parsed.ok ? [] : parsed.details).filter(({ path }) => !meant.has(path)),
  ];
  return { ok: false, details: details.slice(0, DETAILS_MAX), loggedIssues };
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
 * @param words names of other APIs, for the names in the schema
 */
export const inputOf = <Schema extends z.ZodMiniType>(
  schema: Schema,
  words?: RequestWords,
): InputOptions<z.output<Schema>> => {
  const names = namesIn(schema);
  return {
    bodyFields: shapeOf(schema)['body'] && names.body,
    parse: (parts) => parseWith(schema, parts),
    findTestModeIssues: unknownNames(names, words),
  };
};

/** Longer bodies are not parsed: they are meant for another operation. */
const UNREAD_BODY_CHARACTERS_MAX = 1_000;

/** The JSON of a body that the operation does not read: all of its fields are lost. */
const unreadBody = ({ body }: ReceivedRequest): unknown =>
  body && body.length <= UNREAD_BODY_CHARACTERS_MAX ? parseJson(body) : undefined;

/** PHP writes 17 digits of each number if its setting `serialize_precision` is 17. */
const ROUNDED = 'Has more digits than a number keeps: send at most 15. In PHP, set serialize_precision to -1';

const roundedIssue = (path: string): TestModeIssue => ({
  path,
  message: ROUNDED,
  loggedAs: `${path} (digits)`,
});

/** Reads the input of a request with a well-formed key, or its issues. It throws nothing, because 401 and 429 come first. */
export const readInput = <Input>(
  request: ReceivedRequest,
  { mode }: RequestKey,
  { bodyFields, parse, findTestModeIssues }: InputOptions<Input>,
): Parsed<Input> => {
  const { requestContext, pathParameters, multiValueQueryStringParameters, headers, repeated } = request;
  const {
    body,
    issues,
    roundedNumbers = [],
  } = bodyFields ? parseJsonBody(request) : { body: unreadBody(request) };
  const path = pathParameters ?? {};
  const query = multiValueQueryStringParameters ?? {};
  const parts = { apiId: requestContext.apiId, path, query, headers, body };
  const parsed = issues ? { ok: false as const, details: issues } : parse(parts, mode);
  const found = [
    ...roundedNumbers.filter((name) => bodyFields?.includes(name)).map(roundedIssue),
    ...findTestModeIssues(parts),
    ...repeatedHeaderIssues(repeated),
  ];
  return withTestModeIssues(parsed, found, mode);
};
