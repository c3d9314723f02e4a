import { expect } from 'vitest';
import type { ApiResponse } from './client.ts';

/** The refusals of the document ("Errors") and of the table of decisions, word for word. */
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
  rateLimited: { status: 429, code: 'RATE_LIMITED', message: 'Too many requests. Please retry later.' },
} as const;

export const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;
/** RFC 3339, in UTC. */
export const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;
/** language-REGION */
export const LOCALE = /^[a-z]{2,3}-(?:[A-Z]{2}|\d{3})$/;

const RATE_LIMIT_HEADERS = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'] as const;

/** When the stage answered, in Unix seconds, by its own clock. */
export const answeredAtSeconds = ({ headers }: ApiResponse): number =>
  headers['date'] === undefined ? Date.now() / 1_000 : Date.parse(headers['date']) / 1_000;

/** What the headers tell of the key's bucket. */
export const rateLimitOf = ({
  headers,
}: ApiResponse): { limit: number; remaining: number; reset: number } => {
  const [limit, remaining, reset] = RATE_LIMIT_HEADERS.map((name) => Number(headers[name]));
  return { limit: limit ?? NaN, remaining: remaining ?? NaN, reset: reset ?? NaN };
};

const expectRateLimitHeaders = (answer: ApiResponse): void => {
  for (const name of RATE_LIMIT_HEADERS) expect(answer.headers[name], name).toMatch(/^\d+$/);
  const { limit, remaining, reset } = rateLimitOf(answer);
  expect(limit).toBeGreaterThanOrEqual(1);
  expect(remaining).toBeLessThan(limit);
  // In seconds, not milliseconds: not before now, and within a day. Gateway and function may differ by seconds.
  expect(reset).toBeGreaterThanOrEqual(answeredAtSeconds(answer) - 5);
  expect(reset).toBeLessThan(answeredAtSeconds(answer) + 86_400);
};

/** Expects JSON of this status, for no browser. */
export const expectJson = ({ status, headers, bodyText }: ApiResponse, expected: number): void => {
  expect(status, bodyText).toBe(expected);
  expect(headers['content-type']).toBe('application/json');
  expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toStrictEqual([]);
};

/** Expects the status, and every header that goes with it, of an answer that a function gave. */
export const expectResponse = (answer: ApiResponse, status: number): void => {
  expectJson(answer, status);
  const { headers } = answer;
  expect(headers['cache-control']).toBe('no-store');
  expect(headers['x-request-id']).toMatch(/^\S+$/);
  if (status === 401) {
    for (const name of RATE_LIMIT_HEADERS) expect(headers).not.toHaveProperty(name);
    // API Gateway gives the header another name.
    expect(headers['www-authenticate'] ?? headers['x-amzn-remapped-www-authenticate']).toBe('Bearer');
  } else {
    expectRateLimitHeaders(answer);
  }
  if (status === 429) expect(headers['retry-after']).toMatch(/^[1-9]\d*$/);
  else expect(headers).not.toHaveProperty('retry-after');
  if (status !== 201) expect(headers).not.toHaveProperty('idempotent-replayed');
};

/** Expects a refusal, with its exact code and text and nothing else. */
export const expectRejection = (answer: ApiResponse, kind: keyof typeof REJECTIONS): void => {
  const { status, code, message } = REJECTIONS[kind];
  expectResponse(answer, status);
  expect(answer.body).toStrictEqual({ code, message });
};

/** Expects 422 `VALIDATION_ERROR`; returns the paths that its details name, which tell what is wrong, not the value. */
export const expectInvalid = (answer: ApiResponse): string[] => {
  expectResponse(answer, 422);
  const { details, ...body } = answer.body;
  expect(body).toStrictEqual({ code: 'VALIDATION_ERROR', message: 'The payload format is invalid' });
  const faults = details as { path: string; message: string }[];
  expect(faults.length).toBeGreaterThanOrEqual(1);
  expect(faults.length).toBeLessThanOrEqual(20);
  for (const fault of faults) {
    expect(fault).toStrictEqual({ path: expect.any(String), message: expect.stringMatching(/./) });
  }
  return faults.map(({ path }) => path);
};

/** Expects answers that cannot be told apart: one body, byte for byte. */
export const expectSameBytes = (answers: readonly ApiResponse[]): void => {
  expect(answers.length).toBeGreaterThan(1);
  expect(new Set(answers.map(({ bodyText }) => bodyText)).size).toBe(1);
};
