import { expect } from 'vitest';
import type { ApiResponse } from './client.ts';

/** The rejections of `docs/contract.md, "Errors"`, word for word. */
export const REJECTIONS = {
  invalidProduct: {
    status: 400,
    code: 'INVALID_PRODUCT',
    message: 'The product is not available or does not belong to this store',
  },
  invalidApiKey: { status: 401, code: 'INVALID_API_KEY', message: 'Invalid or missing API key' },
  cartNotFound: {
    status: 404,
    code: 'INVALID_PRODUCT',
    message: 'The cart does not exist or does not belong to this store',
  },
  productNotFound: {
    status: 404,
    code: 'INVALID_PRODUCT',
    message: 'The product does not exist or does not belong to this store',
  },
  rateLimited: { status: 429, code: 'RATE_LIMITED', message: 'Too many requests. Please retry later.' },
} as const;

export const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;
/** RFC 3339, in UTC. */
export const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;
/** language-REGION */
export const LOCALE = /^[a-z]{2,3}-(?:[A-Z]{2}|\d{3})$/;

const RATE_LIMIT_HEADERS = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'] as const;

/** When the stage responded, in Unix seconds, by its own clock. */
export const respondedAtSeconds = ({ headers }: ApiResponse): number =>
  headers['date'] === undefined ? Date.now() / 1_000 : Date.parse(headers['date']) / 1_000;

/** The key's bucket, from the response's headers. */
export const rateLimitOf = ({
  headers,
}: ApiResponse): { limit: number; remaining: number; reset: number } => {
  const [limit, remaining, reset] = RATE_LIMIT_HEADERS.map((name) => Number(headers[name]));
  return { limit: limit ?? NaN, remaining: remaining ?? NaN, reset: reset ?? NaN };
};

const expectRateLimitHeaders = (response: ApiResponse): void => {
  for (const name of RATE_LIMIT_HEADERS) expect(response.headers[name], name).toMatch(/^\d+$/);
  const { limit, remaining, reset } = rateLimitOf(response);
  expect(limit).toBeGreaterThanOrEqual(1);
  expect(remaining).toBeLessThan(limit);
  // In seconds, not milliseconds: not in the past, and within a day. The clocks of gateway and function may differ.
  expect(reset).toBeGreaterThanOrEqual(respondedAtSeconds(response) - 5);
  expect(reset).toBeLessThan(respondedAtSeconds(response) + 86_400);
};

/** Expects JSON with this status and without CORS headers. */
export const expectJson = ({ status, headers, bodyText }: ApiResponse, expected: number): void => {
  expect(status, bodyText).toBe(expected);
  expect(headers['content-type']).toBe('application/json');
  expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toStrictEqual([]);
};

/** Expects a function's response with this status and every header that belongs to it. */
export const expectResponse = (response: ApiResponse, status: number): void => {
  expectJson(response, status);
  const { headers } = response;
  expect(headers['cache-control']).toBe('no-store');
  expect(headers['x-request-id']).toMatch(/^\S+$/);
  if (status === 401) {
    for (const name of RATE_LIMIT_HEADERS) expect(headers).not.toHaveProperty(name);
    // API Gateway renames the header.
    expect(headers['www-authenticate'] ?? headers['x-amzn-remapped-www-authenticate']).toBe('Bearer');
  } else {
    expectRateLimitHeaders(response);
  }
  if (status < 400) expect(headers).not.toHaveProperty('link');
  if (status === 429) expect(headers['retry-after']).toMatch(/^[1-9]\d*$/);
  else expect(headers).not.toHaveProperty('retry-after');
  if (status !== 201) expect(headers).not.toHaveProperty('idempotent-replayed');
};

/** Expects a link to the part of a page that explains the code of an error. */
export const expectHelpLink = ({ headers, body }: ApiResponse): void => {
  const code = String(body['code']);
  expect(headers['link']).toMatch(new RegExp(`^<https?://[^<>]+/errors#${code}>; rel="help"$`));
};

/** Expects 1 to 20 objects with a path and a message, as the `details` of an error. */
function assertDetails(details: unknown): asserts details is { path: string; message: string }[] {
  const issue = { path: expect.any(String) as string, message: expect.stringMatching(/./) as string };
  const issues = Array.isArray(details) ? (details as unknown[]) : [];
  expect(issues.length).toBeGreaterThanOrEqual(1);
  expect(issues.length).toBeLessThanOrEqual(20);
  for (const each of issues) expect(each).toStrictEqual(issue);
}

/** Expects a rejection with its exact code and message. It may have details. */
export const expectRejection = (response: ApiResponse, kind: keyof typeof REJECTIONS): void => {
  const { status, code, message } = REJECTIONS[kind];
  expectResponse(response, status);
  const { details, ...body } = response.body;
  expect(body).toStrictEqual({ code, message });
  if (details !== undefined) assertDetails(details);
  expectHelpLink(response);
};

/** Expects 422 `VALIDATION_ERROR`; returns the paths of its validation issues. */
export const expectInvalid = (response: ApiResponse): string[] => {
  expectResponse(response, 422);
  expectHelpLink(response);
  const { details, ...body } = response.body;
  expect(body).toStrictEqual({ code: 'VALIDATION_ERROR', message: 'The payload format is invalid' });
  assertDetails(details);
  return details.map(({ path }) => path);
};

/** Expects responses with the same body, byte for byte. */
export const expectSameBytes = (responses: readonly ApiResponse[]): void => {
  expect(responses.length).toBeGreaterThan(1);
  expect(new Set(responses.map(({ bodyText }) => bodyText)).size).toBe(1);
};
