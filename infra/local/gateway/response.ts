import { validateHeaderName, validateHeaderValue, type ServerResponse } from 'node:http';
import type { ApiErrorShape } from '../../../lib/http/errors.ts';

/** An HTTP answer, ready to be written. */
export interface ApiResponse {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
}

// The gateway sets these itself, from the body and the state of the connection.
const GATEWAY_HEADERS = new Set(['connection', 'content-length', 'keep-alive', 'transfer-encoding']);

/** The answer that the gateway itself gives, as the deployed gateway's responses are configured to. */
export const errorResponse = (shape: ApiErrorShape, requestId: string): ApiResponse => ({
  status: shape.status,
  headers: [
    ['Content-Type', 'application/json'],
    ['X-Request-Id', requestId],
  ],
  body: Buffer.from(JSON.stringify({ code: shape.code, message: shape.message })),
});

/**
 * The answer that a function's result stands for, or undefined when API Gateway would call the result malformed.
 * Source: API Gateway, "Output format of a Lambda function for proxy integration": where a name is in both header
 * maps the multi-value one wins, and the content type is JSON unless the function says otherwise.
 *
 * @param result what the function returned; nothing about it is trusted, whatever its declared type
 */
export const functionResponse = (result: unknown): ApiResponse | undefined => {
  if (!isRecord(result)) return undefined;
  const { statusCode, isBase64Encoded } = result;
  const body = result['body'] ?? '';
  if (!isStatus(statusCode) || typeof body !== 'string') return undefined;

  const headers = functionHeaders(result['headers'], result['multiValueHeaders']);
  if (headers === undefined) return undefined;
  return {
    status: statusCode,
    headers,
    body: Buffer.from(body, isBase64Encoded === true ? 'base64' : 'utf8'),
  };
};

/**
 * Writes an answer. Its length is always announced, also to `HEAD`, except where HTTP forbids it (204, 304).
 *
 * @param closes whether to tell the client that the connection ends here
 */
export const writeResponse = (response: ServerResponse, answer: ApiResponse, closes: boolean): void => {
  const hasLength = answer.status !== 204 && answer.status !== 304;
  const headers = [
    ...answer.headers,
    ...(hasLength ? [['Content-Length', String(answer.body.length)] as const] : []),
    ...(closes ? [['Connection', 'close'] as const] : []),
  ];
  response.writeHead(answer.status, headers.flat());
  response.end(hasLength ? answer.body : undefined);
};

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isStatus = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 200 && value <= 599;

const functionHeaders = (single: unknown, multiple: unknown): [string, string][] | undefined => {
  if (!isRecord(single ?? {}) || !isRecord(multiple ?? {})) return undefined;
  const byName = new Map<string, [string, string][]>([
    ['content-type', [['Content-Type', 'application/json']]],
  ]);
  try {
    for (const [name, value] of Object.entries(single ?? {})) {
      if (value !== undefined) byName.set(name.toLowerCase(), [headerField(name, value)]);
    }
    for (const [name, values] of Object.entries(multiple ?? {})) {
      if (!Array.isArray(values)) return undefined;
      byName.set(
        name.toLowerCase(),
        values.map((value: unknown) => headerField(name, value)),
      );
    }
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
  return [...byName].flatMap(([lowerName, fields]) => (GATEWAY_HEADERS.has(lowerName) ? [] : fields));
};

/** @throws TypeError when HTTP forbids the name or the value */
const headerField = (name: string, value: unknown): [string, string] => {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') {
    throw new TypeError('A header is a string, a number or a boolean');
  }
  validateHeaderName(name);
  validateHeaderValue(name, String(value));
  return [name, String(value)];
};
