import { expect, it } from 'vitest';
import { ALL_OPERATIONS } from '../../../functions/operations.ts';
import { gatewayErrorBody } from '../../../infra/contract/gateway-error.ts';
import { API_ERRORS } from '../../../lib/http/errors.ts';

it('an unknown route names the operations of merchants, and the base address', () => {
  const body = JSON.parse(gatewayErrorBody(API_ERRORS.routeNotFound)) as { details: { message: string }[] };
  expect(body).toStrictEqual({
    code: 'NOT_FOUND',
    message: 'The requested route does not exist',
    details: [{ path: 'path', message: expect.any(String) as string }],
  });
  const list = /^Use (.+)\. No path ends with a slash\. The base address does not include \/api\/v1\.$/.exec(
    body.details[0]?.message ?? '',
  )?.[1];
  const operations = list?.split(/, (?:or )?/) ?? [];
  expect(operations).toContain('GET/PATCH/DELETE /api/v1/stores/webhook-endpoints/{endpointId}');
  const named = operations.flatMap((operation) => {
    const [methods = '', path] = operation.split(' ');
    return methods.split('/').map((method) => `${method} ${path}`);
  });
  const expected = ALL_OPERATIONS.filter(({ caller, path }) => caller === 'merchant' && !path.includes('}/'));
  expect(named).toStrictEqual(expected.map(({ method, path }) => `${method} ${path}`));
});

it('an error of the gateway has no more than code and message', () => {
  expect(gatewayErrorBody(API_ERRORS.malformedRequest)).toBe(
    '{"code":"MALFORMED_REQUEST","message":"The HTTP request is malformed"}',
  );
});

it('the template of API Gateway has no character with a meaning in Velocity', () => {
  expect(gatewayErrorBody(API_ERRORS.routeNotFound)).not.toMatch(/[#$]/);
});
