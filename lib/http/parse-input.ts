import type { APIGatewayProxyEvent } from 'aws-lambda';
import type * as z from 'zod';
import type { InvalidField } from './errors.ts';
import type { Middleware, Parsed } from './request-state.ts';

/** Enough to mend a request by; a hostile one must not make a long answer. */
const DETAILS_MAX = 20;

/** An operation's input from its event: headers in lower case, the body parsed. */
export type ParseInput<Input> = (event: APIGatewayProxyEvent) => Parsed<Input>;

/** Validates a value, telling what is wrong by path and sentence and never by the value. */
export const parseWith = <Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): Parsed<z.output<Schema>> => {
  const result = schema.safeParse(value);
  return result.success
    ? { ok: true, input: result.data }
    : { ok: false, details: result.error.issues.slice(0, DETAILS_MAX).map(invalidField) };
};

/** A field of the body is named by its own path, a header as `headers.{name}`. */
const invalidField = ({ path, message }: z.core.$ZodIssue): InvalidField => ({
  path: (path[0] === 'body' ? path.slice(1) : path).join('.'),
  message,
});

/** Validates the input; the outcome is kept in `parsed`, not yet thrown. */
export const parseInput = <Input>(parse: ParseInput<Input>): Middleware => ({
  before: ({ event, internal }) => {
    internal.parsed = internal.bodyFaults ? { ok: false, details: internal.bodyFaults } : parse(event);
  },
});
