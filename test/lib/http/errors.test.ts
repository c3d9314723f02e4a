import { expect, it } from 'vitest';
import { SEND_INTERVAL_SECONDS } from '../../../lib/endpoints/send-intervals.ts';
import { API_ERRORS, ApiError, type ApiErrorKind } from '../../../lib/http/errors.ts';

/** Clients build on every row: a change breaks them. The first four are from `docs/contract.md`, "Errors". */
const ERRORS: Record<ApiErrorKind, string> = {
  invalidProduct: '400 INVALID_PRODUCT The product is not available or does not belong to this store',
  invalidApiKey: '401 INVALID_API_KEY Invalid or missing API key',
  invalidPayload: '422 VALIDATION_ERROR The payload format is invalid',
  rateLimited: '429 RATE_LIMITED Too many requests. Please retry later.',
  cartNotFound: '404 INVALID_PRODUCT The cart does not exist or does not belong to this store',
  productNotFound: '404 INVALID_PRODUCT The product does not exist or does not belong to this store',
  cartCompleted: '409 CART_COMPLETED The cart is completed',
  cartPaymentFailed: '409 CART_PAYMENT_FAILED A payment of the cart has failed, and the buyer can still pay',
  idempotencyKeyReused:
    '422 IDEMPOTENCY_KEY_REUSED The idempotency key was already used with another payload',
  webhookEndpointNotFound:
    '404 WEBHOOK_ENDPOINT_NOT_FOUND The webhook endpoint does not exist or does not belong to this store',
  webhookDeliveryNotFound:
    '404 WEBHOOK_DELIVERY_NOT_FOUND The delivery does not exist or can no longer be sent again',
  tooManyWebhookEndpoints:
    '409 TOO_MANY_WEBHOOK_ENDPOINTS The store has the maximum number of webhook endpoints in this mode',
  webhookEndpointDisabled: '409 WEBHOOK_ENDPOINT_DISABLED The webhook endpoint is disabled',
  webhookEndpointLocked:
    '409 WEBHOOK_ENDPOINT_LOCKED We disabled the webhook endpoint. Contact us to enable it.',
  webhookSecretChanged: '409 WEBHOOK_SECRET_CHANGED Another rotation of the secret came first',
  testEventLimited:
    '429 TEST_EVENT_LIMITED The webhook endpoint got a test event a moment ago. Please retry later.',
  resendLimited:
    '429 RESEND_LIMITED A delivery of the webhook endpoint was sent again less than 10 seconds ago',
  internal: '500 INTERNAL_ERROR An internal error occurred',
  serviceUnavailable: '503 SERVICE_UNAVAILABLE The service is temporarily unavailable. Please retry later.',
  malformedRequest: '400 MALFORMED_REQUEST The HTTP request is malformed',
  requestTimeout: '408 MALFORMED_REQUEST The HTTP request did not end in time',
  pathTooLong: '414 MALFORMED_REQUEST The path of the request is too long',
  headersTooLarge: '431 MALFORMED_REQUEST The HTTP headers are too large',
  forbidden: '403 FORBIDDEN The request was refused',
  routeNotFound: '404 NOT_FOUND The requested route does not exist',
  payloadTooLarge: '413 PAYLOAD_TOO_LARGE The payload is too large',
  functionFailed: '502 INTERNAL_ERROR An internal error occurred',
  integrationTimeout: '504 TIMEOUT The service did not answer in time',
};

it('every error has exactly this status, code and message', () => {
  const rows = Object.entries(API_ERRORS).map(([kind, error]) => [kind, Object.values(error).join(' ')]);
  expect(Object.fromEntries(rows)).toStrictEqual(ERRORS);
});

it('a limited resend names the interval that the service keeps', () => {
  expect(API_ERRORS.resendLimited.message).toContain(`less than ${SEND_INTERVAL_SECONDS} seconds ago`);
});

it('an ApiError carries its kind, its public message and the invalid fields, if any', () => {
  const details = [{ path: 'email', message: 'Invalid email address' }];
  const error = new ApiError('invalidPayload', details);
  const message = 'The payload format is invalid';
  expect(error).toMatchObject({ name: 'ApiError', kind: 'invalidPayload', message, details });
  expect(new ApiError('invalidProduct').details).toBeUndefined();
});
