import type { InvalidField } from '../requests/invalid-field.ts';

/** The public form of an error: its HTTP status and its `ErrorResponse` (`docs/contract.md`, "Errors"). */
export interface ApiErrorShape {
  readonly status: number;
  readonly code: string;
  readonly message: string;
}

/**
 * Every error of this API, with its status, code and message. The first four are those of the original contract, exactly
 * (`docs/contract.md`, "Errors"). The others are decisions (`docs/decisions.md`).
 */
export const API_ERRORS = {
  invalidProduct: {
    status: 400,
    code: 'INVALID_PRODUCT',
    message: 'The product is not available or does not belong to this store',
  },
  invalidApiKey: { status: 401, code: 'INVALID_API_KEY', message: 'Invalid or missing API key' },
  invalidPayload: { status: 422, code: 'VALIDATION_ERROR', message: 'The payload format is invalid' },
  rateLimited: { status: 429, code: 'RATE_LIMITED', message: 'Too many requests. Please retry later.' },
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
  cartCompleted: { status: 409, code: 'CART_COMPLETED', message: 'The cart is completed' },
  cartPaymentFailed: {
    status: 409,
    code: 'CART_PAYMENT_FAILED',
    message: 'A payment of the cart has failed, and the buyer can still pay',
  },
  idempotencyKeyReused: {
    status: 422,
    code: 'IDEMPOTENCY_KEY_REUSED',
    message: 'The idempotency key was already used with another payload',
  },
  webhookEndpointNotFound: {
    status: 404,
    code: 'WEBHOOK_ENDPOINT_NOT_FOUND',
    message: 'The webhook endpoint does not exist or does not belong to this store',
  },
  webhookDeliveryNotFound: {
    status: 404,
    code: 'WEBHOOK_DELIVERY_NOT_FOUND',
    message: 'The delivery does not exist or can no longer be sent again',
  },
  tooManyWebhookEndpoints: {
    status: 409,
    code: 'TOO_MANY_WEBHOOK_ENDPOINTS',
    message: 'The store has the maximum number of webhook endpoints in this mode',
  },
  webhookEndpointDisabled: {
    status: 409,
    code: 'WEBHOOK_ENDPOINT_DISABLED',
    message: 'The webhook endpoint is disabled',
  },
  webhookEndpointLocked: {
    status: 409,
    code: 'WEBHOOK_ENDPOINT_LOCKED',
    message: 'We disabled the webhook endpoint. Contact us to enable it.',
  },
  webhookSecretChanged: {
    status: 409,
    code: 'WEBHOOK_SECRET_CHANGED',
    message: 'Another rotation of the secret came first',
  },
  testEventLimited: {
    status: 429,
    code: 'TEST_EVENT_LIMITED',
    message: 'The webhook endpoint got a test event a moment ago. Please retry later.',
  },
  resendLimited: {
    status: 429,
    code: 'RESEND_LIMITED',
    message: 'A delivery of the webhook endpoint was sent again less than 10 seconds ago',
  },
  internal: { status: 500, code: 'INTERNAL_ERROR', message: 'An internal error occurred' },
  serviceUnavailable: {
    status: 503,
    code: 'SERVICE_UNAVAILABLE',
    message: 'The service is temporarily unavailable. Please retry later.',
  },
  // The gateway sends the following errors. The sandbox sends a page for `forbidden` too.
  malformedRequest: { status: 400, code: 'MALFORMED_REQUEST', message: 'The HTTP request is malformed' },
  requestTimeout: { status: 408, code: 'MALFORMED_REQUEST', message: 'The HTTP request did not end in time' },
  pathTooLong: { status: 414, code: 'MALFORMED_REQUEST', message: 'The path of the request is too long' },
  headersTooLarge: { status: 431, code: 'MALFORMED_REQUEST', message: 'The HTTP headers are too large' },
  forbidden: { status: 403, code: 'FORBIDDEN', message: 'The request was refused' },
  routeNotFound: { status: 404, code: 'NOT_FOUND', message: 'The requested route does not exist' },
  payloadTooLarge: { status: 413, code: 'PAYLOAD_TOO_LARGE', message: 'The payload is too large' },
  functionFailed: { status: 502, code: 'INTERNAL_ERROR', message: 'An internal error occurred' },
  integrationTimeout: { status: 504, code: 'TIMEOUT', message: 'The service did not answer in time' },
} as const satisfies Record<string, ApiErrorShape>;

export type ApiErrorKind = keyof typeof API_ERRORS;

/**
 * The value of an error's header `Link` (RFC 8288). It leads to the part of the page of errors about a code.
 *
 * @param errorsUrl the address of the page, without a fragment
 */
export const helpLink = (errorsUrl: string, code: string): string => `<${errorsUrl}#${code}>; rel="help"`;

/**
 * The details of a cart that is not found. They are the same for each reason, also for a malformed id
 * (`docs/decisions.md`).
 */
const CART_DETAILS: readonly InvalidField[] = [
  { path: 'path.cartId', message: "No cart of the key's store and mode has this id" },
];

/**
 * The rejection of a cart that does not exist, or that the request's key may not see. A request without a key gets the
 * error without details, because they name the key's store and mode.
 */
export const cartNotFoundForKey = (): ApiError => new ApiError('cartNotFound', CART_DETAILS);

/** A rejection of a request. The client sees all of it, except `productId`. */
export class ApiError extends Error {
  readonly kind: ApiErrorKind;
  readonly details: readonly InvalidField[] | undefined;

  /** The product of an `invalidProduct`, for the log. */
  readonly productId: string | undefined;

  /** The seconds of `Retry-After`. Default: for `rateLimited`, those of the key. */
  readonly retryAfterSeconds: number | undefined;

  /** @param details the reasons */
  constructor(
    kind: ApiErrorKind,
    details?: readonly InvalidField[],
    { productId, retryAfterSeconds }: Partial<Pick<ApiError, 'productId' | 'retryAfterSeconds'>> = {},
  ) {
    super(API_ERRORS[kind].message);
    this.name = 'ApiError';
    this.kind = kind;
    this.details = details;
    this.productId = productId;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
