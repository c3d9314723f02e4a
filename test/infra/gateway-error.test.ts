import { expect, it } from 'vitest';
import { gatewayErrorBody } from '../../infra/gateway-error.ts';
import { API_ERRORS } from '../../lib/http/errors.ts';

it('an unknown route names the operations of merchants, and the base address', () => {
  const message =
    'Use POST /api/v1/stores/cart/checkout, GET /api/v1/stores/cart/{cartId}, GET /api/v1/stores/events, POST/GET /api/v1/stores/webhook-endpoints, or GET/PATCH/DELETE /api/v1/stores/webhook-endpoints/{endpointId}. The base address does not include /api/v1.';

  expect(JSON.parse(gatewayErrorBody(API_ERRORS.routeNotFound))).toStrictEqual({
    code: 'NOT_FOUND',
    message: 'The requested route does not exist',
    details: [{ path: 'path', message }],
  });
});

it('an error of the gateway has no more than code and message', () => {
  expect(gatewayErrorBody(API_ERRORS.malformedRequest)).toBe(
    '{"code":"MALFORMED_REQUEST","message":"The HTTP request is malformed"}',
  );
});

it('the template of API Gateway has no character with a meaning in Velocity', () => {
  expect(gatewayErrorBody(API_ERRORS.routeNotFound)).not.toMatch(/[#$]/);
});
