import { randomUUID } from 'node:crypto';
import type { Context } from 'aws-lambda';
import { expect, expectTypeOf, it } from 'vitest';
import { byRoute } from '../../functions/by-route.ts';
import { type OperationName, OPERATIONS } from '../../functions/operations.ts';
import type { ProxyFunction } from '../../lib/http/pipeline.ts';
import { eventOf } from '../support/functions/invoke.ts';
import { givenService } from '../support/service/service.ts';

const CONTEXT = {} as Context;

/** The event of a request to an operation, with some fields replaced. */
const event = (
  name: OperationName,
  changes: { httpMethod?: string; resource?: string; path?: string } = {},
) => ({
  ...eventOf(name, { pathParameters: { cartId: randomUUID() } }, () => 0),
  ...changes,
});

const respond =
  (body: string): ProxyFunction =>
  async () => ({ statusCode: 200, body });

const NAMES = (Object.keys(OPERATIONS) as OperationName[]).filter(
  (name) => OPERATIONS[name].functionName === 'get-cart',
);

const handler = byRoute<'get-cart'>(
  Object.fromEntries(NAMES.map((name) => [name, respond(name)])) as Parameters<typeof byRoute<'get-cart'>>[0],
);

it.each(NAMES)('a request goes to the operation of its route: %s', async (name) => {
  expect(await handler(event(name), CONTEXT)).toMatchObject({ body: name });
});

it.each([
  ['another method', { httpMethod: 'POST' }],
  ['a lower-case method', { httpMethod: 'get' }],
  ['the operation of another function', { resource: '/api/v1/stores/events' }],
  ['a path instead of a resource', { resource: `/internal/v1/carts/${randomUUID()}` }],
  ['a longer resource', { resource: '/internal/v1/carts/{cartId}/' }],
  ['no resource', { resource: '' }],
  ['a name of an object', { resource: '__proto__' }],
])('a request of any other route fails: %s', async (_, changes) => {
  await expect(handler(event('getPaymentCart', changes), CONTEXT)).rejects.toThrow('does not serve');
});

it("the path, which the client writes, decides nothing: a merchant's route needs its API key", async () => {
  const service = await givenService();
  const disguised = event('getCart', { path: `/internal/v1/carts/${randomUUID()}` });
  expect(await service.handlerOf('get-cart')(disguised, CONTEXT)).toMatchObject({ statusCode: 401 });
});

it('the compiler demands a handler for each operation of a function, and no other', () => {
  type Handlers = Parameters<typeof byRoute<'sandbox-checkout'>>[0];
  expectTypeOf<keyof Handlers>().toEqualTypeOf<'openSandboxCheckout' | 'submitSandboxCheckout'>();
  expectTypeOf<{ openSandboxCheckout: ProxyFunction }>().not.toExtend<Handlers>();
});
