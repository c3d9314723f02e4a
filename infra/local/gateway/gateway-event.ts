import type { APIGatewayProxyEvent } from 'aws-lambda';

/** An HTTP request as the client sends it. */
export interface HttpRequest {
  readonly method: string;
  /** Path and query, percent-encoded. An origin may precede them. */
  readonly target: string;
  /** Names and values in turn, in the client's own casing and order. */
  readonly rawHeaders: readonly string[];
  /** Empty if there is none: API Gateway does not distinguish the two. */
  readonly body: Uint8Array;
  readonly sourceIp: string;
}

/** The gateway's own facts about a request. */
export interface GatewayFacts {
  /** The path of the matched route, such as `/carts/{cartId}`. */
  readonly resource: string;
  /** The decoded path parameters, by name. */
  readonly pathParameters: ReadonlyMap<string, string>;
  readonly requestId: string;
  /** When the request arrived, in milliseconds since the Unix epoch. */
  readonly receivedAtMs: number;
}

/**
 * The Lambda proxy event (payload format 1.0) that an API Gateway REST API makes of a request. It lacks the facts about the
 * AWS account and the connection.
 *
 * `path` stays percent-encoded, but path and query parameters are decoded. For a repeated header or query parameter, the
 * plain map has the last value and the multi-value map has all values.
 */
export const toGatewayEvent = (request: HttpRequest, facts: GatewayFacts): APIGatewayProxyEvent => {
  const { method: httpMethod, rawHeaders, sourceIp } = request;
  const { resource, pathParameters, requestId, receivedAtMs: requestTimeEpoch } = facts;
  const { path, query } = splitTarget(request.target);
  const headers = valuesByName(headerFields(rawHeaders), (name) => name.toLowerCase());
  const queries = [...new URLSearchParams(query)];
  const parameters = queries.length > 0 ? valuesByName(queries, (name) => name) : null;
  const context = { requestId, requestTimeEpoch, identity: { sourceIp }, resourcePath: resource };
  return {
    resource,
    path,
    httpMethod,
    headers: lastValues(headers),
    multiValueHeaders: headers,
    queryStringParameters: parameters && lastValues(parameters),
    multiValueQueryStringParameters: parameters,
    pathParameters: pathParameters.size > 0 ? Object.fromEntries(pathParameters) : null,
    stageVariables: null,
    requestContext: {
      ...context,
      httpMethod,
      path,
      stage: 'local',
    } as APIGatewayProxyEvent['requestContext'],
    ...encodeBody(request.body),
  };
};

/**
 * The path and the query (without its `?`) of a request target, neither decoded nor normalised. A target may be a whole
 * address (RFC 9112, 3.2.2).
 */
export const splitTarget = (target: string): { path: string; query: string } => {
  const relative = target.replace(/^https?:\/\/[^/?]*/i, '');
  const [path = ''] = relative.split('?', 1);
  return { path, query: relative.slice(path.length + 1) };
};

type Field = readonly [name: string, value: string];

/** The names and values of headers, in pairs. */
export const headerFields = (rawHeaders: readonly string[]): readonly Field[] =>
  rawHeaders.flatMap((name, index) => (index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? '']] : []));

/** The values of each name. Names with the same key are one, spelled as the first of them. */
const valuesByName = (
  fields: readonly Field[],
  keyOf: (name: string) => string,
): Record<string, string[]> => {
  const named = Map.groupBy(fields, ([name]) => keyOf(name));
  return Object.fromEntries(
    Array.from(named.values(), (same) => [String(same[0]?.[0]), same.map(([, value]) => value)]),
  );
};

const lastValues = (values: Record<string, string[]>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, all]) => [name, all.at(-1) ?? '']));

// Without `fatal`, invalid bytes would reach the function as U+FFFD. The function handles the byte order mark.
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const encodeBody = (bytes: Uint8Array): Pick<APIGatewayProxyEvent, 'body' | 'isBase64Encoded'> => {
  if (bytes.length === 0) return { body: null, isBase64Encoded: false };
  try {
    return { body: UTF8.decode(bytes), isBase64Encoded: false };
  } catch {
    return { body: Buffer.from(bytes).toString('base64'), isBase64Encoded: true };
  }
};
