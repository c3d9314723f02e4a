import { randomUUID } from 'node:crypto';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { createCartCheckout } from '../../functions/create-cart-checkout/handler.ts';
import { getCart } from '../../functions/get-cart/handler.ts';
import { toGatewayEvent } from '../../infra/local/gateway/event.ts';
import { createLambdaContext } from '../../infra/local/gateway/lambda-context.ts';
import { FUNCTION_TIMEOUT_MS, ROUTES } from '../../functions/operations.ts';
import { createApiKeyStore, type NewApiKey } from '../../lib/api-keys/api-key-store.ts';
import { generateApiKey } from '../../lib/api-keys/api-key.ts';
import { createAuthenticator } from '../../lib/api-keys/authenticator.ts';
import { DEFAULT_LIMITS } from '../../lib/api-keys/limits.ts';
import { createStoredBucket } from '../../lib/api-keys/stored-bucket.ts';
import { createCartStore } from '../../lib/carts/cart-store.ts';
import type { ProxyFunction } from '../../lib/http/pipeline.ts';
import { createProductStore } from '../../lib/products/product-store.ts';
import type { Product } from '../../lib/products/product.ts';
import { manualClock } from './clock.ts';
import { type ApiResponse, assertKeepsContract } from './contract.ts';
import { givenDatabase } from './database.ts';
import { BUYER } from './secrets.ts';

export type { ApiResponse } from './contract.ts';

export interface ApiRequest {
  readonly apiKey?: string | undefined;
  /** Further headers, or others in their place; `undefined` leaves one out. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

export const CHECKOUT_URLS = {
  live: 'https://pay.example.com/checkout',
  test: 'http://localhost/sandbox/checkout',
};
export const LIFETIME = { expirySeconds: 24 * 3_600, retentionSeconds: 30 * 86_400 };
export const STORE_ID = 'store-1';

/** A valid body for a fixed-price product; `changes` replace fields, `undefined` leaves one out. */
export const cartBody = (productId: string, changes: Record<string, unknown> = {}): string =>
  JSON.stringify({ productDocumentId: productId, ...BUYER, ...changes });

const toResponse = ({ statusCode, headers, body }: APIGatewayProxyResult): ApiResponse => ({
  status: statusCode,
  headers: Object.fromEntries(
    Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), String(value)]),
  ),
  body: JSON.parse(body) as Record<string, unknown>,
  bodyText: body,
});

/** The service in this process: the real functions and pipeline, on tables and a clock of its own. */
export const givenService = async () => {
  const { documents, tableNames } = await givenDatabase();
  const clock = manualClock();
  const apiKeys = createApiKeyStore(documents, tableNames.apiKeys);
  const products = createProductStore(documents, tableNames.products);
  const carts = createCartStore(documents, tableNames.carts);
  const bucket = createStoredBucket(documents, tableNames.apiKeys);
  const authenticator = createAuthenticator({ bucket, now: clock.now });
  const functions: Record<string, ProxyFunction> = {
    POST: createCartCheckout({
      authenticator,
      products,
      carts,
      lifetime: LIFETIME,
      checkoutUrls: CHECKOUT_URLS,
      now: clock.now,
    }),
    GET: getCart({ authenticator, carts, now: clock.now }),
  };

  /** Sends a request through the event that API Gateway would make of it. */
  const send = async (
    method: 'GET' | 'POST',
    target: string,
    body: string | Uint8Array,
    headers: Readonly<Record<string, string | undefined>>,
    pathParameters: ReadonlyMap<string, string> = new Map(),
  ): Promise<ApiResponse> => {
    const route = ROUTES.find((candidate) => candidate.method === method);
    const sent = Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined);
    const event = toGatewayEvent(
      {
        method,
        target,
        rawHeaders: sent.flat(),
        body: typeof body === 'string' ? Buffer.from(body) : body,
        httpVersion: '1.1',
        sourceIp: '127.0.0.1',
      },
      {
        resource: route?.path ?? '',
        pathParameters,
        requestId: randomUUID(),
        receivedAtMs: clock.now(),
        domainName: 'localhost',
        port: 80,
      },
    );
    const context = createLambdaContext({
      functionName: route?.functionName ?? '',
      awsRequestId: randomUUID(),
      timeoutMs: FUNCTION_TIMEOUT_MS,
      now: clock.now,
    });
    const handler = functions[method];
    if (!handler) throw new Error(`No function answers ${method}`);
    const answer = toResponse(await handler(event, context));
    assertKeepsContract(method, target, answer);
    return answer;
  };

  return {
    clock,
    documents,
    tableNames,
    apiKeys,
    carts,

    /** Issues a key: of the default store and limits, in test mode, unless told otherwise. */
    async givenKey(changes: Partial<NewApiKey> = {}): Promise<string> {
      const mode = changes.mode ?? 'test';
      const key = {
        secret: generateApiKey(mode),
        storeId: STORE_ID,
        mode,
        ...DEFAULT_LIMITS,
        nowMs: clock.now(),
      };
      await apiKeys.issue({ ...key, ...changes });
      return changes.secret ?? key.secret;
    },

    /** Puts a product: of the default store, available, 19.99 EUR, unless told otherwise. Returns its id. */
    async givenProduct(changes: Partial<Product> = {}): Promise<string> {
      const product: Product = {
        id: `product-${randomUUID()}`,
        storeId: STORE_ID,
        name: 'Course',
        available: true,
        currency: 'EUR',
        pricing: { type: 'fixed', amount: 19.99 },
        ...changes,
      };
      await products.put(product);
      return product.id;
    },

    /** POST /api/v1/stores/cart/checkout, with a body as it goes over the wire. */
    createCart(body: string | Uint8Array, { apiKey, headers = {} }: ApiRequest): Promise<ApiResponse> {
      return send('POST', '/api/v1/stores/cart/checkout', body, {
        'Content-Type': 'application/json',
        Authorization: apiKey === undefined ? undefined : `Bearer ${apiKey}`,
        ...headers,
      });
    },

    /** GET /api/v1/stores/cart/{cartId} */
    getCart(cartId: string, { apiKey, headers = {} }: ApiRequest): Promise<ApiResponse> {
      const parameters = new Map([['cartId', cartId]]);
      const sent = { Authorization: apiKey === undefined ? undefined : `Bearer ${apiKey}`, ...headers };
      return send('GET', `/api/v1/stores/cart/${encodeURIComponent(cartId)}`, '', sent, parameters);
    },
  };
};

export type TestService = Awaited<ReturnType<typeof givenService>>;
