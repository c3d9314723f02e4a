import { validateHeaderValue, type ServerResponse } from 'node:http';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { ERRORS_PATH } from '../../../functions/operations.ts';
import { type ApiErrorShape, helpLink } from '../../../lib/http/errors.ts';
import { gatewayErrorBody } from '../../contract/gateway-error.ts';

/** An HTTP response, ready to be written. */
export interface ApiResponse {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string | Buffer;
}

/** An error response of the gateway, in the shape that `infra/stack/gateway/gateway-responses.ts` configures. */
export const errorResponse = (error: ApiErrorShape, requestId: string, baseUrl: string): ApiResponse => ({
  status: error.status,
  headers: [
    ['Content-Type', 'application/json'],
    ['X-Request-Id', requestId],
    ['Link', helpLink(`${baseUrl}${ERRORS_PATH}`, error.code)],
  ],
  body: gatewayErrorBody(error),
});

/**
 * The response for a function's result. As with API Gateway, the content type is JSON unless the function sets it.
 *
 * @throws TypeError if there is no result, if its body is not a string, or if HTTP forbids a header's value
 */
export const functionResponse = (result: APIGatewayProxyResult): ApiResponse => {
  const { statusCode, headers = {}, body, isBase64Encoded = false } = result;
  if (typeof body !== 'string') throw new TypeError('The body of the result is not a string');
  const own = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
  for (const [name, value] of own) validateHeaderValue(name, value);
  return {
    status: statusCode,
    headers: [...new Map([['Content-Type', 'application/json'], ...own])],
    // Node writes the head and a text at once, but a head and bytes in two parts.
    body: isBase64Encoded ? Buffer.from(body, 'base64') : body,
  };
};

/** Writes a response. If two headers have the same name, it sends the last one. */
export const writeResponse = (
  response: ServerResponse,
  { status, headers, body }: ApiResponse,
  closes: boolean,
): void => {
  response.statusCode = status;
  for (const [name, value] of headers) response.setHeader(name, value);
  if (closes) response.setHeader('Connection', 'close');
  response.end(body);
};
