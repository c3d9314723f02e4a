import type { OutgoingHttpHeaders } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { inject } from 'vitest';
import { createHttpClient } from '../../support/http-client.ts';
import { BUYER } from '../../support/secrets.ts';
import type { ApiResponse } from '../../support/service.ts';

export type { ApiResponse } from '../../support/service.ts';
export { cartIdOf } from '../../support/http-client.ts';

export const CHECKOUT = '/api/v1/stores/cart/checkout';
export const cartPath = (cartId: string): string => `/api/v1/stores/cart/${encodeURIComponent(cartId)}`;

export const inputs = inject('inputs');
const { send } = createHttpClient(inputs.baseUrl);

/** Sends these headers and no others of the API's, once. */
export { send };

export interface RequestOptions {
  readonly apiKey?: string;
  /** Further headers, or others in their place; `undefined` leaves one out. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

const present = (headers: Readonly<Record<string, string | undefined>>): OutgoingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined));

/** POST /api/v1/stores/cart/checkout, once; a body that is no text or bytes goes as JSON. */
export const createCartOnce = (
  body: unknown,
  { apiKey = inputs.apiKey, headers = {} }: RequestOptions = {},
): Promise<ApiResponse> => {
  const sent = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json', ...headers };
  const isRaw = typeof body === 'string' || body instanceof Uint8Array;
  return send('POST', CHECKOUT, present(sent), isRaw ? body : JSON.stringify(body));
};

/** GET /api/v1/stores/cart/{cartId}, once */
export const getCartOnce = (
  cartId: string,
  { apiKey = inputs.apiKey, headers = {} }: RequestOptions = {},
): Promise<ApiResponse> =>
  send('GET', cartPath(cartId), present({ Authorization: `Bearer ${apiKey}`, ...headers }));

/** More than the tokens that one test takes. */
const WAITS_MAX = 60;

/** Repeats a request that was one too many, each time as late as the answer asks for. */
const politely =
  <Args extends unknown[]>(request: (...args: Args) => Promise<ApiResponse>) =>
  async (...args: Args): Promise<ApiResponse> => {
    let answer = await request(...args);
    for (let waits = 0; answer.status === 429 && waits < WAITS_MAX; waits += 1) {
      await wait(1_000 * Math.max(1, Number(answer.headers['retry-after']) || 1));
      answer = await request(...args);
    }
    return answer;
  };

/** As {@link createCartOnce}, with patience for small limits. */
export const createCart = politely(createCartOnce);

/** As {@link getCartOnce}, with patience for small limits. */
export const getCart = politely(getCartOnce);

/** A valid body for the fixed-price product; `changes` replace fields, `undefined` leaves one out. */
export const cartBody = (changes: Readonly<Record<string, unknown>> = {}): Record<string, unknown> => ({
  productDocumentId: inputs.productId,
  ...BUYER,
  ...changes,
});

/** A valid body with one member more, written as it goes over the wire. */
export const bodyWith = (member: string, changes?: Readonly<Record<string, unknown>>): string =>
  `${JSON.stringify(cartBody(changes)).slice(0, -1)},${member}}`;
