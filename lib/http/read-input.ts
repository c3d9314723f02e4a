import { parseJson } from '../core/parse-json.ts';
import type { TestModeIssue } from '../requests/invalid-field.ts';
import type { Mode } from '../stores/mode.ts';
import { parseJsonBody } from './body/json-body.ts';
import { DETAILS_MAX, type InputOptions, type Parsed } from './operation-input.ts';
import type { ReceivedRequest } from './received-request.ts';
import { repeatedHeaderIssues } from './request-headers.ts';
import type { RequestKey } from './request-key.ts';

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
