import type { APIGatewayEventIdentity, APIGatewayProxyEvent } from 'aws-lambda';

/** An HTTP request as it came over the wire. */
export interface HttpRequest {
  readonly method: string;
  /** The request target, percent-encoded as sent: path and query, or an absolute URL from a client behind a proxy. */
  readonly target: string;
  /** Names and values in turn, in the client's own casing and order. */
  readonly rawHeaders: readonly string[];
  /** The body's bytes; none and empty are the same, as they are to API Gateway. */
  readonly body: Uint8Array;
  /** The protocol's version, such as `1.1`. */
  readonly httpVersion: string;
  readonly sourceIp: string;
}

/** What the gateway knows about a request beyond its bytes. */
export interface GatewayFacts {
  /** The path of the matched route, such as `/carts/{cartId}`. */
  readonly resource: string;
  /** The decoded path parameters, by name. */
  readonly pathParameters: ReadonlyMap<string, string>;
  readonly requestId: string;
  /** When the request arrived, in milliseconds since the Unix epoch. */
  readonly receivedAtMs: number;
  /** The host name that the gateway is known by; never the client's `Host`, which may say anything. */
  readonly domainName: string;
  readonly port: number;
}

const STAGE = 'local';
const API_ID = 'local';
const ACCOUNT_ID = '000000000000';

// They concern one connection, not the request (RFC 9110, 7.6.1); API Gateway drops them. The length goes too:
// the event carries the body itself.
const CONNECTION_HEADERS = new Set([
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/**
 * The Lambda proxy event (payload format 1.0) that an API Gateway REST API makes of a request.
 *
 * As there, `path` stays percent-encoded while path and query parameters are decoded; a header or query parameter
 * that came more than once has its last value in the plain map and all of them in the multi-value map.
 */
export const toGatewayEvent = (request: HttpRequest, facts: GatewayFacts): APIGatewayProxyEvent => {
  const { path, query } = splitTarget(request.target);
  const headers = forwardedHeaders(request, facts.port);
  const queryParameters = collect(new URLSearchParams(query));

  return {
    resource: facts.resource,
    path,
    httpMethod: request.method,
    headers: lastValues(headers),
    multiValueHeaders: allValues(headers),
    queryStringParameters: queryParameters.length === 0 ? null : lastValues(queryParameters),
    multiValueQueryStringParameters: queryParameters.length === 0 ? null : allValues(queryParameters),
    pathParameters: facts.pathParameters.size === 0 ? null : Object.fromEntries(facts.pathParameters),
    stageVariables: null,
    requestContext: requestContext(request, facts, path, valueOf(headers, 'user-agent') ?? null),
    ...encodeBody(request.body),
  };
};

/** The path and the query (without its `?`) of a request target. Neither is decoded or normalised. */
export const splitTarget = (target: string): { path: string; query: string } => {
  const origin = /^https?:\/\/[^/?]*/i.exec(target)?.[0] ?? '';
  const relative = target.slice(origin.length);
  const mark = relative.indexOf('?');
  return mark === -1
    ? { path: relative, query: '' }
    : { path: relative.slice(0, mark), query: relative.slice(mark + 1) };
};

interface Field {
  readonly name: string;
  readonly values: readonly string[];
}

const forwardedHeaders = (request: HttpRequest, port: number): Field[] => {
  const pairs = request.rawHeaders.flatMap((name, index, raw): [string, string][] =>
    index % 2 === 0 ? [[name, raw[index + 1] ?? '']] : [],
  );
  const received = collect(pairs, (name) => name.toLowerCase());
  const addresses = received.find(({ name }) => name.toLowerCase() === 'x-forwarded-for')?.values ?? [];
  const added: Field[] = [
    { name: 'X-Forwarded-For', values: [[...addresses, request.sourceIp].join(', ')] },
    { name: 'X-Forwarded-Port', values: [String(port)] },
    { name: 'X-Forwarded-Proto', values: ['http'] },
  ];
  const replaced = new Set(added.map(({ name }) => name.toLowerCase()));
  const kept = received.filter(({ name }) => {
    const lowerName = name.toLowerCase();
    return !CONNECTION_HEADERS.has(lowerName) && !replaced.has(lowerName);
  });
  return [...kept, ...added];
};

/** Groups pairs by name; names that differ only for `keyOf` keep the first spelling. */
const collect = (pairs: Iterable<[string, string]>, keyOf = (name: string): string => name): Field[] => {
  const fields = new Map<string, { name: string; values: string[] }>();
  for (const [name, value] of pairs) {
    const field = fields.get(keyOf(name));
    if (field === undefined) fields.set(keyOf(name), { name, values: [value] });
    else field.values.push(value);
  }
  return [...fields.values()];
};

const valueOf = (fields: readonly Field[], lowerName: string): string | undefined =>
  fields.find(({ name }) => name.toLowerCase() === lowerName)?.values.at(-1);

// Object.fromEntries defines properties where an assignment would run the setter of `__proto__`: such a name stays
// plain data, as it does when the Lambda runtime parses the event from JSON.
const lastValues = (fields: readonly Field[]): Record<string, string> =>
  Object.fromEntries(fields.map(({ name, values }) => [name, values.at(-1) ?? '']));

const allValues = (fields: readonly Field[]): Record<string, string[]> =>
  Object.fromEntries(fields.map(({ name, values }) => [name, [...values]]));

const requestContext = (
  request: HttpRequest,
  facts: GatewayFacts,
  path: string,
  userAgent: string | null,
): APIGatewayProxyEvent['requestContext'] => ({
  accountId: ACCOUNT_ID,
  apiId: API_ID,
  authorizer: undefined,
  domainName: facts.domainName,
  httpMethod: request.method,
  identity: { ...ANONYMOUS, sourceIp: request.sourceIp, userAgent },
  // No stage in front: the local gateway is like a custom domain name, whose addresses carry none.
  path,
  protocol: `HTTP/${request.httpVersion}`,
  requestId: facts.requestId,
  requestTime: commonLogTime(facts.receivedAtMs),
  requestTimeEpoch: facts.receivedAtMs,
  resourceId: STAGE,
  resourcePath: facts.resource,
  stage: STAGE,
});

const ANONYMOUS: Omit<APIGatewayEventIdentity, 'sourceIp' | 'userAgent'> = {
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

/** A time in the Common Log Format, such as `20/Nov/2026:09:05:00 +0000`. */
const commonLogTime = (timeMs: number): string => {
  const [, day, month, year, time] = new Date(timeMs).toUTCString().split(' ');
  return `${day}/${month}/${year}:${time} +0000`;
};

// Fatal: replaced bytes would reach the function as if the client had sent U+FFFD. The byte order mark is kept
// because it is the client's and the function's to judge.
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const encodeBody = (bytes: Uint8Array): Pick<APIGatewayProxyEvent, 'body' | 'isBase64Encoded'> => {
  if (bytes.length === 0) return { body: null, isBase64Encoded: false };
  try {
    return { body: UTF8.decode(bytes), isBase64Encoded: false };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return { body: Buffer.from(bytes).toString('base64'), isBase64Encoded: true };
  }
};
