import { expect } from 'vitest';
import { API_ERRORS, type ApiErrorKind } from '../../lib/http/errors.ts';
import type { ApiResponse } from './service.ts';

const RATE_LIMIT_HEADERS = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];

/** Expects the three `X-RateLimit-*` headers, each an integer. */
export const expectRateLimitHeaders = ({ headers }: ApiResponse): void => {
  for (const name of RATE_LIMIT_HEADERS) expect(headers[name], name).toMatch(/^\d+$/);
};

/** Expects an error's exact status, code and message, and the headers that go with it. */
export const expectError = (answer: ApiResponse, kind: ApiErrorKind): void => {
  const { status, code, message } = API_ERRORS[kind];
  expect({ status: answer.status, ...answer.body }).toMatchObject({ status, code, message });
  expect(answer.headers['content-type']).toBe('application/json');
  expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  if (kind === 'invalidApiKey') {
    for (const name of RATE_LIMIT_HEADERS) expect(answer.headers).not.toHaveProperty(name);
    expect(answer.headers['www-authenticate']).toBe('Bearer');
  } else if (status < 500) {
    expectRateLimitHeaders(answer);
  }
  if (kind === 'rateLimited' || kind === 'serviceUnavailable') {
    expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1);
  } else {
    expect(answer.headers).not.toHaveProperty('retry-after');
  }
};
