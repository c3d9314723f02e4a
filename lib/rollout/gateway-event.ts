import { randomUUID } from 'node:crypto';
import type { APIGatewayEventIdentity, APIGatewayProxyEvent } from 'aws-lambda';

/** A request to one operation of the API. */
export interface GatewayRequest {
  readonly method: 'GET' | 'POST';
  /** The path of its route, such as `/carts/{cartId}`. */
  readonly resource: string;
  readonly pathParameters?: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** An address for documentation (RFC 5737): the check has no client. */
const SOURCE_IP = '192.0.2.1';

const USER_AGENT = 'cart-checkout';

/** The identity of a request that no IAM signature, API key of the gateway or client certificate identifies. */
export const ANONYMOUS_IDENTITY: Omit<APIGatewayEventIdentity, 'sourceIp' | 'userAgent'> = {
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

/** The Lambda proxy event (payload format 1.0) that an API Gateway REST API makes of a request. */
export const gatewayEvent = (
  { method, resource, pathParameters, headers: sent, body }: GatewayRequest,
  nowMs: number,
): APIGatewayProxyEvent => {
  const path = resource.replaceAll(/\{(\w+)\}/g, (_, name: string) => pathParameters?.[name] ?? '');
  const headers = { ...sent, 'User-Agent': USER_AGENT, 'X-Forwarded-For': SOURCE_IP };
  return {
    resource,
    path,
    httpMethod: method,
    headers,
    multiValueHeaders: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
    queryStringParameters: null,
    multiValueQueryStringParameters: null,
    pathParameters: pathParameters ?? null,
    stageVariables: null,
    requestContext: {
      accountId: '',
      apiId: '',
      authorizer: undefined,
      httpMethod: method,
      identity: { ...ANONYMOUS_IDENTITY, sourceIp: SOURCE_IP, userAgent: USER_AGENT },
      path,
      protocol: 'HTTP/1.1',
      requestId: randomUUID(),
      requestTimeEpoch: nowMs,
      resourceId: '',
      resourcePath: resource,
      stage: '',
    },
    body: body ?? null,
    isBase64Encoded: false,
  };
};
