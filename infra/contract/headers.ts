import type { Json } from './json-schema.ts';

/** Every header of an answer beside those of HTTP itself. */
const HEADERS = {
  'X-RateLimit-Limit': {
    description: 'Maximum requests allowed in the applied window',
    schema: { type: 'integer', minimum: 1 },
    example: 60,
  },
  'X-RateLimit-Remaining': {
    description: 'Requests left in the current window',
    schema: { type: 'integer', minimum: 0 },
    example: 59,
  },
  'X-RateLimit-Reset': {
    description: 'Time of window reset, Unix timestamp in seconds',
    schema: { type: 'integer', format: 'int64', minimum: 0 },
    example: 1_795_174_438,
  },
  'Retry-After': {
    description: 'Seconds to wait before a new request; sent on 429. Sent on 503 too.',
    schema: { type: 'integer', minimum: 1 },
    example: 1,
  },
  'X-Request-Id': {
    description: 'Names this request in the logs of the service',
    schema: { type: 'string', minLength: 1 },
    example: '3268a0ca-a685-4cf5-becc-6176c4a0cf91',
    'x-extension': true,
  },
  'Cache-Control': {
    description: 'ApiResponses hold personal data and a status that changes',
    schema: { type: 'string', const: 'no-store' },
    example: 'no-store',
    'x-extension': true,
  },
  'WWW-Authenticate': {
    description: 'Behind API Gateway the header is named `X-Amzn-Remapped-WWW-Authenticate`.',
    schema: { type: 'string', const: 'Bearer' },
    example: 'Bearer',
    'x-extension': true,
  },
  'Idempotent-Replayed': {
    description: 'Sent if the cart is that of an earlier request with the same `Idempotency-Key`',
    schema: { type: 'string', const: 'true' },
    example: 'true',
    'x-extension': true,
  },
} as const;

/** The name of a header of an answer. */
export type HeaderName = keyof typeof HEADERS;

/** On every answer that a function gives. */
export const SERVICE_HEADERS = ['X-Request-Id', 'Cache-Control'] as const satisfies readonly HeaderName[];

/** On every answer to an authenticated request. */
export const RATE_LIMIT_HEADERS = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
] as const satisfies readonly HeaderName[];

/** The headers of an answer, by whether each of these answers has them. */
export const headersOf = (required: readonly HeaderName[], optional: readonly HeaderName[] = []): Json =>
  Object.fromEntries([
    ...required.map((name) => [name, { required: true, ...HEADERS[name] }]),
    ...optional.map((name) => [name, { required: false, ...HEADERS[name] }]),
  ]) as Json;
