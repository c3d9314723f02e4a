import { expect } from 'vitest';
import { API_ERRORS, type ApiErrorKind } from '../../../lib/http/errors.ts';
import type { ApiResponse } from './contract.ts';

const RATE_LIMIT_HEADERS = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];

/** Expects the three `X-RateLimit-*` headers, each an integer. */
export const expectRateLimitHeaders = ({ headers }: ApiResponse): void => {
  for (const name of RATE_LIMIT_HEADERS) expect(headers[name], name).toMatch(/^\d+$/);
};

/** The errors with details in some cases: the form of a key or id, the products of a store, and the fields of a first request. */
const MAY_HAVE_DETAILS: ReadonlySet<ApiErrorKind> = new Set([
  'idempotencyKeyReused',
  'productNotFound',
  'webhookEndpointNotFound',
  'webhookDeliveryNotFound',
  'invalidApiKey',
  'invalidProduct',
  'cartNotFound',
]);

/** Expects an error's exact status, code and message, and its headers. */
export const expectError = (response: ApiResponse, kind: ApiErrorKind): void => {
  const { status, code, message } = API_ERRORS[kind];
  expect(response).toMatchObject({ status });
  const hasDetails = kind === 'invalidPayload' || (MAY_HAVE_DETAILS.has(kind) && 'details' in response.body);
  const details = hasDetails && { details: expect.any(Array) as unknown };
  expect(response.body).toStrictEqual({ code, message, ...details });
  expect(response.headers['content-type']).toBe('application/json');
  expect(response.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  expect(response.headers['link']).toMatch(new RegExp(`^<https?://[^<>]+/errors#${code}>; rel="help"$`));
  if (kind === 'invalidApiKey') {
    for (const name of RATE_LIMIT_HEADERS) expect(response.headers).not.toHaveProperty(name);
    expect(response.headers['www-authenticate']).toBe('Bearer');
  } else if (status < 500) {
    expectRateLimitHeaders(response);
  }
  if (status === 429 || kind === 'serviceUnavailable') {
    expect(Number(response.headers['retry-after'])).toBeGreaterThanOrEqual(1);
  } else {
    expect(response.headers).not.toHaveProperty('retry-after');
  }
};
