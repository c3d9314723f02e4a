import type { APIGatewayProxyEvent } from 'aws-lambda';
import type * as z from 'zod/mini';
import type { InvalidField } from '../invalid-field.ts';
import type { Middleware, Parsed } from './request-state.ts';

/** Enough to mend a request by; a hostile one must not make a long answer. */
const DETAILS_MAX = 20;

/** Longer than the path of any field of a valid request. */
const PATH_LENGTH_MAX = 100;

/** An operation's input from its event: headers in lower case, the body parsed. */
export type ParseInput<Input> = (event: APIGatewayProxyEvent) => Parsed<Input>;

/** Validates a value, telling what is wrong by path and sentence and never by the value. */
export const parseWith = <Schema extends z.ZodMiniType>(
  schema: Schema,
  value: unknown,
): Parsed<z.output<Schema>> => {
  const result = schema.safeParse(value);
  return result.success
    ? { ok: true, input: result.data }
    : { ok: false, details: result.error.issues.slice(0, DETAILS_MAX).map(invalidField) };
};

/** A field of the body is named by its own path, a header as `headers.{name}`. */
const invalidField = (issue: z.core.$ZodIssue): InvalidField => {
  const path = issue.path[0] === 'body' ? issue.path.slice(1) : issue.path;
  // What is wrong with a record's key is told one level deeper.
  const cause = issue.code === 'invalid_key' ? issue.issues[0] : undefined;
  return { path: path.join('.').slice(0, PATH_LENGTH_MAX), message: (cause ?? issue).message };
};

/** Validates the input; the outcome is kept in `parsed`, not yet thrown. */
export const parseInput = <Input>(parse: ParseInput<Input>): Middleware => ({
  before: ({ event, internal }) => {
    internal.parsed = internal.bodyIssues ? { ok: false, details: internal.bodyIssues } : parse(event);
  },
});
