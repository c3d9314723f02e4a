import { setTimeout as wait } from 'node:timers/promises';
import { inject } from 'vitest';
import type { ApiResponse } from '../../support/contract/contract.ts';
import { BUYER } from '../../support/secrets.ts';
import { createHttpClient } from '../../support/service/http-client.ts';
import type { ApiRequest } from '../../support/service/service.ts';
import type { Inputs } from './inputs.ts';

export type { ApiResponse } from '../../support/contract/contract.ts';
export { cartIdOf, cartPath, CHECKOUT } from '../../support/service/http-client.ts';

const findInputs = async (): Promise<Inputs> => {
  const provided = inject('inputs');
  if (provided !== undefined) return provided;
  // Not BASE_URL: Vitest overrides it.
  if ((process.env['API_KEY'] ?? '') !== '')
    throw new Error('API_KEY is set, but only `npm run test:acceptance` checks a stage of yours.');
  const { givenSharedInputs } = await import('./local-inputs.ts');
  return givenSharedInputs();
};

/** `npm run test:acceptance` provides them. In `npm test`, they are those of the shared local stage. */
export const inputs = await findInputs();
const client = createHttpClient(inputs.baseUrl);

export const { send } = client;

/** Sends one create request; a body other than a text or bytes is sent as JSON. */
export const createCartOnce = (body: unknown, request: ApiRequest = {}): Promise<ApiResponse> => {
  const isRaw = typeof body === 'string' || body instanceof Uint8Array;
  return client.createCart(isRaw ? body : JSON.stringify(body), { apiKey: inputs.apiKey, ...request });
};

/** Sends one retrieve request. */
export const getCartOnce = (cartId: string, request: ApiRequest = {}): Promise<ApiResponse> =>
  client.getCart(cartId, { apiKey: inputs.apiKey, ...request });

/** More than the tokens that one test spends. */
const WAITS_MAX = 60;

/** Retries a request after each 429, when `Retry-After` allows it. */
const retryLimited =
  <Args extends unknown[]>(request: (...args: Args) => Promise<ApiResponse>) =>
  async (...args: Args): Promise<ApiResponse> => {
    let response = await request(...args);
    for (let waits = 0; response.status === 429 && waits < WAITS_MAX; waits += 1) {
      await wait(1_000 * Math.max(1, Number(response.headers['retry-after']) || 1));
      response = await request(...args);
    }
    return response;
  };

/** As {@link createCartOnce}, with retries for small limits. */
export const createCart = retryLimited(createCartOnce);

/** As {@link getCartOnce}, with retries for small limits. */
export const getCart = retryLimited(getCartOnce);

/** Sends a request with the key and an optional JSON body, with retries for small limits. */
export const call = retryLimited(
  (method: string, path: string, body?: object, headers: Readonly<Record<string, string>> = {}) =>
    client.send(
      method,
      path,
      {
        Authorization: `Bearer ${inputs.apiKey}`,
        ...(body && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      body && JSON.stringify(body),
    ),
);

/** A valid body for the fixed-price product; `changes` replace fields, `undefined` leaves one out. */
export const cartBody = (changes: Readonly<Record<string, unknown>> = {}): Record<string, unknown> => ({
  productDocumentId: inputs.productId,
  ...BUYER,
  ...changes,
});

/** A valid body with one more member, as it goes over the wire. */
export const bodyWith = (member: string, changes?: Readonly<Record<string, unknown>>): string =>
  `${JSON.stringify(cartBody(changes)).slice(0, -1)},${member}}`;
