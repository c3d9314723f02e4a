import type { Json } from './json-schema.ts';

/** The headers that more than one operation returns, except those of HTTP itself. */
const HEADERS = {
  'X-RateLimit-Limit': {
    description: 'Maximum requests allowed in the applied window',
    schema: { type: 'integer', minimum: 1 },
    example: 600,
  },
  'X-RateLimit-Remaining': {
    description: 'Requests left in the current window',
    schema: { type: 'integer', minimum: 0 },
    example: 599,
  },
  'X-RateLimit-Reset': {
    description: 'Time of window reset, Unix timestamp in seconds',
    schema: { type: 'integer', format: 'int64', minimum: 0 },
    example: 1_795_174_438,
  },
  'Retry-After': {
    description: 'Seconds to wait before a new request; sent on 429 and 503',
    schema: { type: 'integer', minimum: 1 },
    example: 1,
  },
  'X-Request-Id': {
    description: 'Identifier of the request. Quote it when you report a problem.',
    schema: { type: 'string', minLength: 1 },
    example: '3268a0ca-a685-4cf5-becc-6176c4a0cf91',
  },
  'Cache-Control': {
    description: 'Do not store responses: they contain personal data.',
    schema: { type: 'string', const: 'no-store' },
    example: 'no-store',
  },
  Link: {
    description: 'Leads to the page about this error: its meaning, and what to do (RFC 8288)',
    schema: { type: 'string', pattern: '^<[^<>]+#[A-Z_]+>; rel="help"$' },
    example: '<https://api.example.com/errors#RATE_LIMITED>; rel="help"',
  },
  'WWW-Authenticate': {
    description: 'Sent on 401. A deployed stage names the header `X-Amzn-Remapped-WWW-Authenticate`.',
    schema: { type: 'string', const: 'Bearer' },
    example: 'Bearer',
  },
} as const;

type HeaderName = keyof typeof HEADERS;

const SERVICE_HEADERS = ['X-Request-Id', 'Cache-Control'] as const;

const RATE_LIMIT_HEADERS = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const;

const headersOf = (required: readonly HeaderName[], optional: readonly HeaderName[]): Json =>
  Object.fromEntries([
    ...required.map((name) => [name, { required: true, ...HEADERS[name] }]),
    ...optional.map((name) => [name, { required: false, ...HEADERS[name] }]),
  ]) as Json;

/** The headers of every success. */
export const SUCCESS_HEADERS = headersOf([...SERVICE_HEADERS, ...RATE_LIMIT_HEADERS], []);

/** The sender of an error: a function, the gateway before a function runs, or either. */
export type SentBy = 'service' | 'gateway' | 'either';

/**
 * The headers of an error response. A header is required if every sender of this status sends it. The gateway sends
 * neither rate limits nor `Cache-Control`.
 */
export const errorHeaders = (status: number, senders: ReadonlySet<SentBy>): Json => {
  const always: readonly HeaderName[] = [
    'Link',
    ...(status === 401 ? (['WWW-Authenticate'] as const) : []),
    ...(status === 429 || status === 503 ? (['Retry-After'] as const) : []),
  ];
  const byService: readonly HeaderName[] = [
    ...SERVICE_HEADERS,
    ...(status === 401 ? [] : RATE_LIMIT_HEADERS),
  ];
  if (senders.size > 1 || senders.has('either')) return headersOf(always, byService);
  return senders.has('service')
    ? headersOf([...always, ...byService], [])
    : headersOf(always, ['X-Request-Id']);
};
