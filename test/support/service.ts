import { randomUUID } from 'node:crypto';
import { createCartCheckout } from '../../functions/create-cart-checkout/handler.ts';
import { expireCart } from '../../functions/expire-cart/handler.ts';
import { getCartFunction } from '../../functions/get-cart/handler.ts';
import { listEvents } from '../../functions/list-events/handler.ts';
import { type HttpFunctionName, OPERATIONS, type OperationName } from '../../functions/operations.ts';
import { sandboxCheckout } from '../../functions/sandbox-checkout/handler.ts';
import { createAddressChecks } from '../../lib/api-keys/address-checks.ts';
import { createApiKeyRepository, type NewApiKey } from '../../lib/operators/api-key-repository.ts';
import { generateApiKey } from '../../lib/api-keys/api-key.ts';
import { createAuthenticator } from '../../lib/api-keys/authenticator.ts';
import { DEFAULT_LIMITS } from '../../lib/api-keys/limits.ts';
import { createStoredBucket } from '../../lib/api-keys/stored-bucket.ts';
import { createAbandonmentRepository } from '../../lib/carts/abandonment-repository.ts';
import { createCartRepositories } from '../../lib/carts/cart-repository.ts';
import { IDEMPOTENCY_SECRET_IDS, readIdempotencySecret } from '../../lib/idempotency/idempotency-secret.ts';
import { createPaymentRepository } from '../../lib/payments/payment-repository.ts';
import { createEventRepository } from '../../lib/events/event-repository.ts';
import { memo } from '../../lib/core/memo.ts';
import type { ProxyFunction } from '../../lib/http/pipeline.ts';
import { createProductCatalogue } from '../../lib/operators/product-catalogue.ts';
import { createProductRepository } from '../../lib/products/product-repository.ts';
import type { Product } from '../../lib/products/product.ts';
import { createStoreRepository } from '../../lib/stores/store-repository.ts';
import { webhookEndpoints } from '../../functions/webhook-endpoints/handler.ts';
import { createActionLimiter } from '../../functions/sandbox-checkout/action-limit.ts';
import type { DeliveryQueue, QueueMessage } from '../../lib/deliveries/delivery.ts';
import type { ResolveHost } from '../../lib/endpoints/addresses.ts';
import { createDeliveryRepository } from '../../lib/deliveries/delivery-repository.ts';
import { createEndpointRegistry } from '../../lib/endpoints/endpoint-registry.ts';
import { createEndpointRepository } from '../../lib/endpoints/endpoint-repository.ts';
import { createHostCheck } from '../../lib/endpoints/host-check.ts';
import { manualClock } from './clock.ts';
import { type ApiResponse, assertKeepsContract, parseBody } from './contract.ts';
import { givenDatabase, type TestDatabase } from './database.ts';
import { eventLogOf } from './events.ts';
import { invoke, type OperationRequest, targetOf } from './invoke.ts';
import { fixedProduct } from './products.ts';
import { BUYER } from './secrets.ts';

export type { ApiResponse } from './contract.ts';

export interface ApiRequest {
  readonly apiKey?: string | undefined;
  /** Headers that add to the usual ones or replace them; one with the value `undefined` is not sent. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

/** The operations whose responses are JSON. Only those of merchants are in the public contract. */
type JsonOperationName = MerchantOperationName | 'getPaymentCart';

/** The operations that a merchant's server calls: those of the public contract. */
export type MerchantOperationName = {
  [Name in OperationName]: (typeof OPERATIONS)[Name]['caller'] extends 'merchant' ? Name : never;
}[OperationName];

export const CHECKOUT_URLS = {
  live: 'https://pay.example.com/checkout',
  test: 'http://localhost/sandbox/checkout',
};
export const LIFETIME = { expirySeconds: 24 * 3_600, retentionSeconds: 30 * 86_400 };
export const STORE_ID = 'store-1';

/** The address of the API itself. */
export const PUBLIC_URL = 'https://api.shop.example/prod';

/** Resolves a name that begins with `private.` to the address of the cloud's metadata, and one with `unknown.` to none. */
const resolveTestHost: ResolveHost = async (host) => {
  if (host.startsWith('unknown.')) throw new Error('The host has no address');
  return host.startsWith('private.') ? ['93.184.216.34', '169.254.169.254'] : ['93.184.216.34'];
};

/** A valid body for a fixed-price product; `changes` replace fields, `undefined` leaves one out. */
export const cartBody = (productId: string, changes: Record<string, unknown> = {}): string =>
  JSON.stringify({ productDocumentId: productId, ...BUYER, ...changes });

/** Everything that a function of the service depends on, with a clock that tests advance. */
export const createDependencies = (database: TestDatabase, time = manualClock()) => {
  const { documents, tableNames } = database;
  const log = eventLogOf(database, time.now);
  const queued: QueueMessage[] = [];
  const queue: DeliveryQueue = { send: async (messages) => void queued.push(...messages) };
  const dns = { resolve: resolveTestHost };
  return {
    /** The time of the test. */
    time,
    now: time.now,
    newId: randomUUID,
    authenticator: createAuthenticator(createStoredBucket(documents, tableNames.apiKeys)),
    products: createProductRepository(documents, tableNames.products),
    carts: createCartRepositories(
      documents,
      { cartsTable: tableNames.carts, testCartsTable: tableNames.testCarts },
      time.now,
    ),
    idempotencySecret: memo(() =>
      readIdempotencySecret(documents, tableNames.secrets, IDEMPOTENCY_SECRET_IDS.carts),
    ),
    endpointSecret: memo(() =>
      readIdempotencySecret(documents, tableNames.secrets, IDEMPOTENCY_SECRET_IDS.endpoints),
    ),
    stores: createStoreRepository(documents, tableNames.stores),
    testPayments: createPaymentRepository(documents, tableNames.testCarts, {
      log,
      now: time.now,
    }),
    abandonments: {
      live: createAbandonmentRepository(tableNames.carts, log),
      test: createAbandonmentRepository(tableNames.testCarts, log),
    },
    actionLimiter: createActionLimiter(documents, tableNames.testCarts),
    events: createEventRepository(documents, tableNames.events),
    endpoints: createEndpointRepository(documents, tableNames.webhookEndpoints),
    registry: createEndpointRegistry(documents, tableNames, { log, now: time.now }),
    deliveries: createDeliveryRepository(documents, tableNames.deliveries, time.now),
    queued,
    queue,
    /** The DNS, which a test may replace. */
    dns,
    checkHost: createHostCheck(createAddressChecks(documents, tableNames.apiKeys), (host) =>
      dns.resolve(host),
    ),
    urlOptions: { publicUrl: PUBLIC_URL },
    lifetime: LIFETIME,
    checkoutUrls: CHECKOUT_URLS,
    stageName: 'test',
  };
};

type Dependencies = ReturnType<typeof createDependencies>;

/** Composes each function that serves HTTP. The compiler reports a missing one. */
const FUNCTIONS: Readonly<Record<HttpFunctionName, (dependencies: Dependencies) => ProxyFunction>> = {
  'create-cart-checkout': createCartCheckout,
  'get-cart': getCartFunction,
  'expire-cart': expireCart,
  'list-events': listEvents,
  'webhook-endpoints': ({ endpointSecret, ...dependencies }) =>
    webhookEndpoints({ ...dependencies, idempotencySecret: endpointSecret }),
  'sandbox-checkout': ({ carts, testPayments, abandonments, ...dependencies }) =>
    sandboxCheckout({
      ...dependencies,
      carts: carts.test,
      payments: testPayments,
      abandonments: abandonments.test,
    }),
};

/** The service in this process: the real functions and pipeline, on the given tables and a clock of its own. */
export const composeService = (database: TestDatabase) => {
  const { documents, tableNames } = database;
  const dependencies = createDependencies(database);
  const catalogue = createProductCatalogue(documents, tableNames.products);
  const { time: clock, carts, stores, endpoints, queue, queued, dns } = dependencies;
  const apiKeys = createApiKeyRepository(documents, tableNames.apiKeys);
  const handlers = new Map<HttpFunctionName, ProxyFunction>();
  const handlerOf = (name: HttpFunctionName): ProxyFunction => {
    const handler = handlers.get(name) ?? FUNCTIONS[name](dependencies);
    handlers.set(name, handler);
    return handler;
  };

  /** Calls an operation by its name, and asserts that the response keeps the contract. */
  const send = async (
    name: JsonOperationName,
    { apiKey, headers, ...request }: OperationRequest & ApiRequest,
  ): Promise<ApiResponse> => {
    const { method, functionName } = OPERATIONS[name];
    const sent = {
      'Content-Type': request.body === undefined ? undefined : 'application/json',
      Authorization: apiKey === undefined ? undefined : `Bearer ${apiKey}`,
      ...headers,
    };
    const invoked = await invoke(handlerOf(functionName), name, { ...request, headers: sent }, clock.now);
    const response = { ...invoked, body: parseBody(invoked.bodyText, invoked.status) };
    assertKeepsContract(method, targetOf(name, request), response);
    return response;
  };

  return {
    clock,
    documents,
    tableNames,
    apiKeys,
    carts,
    stores,
    endpoints,
    queue,
    /** The messages in the delivery queue. */
    queued,
    dns,
    handlerOf,
    send,

    /** Issues a key: of the default store, in test mode and with the default limits, apart from `changes`. */
    async givenKey(changes: Partial<NewApiKey> = {}): Promise<string> {
      const mode = changes.mode ?? 'test';
      const key = {
        secret: generateApiKey(mode),
        storeId: STORE_ID,
        mode,
        ...DEFAULT_LIMITS,
        nowMs: clock.now(),
        ...changes,
      };
      await apiKeys.issue(key);
      return key.secret;
    },

    /** Stores a {@link fixedProduct} with an id of its own. Returns the id. */
    async givenProduct(changes: Partial<Product> = {}): Promise<string> {
      const stored = fixedProduct({ id: `product-${randomUUID()}`, ...changes });
      await catalogue.put(stored);
      return stored.id;
    },

    /** Creates a cart; the body is sent as it is. */
    createCart: (body: string | Uint8Array, request: ApiRequest): Promise<ApiResponse> =>
      send('createCartCheckout', { body, ...request }),

    /** Reads a cart as the payment side does. */
    getPaymentCart: (cartId: string): Promise<ApiResponse> =>
      send('getPaymentCart', { pathParameters: { cartId } }),

    /** Retrieves a cart. */
    getCart: (cartId: string, request: ApiRequest): Promise<ApiResponse> =>
      send('getCart', { pathParameters: { cartId }, ...request }),
  };
};

export type TestService = ReturnType<typeof composeService>;

/** The service in this process, on tables of its own in the embedded DynamoDB. */
export const givenService = async (): Promise<TestService> => composeService(await givenDatabase());
