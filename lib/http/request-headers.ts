import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { TestModeIssue } from '../requests/invalid-field.ts';

/** The headers with a single value that the service reads (RFC 9110, 8.3 and 11.6.2). It reads all others as lists. */
const SINGLE_NAMES: ReadonlySet<string> = new Set(['authorization', 'content-type', 'idempotency-key']);

/** The lines of each header, by its name in lower case. API Gateway's test console sends `null` for both maps. */
const linesOf = ({
  headers,
  multiValueHeaders,
}: Pick<APIGatewayProxyEvent, 'headers' | 'multiValueHeaders'>): ReadonlyMap<string, string[]> => {
  const lines = new Map<string, string[]>();
  const sent = Object.entries(multiValueHeaders ?? {});
  for (const [name, values] of sent.length > 0 ? sent : Object.entries(headers ?? {})) {
    const key = name.toLowerCase();
    lines.set(key, [...(lines.get(key) ?? []), ...[values ?? []].flat()]);
  }
  return lines;
};

/** The headers of a request. */
export interface RequestHeaders {
  /** By name, in lower case. */
  readonly headers: APIGatewayProxyEvent['headers'];
  /** The names of headers that are no list, but that the client sent with different lines. */
  readonly repeated: readonly string[];
}

/**
 * Reads the headers of an event. Names become lower case, because they are case-insensitive (RFC 9110, 5.1). Several lines of a
 * header become one list (RFC 9110, 5.3). Of a header that is no list, the last line counts.
 */
export const readHeaders = (
  event: Pick<APIGatewayProxyEvent, 'headers' | 'multiValueHeaders'>,
): RequestHeaders => {
  const repeated: string[] = [];
  const lines = Array.from(linesOf(event), ([name, each]) => {
    if (!SINGLE_NAMES.has(name)) return [name, each.join(', ')] as const;
    if (new Set(each).size > 1) repeated.push(name);
    return [name, each.at(-1)] as const;
  });
  return { headers: Object.fromEntries(lines), repeated };
};

/** The issues of headers that are no list, but have different lines. */
export const repeatedHeaderIssues = (repeated: RequestHeaders['repeated']): readonly TestModeIssue[] =>
  repeated.map((name) => ({
    path: `headers.${name}`,
    message: 'Must be sent once',
    loggedAs: `headers.${name} (repeated)`,
  }));
