import * as http from 'node:http';
import * as https from 'node:https';
import { assertKeepsContract, parseBody, type ApiResponse } from '../contract/contract.ts';
import type { ApiRequest } from './service.ts';

export const CHECKOUT = '/api/v1/stores/cart/checkout';
export const cartPath = (cartId: string): string => `/api/v1/stores/cart/${encodeURIComponent(cartId)}`;

const headersOf = ({ apiKey, headers = {} }: ApiRequest, usual: object = {}): http.OutgoingHttpHeaders => {
  const authorization = apiKey === undefined ? {} : { Authorization: `Bearer ${apiKey}` };
  const all = { ...usual, ...authorization, ...headers };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
};

/** The id of the cart in a response 201. */
export const cartIdOf = ({ body }: ApiResponse): string => (body['cart'] as { id: string }).id;

/**
 * Parses a response, and checks that it keeps the contract.
 *
 * @throws Error if the body is not JSON, or if the response violates the contract
 */
const responseOf = async (
  response: http.IncomingMessage,
  bodyText: string,
  method: string,
  path: string,
): Promise<ApiResponse> => {
  const result = {
    status: response.statusCode ?? 0,
    headers: response.headers as Record<string, string>,
    body: parseBody(bodyText, response.statusCode ?? 0),
    bodyText,
  };
  assertKeepsContract(method, path, result);
  return result;
};

/** A client of a running stage. It rejects responses that violate the contract. */
export const createHttpClient = (baseUrl: string) => {
  const { Agent, request } = baseUrl.startsWith('https:') ? https : http;
  const agent = new Agent({ keepAlive: true });

  /** Sends these headers in their casing. It adds no header of the API. */
  const send = (
    method: string,
    path: string,
    headers: http.OutgoingHttpHeaders = {},
    body: string | Uint8Array = '',
  ): Promise<ApiResponse> =>
    new Promise((resolve, reject) => {
      const length = body === '' ? {} : { 'Content-Length': Buffer.byteLength(body) };
      const sent = request(`${baseUrl}${path}`, { method, agent, headers: { ...headers, ...length } });
      sent.once('error', reject).once('response', (response) => {
        let bodyText = '';
        response
          .setEncoding('utf8')
          .on('data', (text: string) => {
            bodyText += text;
          })
          .once('error', reject)
          .once('end', () => resolve(responseOf(response, bodyText, method, path)));
      });
      sent.end(body);
    });

  return {
    send,
    createCart: (body: string | Uint8Array, options: ApiRequest) =>
      send('POST', CHECKOUT, headersOf(options, { 'Content-Type': 'application/json' }), body),
    getCart: (cartId: string, options: ApiRequest) => send('GET', cartPath(cartId), headersOf(options)),
  };
};

export type HttpClient = ReturnType<typeof createHttpClient>;
