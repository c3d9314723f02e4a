import { readFileSync } from 'node:fs';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { describe, expect, test } from 'vitest';
import { contractDocument } from '../../../infra/contract/document.ts';
import { API_ERRORS } from '../../../lib/http/errors.ts';
import { createAjv, type JsonSchema, OPERATIONS, resolveSchema } from '../../support/contract.ts';

const CHECKED_IN = readFileSync('docs/openapi.json', 'utf8');

test('the checked-in document is what the schemas give; `npm run contract` writes it anew', () => {
  expect(CHECKED_IN).toBe(`${JSON.stringify(contractDocument(), null, 2)}\n`);
});

test('a strict linter finds nothing in it', async () => {
  const config = await createConfig({
    extends: ['recommended-strict'],
    // The API's document names no licence.
    rules: { 'info-license': 'off', 'info-license-strict': 'off' },
  });

  const problems = await lintFromString({ source: CHECKED_IN, absoluteRef: '/openapi.json', config });

  expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toStrictEqual([]);
});

test("it has the document's version, operation names and addresses", () => {
  expect(contractDocument()).toMatchObject({ openapi: '3.1.1', info: { version: '1.0.0' } });
  expect(
    OPERATIONS.map(({ operationId, method, path }) => `${operationId}: ${method} ${path}`),
  ).toStrictEqual([
    'createCartCheckout: POST /api/v1/stores/cart/checkout',
    'getCart: GET /api/v1/stores/cart/{cartId}',
  ]);
});

test('every error of the service is an answer of some operation, but for the one of other addresses', () => {
  const kindOf = (status: unknown, code: unknown): string => `${String(status)} ${String(code)}`;
  const documented = new Set(
    OPERATIONS.flatMap(({ responses }) =>
      Object.entries(responses).flatMap(([status, { content }]) =>
        Object.keys(content['application/json'].examples).map((code) => kindOf(status, code)),
      ),
    ),
  );

  const undocumented = Object.values(API_ERRORS)
    .map(({ status, code }) => kindOf(status, code))
    .filter((kind) => !documented.has(kind));

  expect(undocumented).toStrictEqual(['404 NOT_FOUND']);
});

const contents = OPERATIONS.flatMap(({ operationId, requestBody, responses }) => [
  ...(requestBody ? [{ name: `${operationId} request`, ...requestBody.content['application/json'] }] : []),
  ...Object.entries(responses).map(([status, { content }]) => ({
    name: `${operationId} ${status}`,
    ...content['application/json'],
  })),
]);

describe.each(contents)('the examples of $name', ({ schema, examples }) => {
  test('exist, and are valid without a field that is not documented', () => {
    const validate = createAjv({ validateFormats: true }).compile(resolveSchema(schema, true));

    expect(Object.keys(examples)).not.toStrictEqual([]);
    for (const { value } of Object.values(examples)) {
      expect(validate(value), JSON.stringify(validate.errors)).toBe(true);
    }
  });
});

/** Everything below a part of the document that is marked as an extension. */
const extensionsIn = (part: unknown, path = ''): string[] => {
  if (typeof part !== 'object' || part === null) return [];
  const own = 'x-extension' in part ? [path] : [];
  return [...own, ...Object.entries(part).flatMap(([name, child]) => extensionsIn(child, `${path}/${name}`))];
};

test('what is beyond the original document is marked, and nothing else', () => {
  const { components } = contractDocument() as {
    components: { schemas: Readonly<Record<string, JsonSchema>> };
  };
  const marked = OPERATIONS.flatMap(({ operationId, responses }) =>
    Object.entries(responses).flatMap(([status, response]) =>
      'x-extension' in response ? [`${operationId} ${status}`] : [],
    ),
  );

  const ofTheGateway = ['403', '408', '413', '431', '500', '503', '504'];
  expect(marked).toStrictEqual([
    ...ofTheGateway.map((status) => `createCartCheckout ${status}`),
    ...['400', ...ofTheGateway].map((status) => `getCart ${status}`),
  ]);
  const headers = OPERATIONS.flatMap(({ responses }) =>
    Object.values(responses).flatMap((response) => Object.entries(response.headers)),
  );
  const names = headers.flatMap(([name, header]) => ('x-extension' in header ? [] : [name]));
  expect(new Set(names)).toStrictEqual(
    new Set(['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'Retry-After']),
  );
  expect(
    OPERATIONS.flatMap(({ parameters }) => parameters.filter((parameter) => !('x-extension' in parameter))),
  ).toMatchObject([{ name: 'cartId' }]);
  expect(extensionsIn(components.schemas)).toStrictEqual([
    '/CreateCartCheckoutRequest/properties/redirectURL/anyOf/1',
    '/RetrievedCart/properties/price',
    '/RetrievedCart/properties/expiresAt',
    '/RetrievedCart/properties/latePayment',
  ]);
});
