import type { APIGatewayEventIdentity, APIGatewayProxyEvent } from 'aws-lambda';

/** An HTTP request as the client sends it. */
export interface HttpRequest {
  readonly method: string;
  /** Path and query, percent-encoded. An origin may precede them. */
  readonly target: string;
  /** Names and values in turn, in the client's own casing and order. */
  readonly rawHeaders: readonly string[];
  /** Empty if there is none: API Gateway does not distinguish the two. */
  readonly body: Uint8Array;
  /** The protocol's version, such as `1.1`. */
  readonly httpVersion: string;
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
  readonly port: number;
}

/** The identity of a request that no IAM signature, API key of the gateway or client certificate identifies. */
const ANONYMOUS_IDENTITY: Omit<APIGatewayEventIdentity, 'sourceIp' | 'userAgent'> = {
  accessKey: null,
  accountId: null,
  apiKey: null,
  apiKeyId: null,
  caller: null,
  clientCert: null,
  cognitoAuthenticationProvider: null,
  cognitoAuthenticationType: null,
  cognitoIdentityId: null,
  cognitoIdentityPoolId: null,
  principalOrgId: null,
  user: null,
  userArn: null,
};

// API Gateway drops the length, and the headers of a single connection (RFC 9110, 7.6.1). It replaces the forwarding
// headers.
const DROPPED_HEADERS: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'x-forwarded-for',
  'x-forwarded-port',
  'x-forwarded-proto',
]);

/**
 * The Lambda proxy event (payload format 1.0) that an API Gateway REST API makes of a request.
 *
 * `path` stays percent-encoded, but path and query parameters are decoded. For a repeated header or query parameter, the
 * plain map has the last value and the multi-value map has all values.
 */
export const toGatewayEvent = (request: HttpRequest, facts: GatewayFacts): APIGatewayProxyEvent => {
  const { path, query } = splitTarget(request.target);
  const fields = headerFields(request, facts.port);
  const headers = allValues(fields);
  const queries = queryFields(query);
  const parameters = queries.size > 0 ? allValues(queries) : null;
  return {
    resource: facts.resource,
    path,
    httpMethod: request.method,
    headers: lastValues(headers),
    multiValueHeaders: headers,
    queryStringParameters: parameters && lastValues(parameters),
    multiValueQueryStringParameters: parameters,
    pathParameters: facts.pathParameters.size > 0 ? Object.fromEntries(facts.pathParameters) : null,
    stageVariables: null,
    requestContext: requestContext(request, facts, path, fields.get('user-agent')?.values.at(-1) ?? null),
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

/** The values of each field, by its key. `name` is spelled as in its first occurrence. */
type Fields = Map<string, { readonly name: string; readonly values: string[] }>;

const addValue = (fields: Fields, key: string, name: string, value: string): void => {
  const field = fields.get(key);
  if (field) field.values.push(value);
  else fields.set(key, { name, values: [value] });
};

/** The headers, by their names in lower case. */
const headerFields = ({ rawHeaders, sourceIp }: HttpRequest, port: number): Fields => {
  const fields: Fields = new Map();
  const addresses: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    const value = rawHeaders[index + 1] ?? '';
    const key = name.toLowerCase();
    if (key === 'x-forwarded-for') addresses.push(value);
    if (!DROPPED_HEADERS.has(key)) addValue(fields, key, name, value);
  }
  addValue(fields, 'x-forwarded-for', 'X-Forwarded-For', [...addresses, sourceIp].join(', '));
  addValue(fields, 'x-forwarded-port', 'X-Forwarded-Port', String(port));
  addValue(fields, 'x-forwarded-proto', 'X-Forwarded-Proto', 'http');
  return fields;
};

const queryFields = (query: string): Fields => {
  const fields: Fields = new Map();
  if (query === '') return fields;
  for (const [name, value] of new URLSearchParams(query)) addValue(fields, name, name, value);
  return fields;
};

const allValues = (fields: Fields): Record<string, string[]> =>
  Object.fromEntries(Array.from(fields.values(), ({ name, values }) => [name, values]));

const lastValues = (values: Record<string, string[]>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, all]) => [name, all.at(-1) ?? '']));

const requestContext = (
  request: HttpRequest,
  facts: GatewayFacts,
  path: string,
  userAgent: string | null,
): APIGatewayProxyEvent['requestContext'] => ({
  accountId: '000000000000',
  apiId: 'local',
  authorizer: undefined,
  // Not the client's `Host`.
  domainName: '127.0.0.1',
  httpMethod: request.method,
  identity: { ...ANONYMOUS_IDENTITY, sourceIp: request.sourceIp, userAgent },
  path,
  protocol: `HTTP/${request.httpVersion}`,
  requestId: facts.requestId,
  requestTime: commonLogTime(facts.receivedAtMs),
  requestTimeEpoch: facts.receivedAtMs,
  resourceId: 'local',
  resourcePath: facts.resource,
  stage: 'local',
});

/** A time in the Common Log Format, such as `20/Nov/2026:09:05:00 +0000`. */
const commonLogTime = (timeMs: number): string => {
  const [, day, month, year, time] = new Date(timeMs).toUTCString().split(' ');
  return `${day}/${month}/${year}:${time} +0000`;
};

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
