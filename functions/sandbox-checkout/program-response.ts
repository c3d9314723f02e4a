import type { APIGatewayProxyResult } from 'aws-lambda';
import type { ReceivedRequest } from '../../lib/http/received-request.ts';
import { CHECKOUT_HEADERS } from './page/page-response.ts';

/**
 * Whether a client is a program, such as curl, and not a browser. A browser names `text/html` in `Accept` when it opens a page or
 * sends a form (https://fetch.spec.whatwg.org/#document-accept-header-value).
 */
export const isProgram = ({ headers }: Pick<ReceivedRequest, 'headers'>): boolean =>
  !/\btext\/html\b/i.test(headers['accept'] ?? '');

const TEXT = { 'Content-Type': 'text/plain; charset=utf-8' };

/** A response for a program, in English. */
export const textResponse = (
  statusCode: number,
  lines: readonly string[],
  headers: Record<string, string> = {},
): APIGatewayProxyResult => ({
  statusCode,
  headers: { ...CHECKOUT_HEADERS, ...TEXT, ...headers },
  body: lines.map((line) => `${line}\n`).join(''),
});

/** A redirect after a form (RFC 9110, 15.4.4). Only a program reads its lines. */
export const seeOther = (location: string, lines: readonly string[]): APIGatewayProxyResult =>
  textResponse(303, lines, { Location: location });
