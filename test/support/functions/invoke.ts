import { randomUUID } from 'node:crypto';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { OPERATIONS, type OperationName } from '../../../functions/operations.ts';
import { toGatewayEvent } from '../../../infra/local/gateway/gateway-event.ts';
import { createLambdaContext } from '../../../infra/local/gateway/invocation.ts';
import { FUNCTION_TIMEOUT_MS } from '../../../infra/stage/function-limits.ts';
import type { Clock } from '../../../lib/core/clock.ts';
import type { ProxyFunction } from '../../../lib/http/pipeline.ts';

/** The parts of a request that differ from operation to operation. */
export interface OperationRequest {
  /** The values of the path's parameters, decoded. */
  readonly pathParameters?: Readonly<Record<string, string>>;
  /** The query parameters, decoded. */
  readonly query?: Readonly<Record<string, string>>;
  /** The query as it is sent, instead of `query`. */
  readonly rawQuery?: string;
  /** The headers; one with the value `undefined` is not sent. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: string | Uint8Array;
}

/** A response as API Gateway sends it: header names in lower case. */
export interface InvokedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly bodyText: string;
}

/** The request target of an operation: its path with the parameters filled in, and the query. */
export const targetOf = (
  name: OperationName,
  { pathParameters = {}, query = {}, rawQuery }: OperationRequest,
): string => {
  const path = OPERATIONS[name].path.replaceAll(/\{(\w+)\}/g, (_, parameter: string) =>
    encodeURIComponent(pathParameters[parameter] ?? ''),
  );
  const search = rawQuery ?? new URLSearchParams(query).toString();
  return search === '' ? path : `${path}?${search}`;
};

/** The event that API Gateway makes of a request to an operation. */
export const eventOf = (name: OperationName, request: OperationRequest, now: Clock): APIGatewayProxyEvent => {
  const { method, path } = OPERATIONS[name];
  const { pathParameters = {}, headers = {}, body = '' } = request;
  const sent = Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return toGatewayEvent(
    {
      method,
      target: targetOf(name, request),
      rawHeaders: sent.flat(),
      body: Buffer.from(body),
      sourceIp: '127.0.0.1',
    },
    {
      resource: path,
      pathParameters: new Map(Object.entries(pathParameters)),
      requestId: randomUUID(),
      receivedAtMs: now(),
    },
  );
};

/** Invokes an operation's function with the event that API Gateway makes of the request. */
export const invoke = async (
  handler: ProxyFunction,
  name: OperationName,
  request: OperationRequest,
  now: Clock,
): Promise<InvokedResponse> => {
  const context = createLambdaContext({
    functionName: OPERATIONS[name].functionName,
    awsRequestId: randomUUID(),
    timeoutMs: FUNCTION_TIMEOUT_MS,
    now,
  });
  const result = await handler(eventOf(name, request, now), context);
  return {
    status: result.statusCode,
    headers: Object.fromEntries(
      Object.entries(result.headers ?? {}).map(([header, value]) => [header.toLowerCase(), String(value)]),
    ),
    bodyText: result.body,
  };
};
