import { API_ERRORS, type ApiErrorKind } from '../../lib/http/errors.ts';
import { CREATED_EXAMPLES, DETAILS_EXAMPLE, RETRIEVED_EXAMPLES } from './examples.ts';
import { type HeaderName, headersOf, RATE_LIMIT_HEADERS, SERVICE_HEADERS } from './headers.ts';
import { type Json, schemaReference } from './json-schema.ts';
import { DETAILS } from './response-schemas.ts';

/** Whether a function gives an error, the gateway before any function runs, or either. */
type SentBy = 'service' | 'gateway' | 'either';

interface ErrorCause {
  readonly sentBy: SentBy;
  /** When it is answered; the document's own words where it has some. */
  readonly condition: string;
  /** The document does not know the error. */
  readonly isExtension: boolean;
}

const cause = (sentBy: SentBy, condition: string): ErrorCause => ({
  sentBy,
  condition,
  isExtension: false,
});
const extension = (sentBy: SentBy, condition: string): ErrorCause => ({
  sentBy,
  condition,
  isExtension: true,
});

/** Every error of the operations. `routeNotFound` is of no operation: it answers for addresses beside them. */
const CAUSES: Readonly<Record<Exclude<ApiErrorKind, 'routeNotFound'>, ErrorCause>> = {
  invalidProduct: cause('service', 'The product is unavailable or does not belong to this store'),
  invalidApiKey: cause('service', 'API key invalid or missing'),
  cartNotFound: cause('service', 'No cart has the id, or it is of another store or mode'),
  invalidPayload: cause('service', 'The payload format is invalid'),
  rateLimited: cause('either', 'Too many requests'),
  idempotencyKeyReused: extension('service', 'The key came before, with another request'),
  malformedRequest: extension('gateway', 'What came is no HTTP request'),
  forbidden: extension('gateway', 'The firewall refused the request'),
  requestTimeout: extension('gateway', 'The request did not end in time'),
  payloadTooLarge: extension('gateway', 'The body has more than 10 MB'),
  headersTooLarge: extension('gateway', 'The headers are too large'),
  internal: extension('either', 'Something unforeseen happened'),
  serviceUnavailable: extension('either', 'The database is slow or down'),
  integrationTimeout: extension('gateway', 'No answer came in time'),
};

type ErrorKind = keyof typeof CAUSES;

/** What every operation may answer. */
const COMMON_ERRORS = [
  'malformedRequest',
  'invalidApiKey',
  'forbidden',
  'requestTimeout',
  'payloadTooLarge',
  'rateLimited',
  'headersTooLarge',
  'internal',
  'serviceUnavailable',
  'integrationTimeout',
] as const satisfies readonly ErrorKind[];

const errorExample = (kind: ErrorKind): [code: string, example: Json] => {
  const { code, message } = API_ERRORS[kind];
  const { sentBy, condition, isExtension } = CAUSES[kind];
  const details = kind === 'invalidPayload' ? { details: DETAILS_EXAMPLE } : {};
  const marks = { 'x-answered-by': sentBy, ...(isExtension && { 'x-extension': true }) };
  return [code, { summary: condition, value: { code, message, ...details }, ...marks }];
};

/** The document's schema, with the codes that a status has. */
const errorSchema = (kinds: readonly ErrorKind[]): Json => {
  const properties = {
    code: { type: 'string', enum: kinds.map((kind) => API_ERRORS[kind].code) },
    ...(kinds.includes('invalidPayload') && { details: DETAILS }),
  };
  return { allOf: [schemaReference('ErrorResponse'), { type: 'object', properties }] };
};

/** A header is required if whoever gives an answer of this status sends it. */
const errorHeaders = (status: number, kinds: readonly ErrorKind[]): Json => {
  const always: readonly HeaderName[] = [
    ...(status === 401 ? (['WWW-Authenticate'] as const) : []),
    ...(status === 429 || status === 503 ? (['Retry-After'] as const) : []),
  ];
  const byService: readonly HeaderName[] = [
    ...SERVICE_HEADERS,
    ...(status === 401 ? [] : RATE_LIMIT_HEADERS),
  ];
  const answerers = new Set(kinds.map((kind) => CAUSES[kind].sentBy));
  if (answerers.has('gateway') && answerers.size === 1) return headersOf(always, ['X-Request-Id']);
  return answerers.has('service') && answerers.size === 1
    ? headersOf([...always, ...byService])
    : headersOf(always, byService);
};

const errorResponse = (
  status: number,
  kinds: readonly ErrorKind[],
  description: string | undefined,
): Json => ({
  description: description ?? `ErrorResponse, ${kinds.map((kind) => CAUSES[kind].condition).join('; ')}.`,
  headers: errorHeaders(status, kinds),
  content: {
    'application/json': {
      schema: errorSchema(kinds),
      examples: Object.fromEntries(kinds.map(errorExample)) as Json,
    },
  },
  ...(kinds.every((kind) => CAUSES[kind].isExtension) && { 'x-extension': true }),
});

/** The answers to errors, by status. */
const errorResponses = (
  kinds: readonly ErrorKind[],
  descriptions: Readonly<Record<number, string>>,
): Json => {
  const byStatus = Map.groupBy(kinds, (kind) => API_ERRORS[kind].status);
  return Object.fromEntries(
    [...byStatus]
      .toSorted(([left], [right]) => left - right)
      .map(([status, group]) => [String(status), errorResponse(status, group, descriptions[status])]),
  );
};

const success = (description: string, schemaName: string, examples: Json, headers: Json): Json => ({
  description,
  headers,
  content: { 'application/json': { schema: schemaReference(schemaName), examples } },
});

const ADMITTED_HEADERS = [...SERVICE_HEADERS, ...RATE_LIMIT_HEADERS] as const;

/** Everything that an operation answers, by operation and status. */
export const RESPONSES: Readonly<Record<'createCartCheckout' | 'getCart', Json>> = {
  createCartCheckout: {
    '201': success(
      'CreateCartCheckoutResponse. Carries the rate-limit headers.',
      'CreateCartCheckoutResponse',
      CREATED_EXAMPLES,
      headersOf(ADMITTED_HEADERS, ['Idempotent-Replayed']),
    ),
    ...errorResponses([...COMMON_ERRORS, 'invalidProduct', 'invalidPayload', 'idempotencyKeyReused'], {
      400: 'ErrorResponse, product invalid or unavailable. Carries the rate-limit headers.',
      401: 'ErrorResponse, API key invalid or missing.',
      422: 'ErrorResponse, validation error. Carries the rate-limit headers.',
      429: 'ErrorResponse, rate limit exceeded. Carries the rate-limit headers and Retry-After.',
    }),
  },
  getCart: {
    '200': success(
      'The cart as described under retrieval. Carries the rate-limit headers.',
      'RetrievedCart',
      RETRIEVED_EXAMPLES,
      headersOf(ADMITTED_HEADERS),
    ),
    ...errorResponses([...COMMON_ERRORS, 'cartNotFound'], {
      401: 'ErrorResponse, API key invalid or missing.',
      404: "ErrorResponse, the cart does not exist or does not belong to this store: a malformed id, another store's cart and a cart of the other mode answer the same. Carries the rate-limit headers.",
      429: 'ErrorResponse, rate limit exceeded. Carries the rate-limit headers and Retry-After.',
    }),
  },
};
