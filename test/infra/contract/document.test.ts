import { readFileSync } from 'node:fs';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { describe, expect, test } from 'vitest';
import { PUBLIC_OPERATIONS } from '../../../infra/contract/contracts.ts';
import { contractDocument } from '../../../infra/contract/document.ts';
import { errorsByStatus } from '../../../infra/contract/errors.ts';
import { testMessageOf } from '../../../lib/deliveries/queue/queue-message.ts';
import { testBody } from '../../../lib/deliveries/test-events/test-body.ts';
import { EVENT_TYPES, PING_TYPE } from '../../../lib/events/event-types.ts';
import { API_ERRORS } from '../../../lib/http/errors.ts';
import { closedValidator, type Content, CONTRACT, OPERATIONS } from '../../support/contract/contract.ts';

const CHECKED_IN = readFileSync('docs/openapi.json', 'utf8');

test('the checked-in document is up to date (`npm run contract` rewrites it)', () => {
  expect(CHECKED_IN).toBe(`${JSON.stringify(contractDocument(), null, 2)}\n`);
});

test('a strict linter finds nothing in it', async () => {
  const config = await createConfig({ extends: ['recommended-strict'] });

  const problems = await lintFromString({ source: CHECKED_IN, absoluteRef: '/openapi.json', config });

  expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toStrictEqual([]);
});

test('it has no internal placeholder, and of the keywords of vendors only `x-extensible-enum`', () => {
  expect(CHECKED_IN).not.toMatch(/\{checkout_url\}|original document|"x-(?!extensible-enum")/);
});

test('it has the version, the operations and the components of API 1.0.0', () => {
  const operations = OPERATIONS.map(({ operationId, method, path }) => `${operationId}: ${method} ${path}`);

  expect(operations).toContain('createCartCheckout: POST /api/v1/stores/cart/checkout');
  expect(operations).toContain('getCart: GET /api/v1/stores/cart/{cartId}');
  const { schemas } = contractDocument()['components'] as {
    schemas: Record<string, { required?: string[]; properties?: Record<string, unknown> }>;
  };
  const fields = (name: string) => Object.keys(schemas[name]?.properties ?? {});
  const customer = ['firstName', 'lastName', 'email', 'phone'];
  const ours = ['productDocumentId', 'productName'];
  const cart = ['id', 'createdAt', 'updatedAt', 'status', 'customerInfo', ...ours, 'price', 'expiresAt'];
  const request = ['productDocumentId', 'email', 'firstName', 'lastName'];
  expect(contractDocument()).toMatchObject({ openapi: '3.1.1', info: { version: '1.0.0' } });
  expect(schemas['CreateCartCheckoutRequest']?.required).toStrictEqual(request);
  expect(fields('CreateCartCheckoutRequest')).toStrictEqual(
    expect.arrayContaining([...request, 'phone', 'redirectURL', 'meta', 'customerPrice']),
  );
  expect(schemas['CreateCartCheckoutResponse']?.required).toStrictEqual(['cart', 'redirectUrl']);
  expect(schemas['Cart']?.required).toStrictEqual(cart);
  expect(fields('RetrievedCart')).toStrictEqual(expect.arrayContaining([...cart, 'paymentId', 'meta']));
  expect(schemas['CustomerInfo']?.required).toBeUndefined();
  expect(fields('CustomerInfo')).toStrictEqual([...customer, 'lang']);
  expect(schemas['ErrorResponse']?.required).toStrictEqual(['code', 'message']);
});

test('every optional field of a request may be null, and no required field may be', () => {
  const { schemas } = contractDocument()['components'] as {
    schemas: Record<string, { required: string[]; properties: Record<string, { type: unknown }> }>;
  };
  const { required, properties } = schemas['CreateCartCheckoutRequest']!;
  const nullable = Object.keys(properties).filter((name) => String(properties[name]?.type).endsWith(',null'));
  expect(nullable).toStrictEqual(Object.keys(properties).filter((name) => !required.includes(name)));
});

test('a creation links to the retrieval of its cart, which fuzzers follow', () => {
  const { responses } = OPERATIONS.find(({ operationId }) => operationId === 'createCartCheckout')!;
  const parameters = { cartId: '$response.body#/cart/id' };

  expect(responses['201']).toMatchObject({ links: { retrieval: { operationId: 'getCart', parameters } } });
});

test('every error body is a named component', () => {
  const names = OPERATIONS.flatMap(({ responses }) =>
    Object.entries(responses).flatMap(([status, { content }]) =>
      Number(status) < 400 ? [] : [content?.['application/json'].schema],
    ),
  );

  expect(new Set(names.map((schema) => schema?.['$ref']))).toStrictEqual(
    new Set(['#/components/schemas/ErrorResponse', '#/components/schemas/ValidationErrorResponse']),
  );
});

test('every error of the service belongs to an operation, except the one for unknown routes', () => {
  const documented = new Set(
    PUBLIC_OPERATIONS.flatMap((operation) => [...errorsByStatus(operation).values()].flat()),
  );

  expect(Object.keys(API_ERRORS).filter((kind) => !documented.has(kind as never))).toStrictEqual([
    'routeNotFound',
  ]);
});

const ofWebhooks = Object.entries(CONTRACT.webhooks).map(([type, { post }]) => ({
  name: `the webhook ${type}`,
  ...post.requestBody.content['application/json'],
}));

test('it declares a webhook for each type of event and for the ping, with the headers of Standard Webhooks', () => {
  expect(Object.keys(CONTRACT.webhooks)).toStrictEqual([...EVENT_TYPES, 'webhook.ping']);
  for (const { post } of Object.values(CONTRACT.webhooks)) {
    const names = post.parameters.map(({ name, required }) => [name, required]);
    expect(names).toStrictEqual(
      ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [name, true]),
    );
  }
});

const ofOperations: (Content & { name: string })[] = OPERATIONS.flatMap(
  ({ operationId, requestBody, responses }) => [
    ...(requestBody ? [{ name: `${operationId} request`, ...requestBody.content['application/json'] }] : []),
    ...Object.entries(responses).flatMap(([status, { content }]) =>
      content ? [{ name: `${operationId} ${status}`, ...content['application/json'] }] : [],
    ),
  ],
);

test.each([PING_TYPE, ...EVENT_TYPES])('a test event is as the document declares it: %s', (type) => {
  const message = testMessageOf({ storeId: 's', mode: 'test', endpointId: 'e' }, 0, type);
  const { schema } = CONTRACT.webhooks[type]!.post.requestBody.content['application/json'];
  const body = testBody(message, 'test');
  expect(JSON.parse(body)).toMatchObject({ type, test: true });
  expect(closedValidator(schema)(JSON.parse(body))).toBe(true);
});

describe.each([...ofOperations, ...ofWebhooks])('the examples of $name', ({ schema, examples }) => {
  test('exist, and are valid without an undocumented field', () => {
    const validate = closedValidator(schema);

    expect(Object.keys(examples)).not.toStrictEqual([]);
    for (const { value } of Object.values(examples)) {
      expect(validate(value), JSON.stringify(validate.errors)).toBe(true);
    }
  });
});
