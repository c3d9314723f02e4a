import { describe, expect, it } from 'vitest';
import { API_ERRORS, ApiError, type ApiErrorKind } from '../../../lib/http/errors.ts';

/** The document's four rows, word for word (section "Errors"). */
const OF_THE_DOCUMENT = [
  [400, 'INVALID_PRODUCT', 'The product is not available or does not belong to this store'],
  [401, 'INVALID_API_KEY', 'Invalid or missing API key'],
  [422, 'VALIDATION_ERROR', 'The payload format is invalid'],
  [429, 'RATE_LIMITED', 'Too many requests. Please retry later.'],
] as const;

/** What a client may build on: changing a row breaks it. */
const ALL: Record<ApiErrorKind, readonly [number, string, string]> = {
  invalidProduct: OF_THE_DOCUMENT[0],
  invalidApiKey: OF_THE_DOCUMENT[1],
  invalidPayload: OF_THE_DOCUMENT[2],
  rateLimited: OF_THE_DOCUMENT[3],
  cartNotFound: [404, 'INVALID_PRODUCT', 'The cart does not exist or does not belong to this store'],
  idempotencyKeyReused: [
    422,
    'IDEMPOTENCY_KEY_REUSED',
    'The idempotency key was already used with another payload',
  ],
  internal: [500, 'INTERNAL_ERROR', 'An internal error occurred'],
  serviceUnavailable: [
    503,
    'SERVICE_UNAVAILABLE',
    'The service is temporarily unavailable. Please retry later.',
  ],
  malformedRequest: [400, 'MALFORMED_REQUEST', 'The HTTP request is malformed'],
  requestTimeout: [408, 'MALFORMED_REQUEST', 'The HTTP request did not end in time'],
  headersTooLarge: [431, 'MALFORMED_REQUEST', 'The HTTP headers are too large'],
  forbidden: [403, 'FORBIDDEN', 'The request was refused'],
  routeNotFound: [404, 'NOT_FOUND', 'The requested route does not exist'],
  payloadTooLarge: [413, 'PAYLOAD_TOO_LARGE', 'The payload is too large'],
  integrationTimeout: [504, 'TIMEOUT', 'The service did not answer in time'],
};

describe('the errors of this API', () => {
  it.each(Object.entries(ALL))('have one status, code and text each: %s', (kind, [status, code, message]) => {
    expect(API_ERRORS[kind as ApiErrorKind]).toStrictEqual({ status, code, message });
  });

  it('are these and no others', () => {
    expect(Object.keys(API_ERRORS).toSorted()).toStrictEqual(Object.keys(ALL).toSorted());
  });
});

describe('a refusal', () => {
  it('carries its kind and its public text, and the invalid fields if there are any', () => {
    const details = [{ path: 'email', message: 'Invalid email address' }];
    expect(new ApiError('invalidPayload', details)).toMatchObject({
      name: 'ApiError',
      kind: 'invalidPayload',
      message: 'The payload format is invalid',
      details,
    });
    expect(new ApiError('invalidProduct').details).toBeUndefined();
  });
});
