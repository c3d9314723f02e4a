import { randomUUID } from 'node:crypto';
import { HTTP_FUNCTION_NAMES } from '../../../functions/function-needs.ts';
import { type HttpFunctionName, OPERATIONS } from '../../../functions/operations.ts';
import { generateApiKey } from '../../../lib/api-keys/api-key.ts';
import { DEFAULT_LIMITS } from '../../../lib/api-keys/key-limits.ts';
import type { TableKind } from '../../../lib/database/tables.ts';
import type { ProxyFunction } from '../../../lib/http/pipeline.ts';
import { createApiKeyRepository, type NewApiKey } from '../../../lib/operators/api-key-repository.ts';
import { createOperatorProductRepository } from '../../../lib/operators/operator-product-repository.ts';
import type { Product } from '../../../lib/products/product.ts';
import { type ApiResponse, assertKeepsContract, parseBody } from '../contract/contract.ts';
import { givenDatabase, type TestTables } from '../database/database.ts';
import { fixedProduct } from '../domain/products.ts';
import { createDependencies, STORE_ID } from '../functions/dependencies.ts';
import { invoke, type OperationRequest, targetOf } from '../functions/invoke.ts';
import { FUNCTION_ROWS } from '../operations/all-rows.ts';
import type { MerchantOperationName } from '../operations/row-types.ts';

export interface ApiRequest {
  readonly apiKey?: string | undefined;
  /** Headers that add to the usual ones or replace them; one with the value `undefined` is not sent. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

/** The operations whose responses are JSON. Only those of merchants are in the public contract. */
type JsonOperationName = MerchantOperationName | 'getPaymentCart';

/** Composes each function that serves HTTP. */
const COMPOSERS = new Map(
  await Promise.all(
    HTTP_FUNCTION_NAMES.map(async (name) => [name, await FUNCTION_ROWS[name].load()] as const),
  ),
);

/** The service in this process: the real functions and pipeline, on the given tables and a clock of its own. */
export const composeService = (database: TestTables) => {
  const { documents, tableNames } = database;
  const dependencies = createDependencies(database);
  const operatorProducts = createOperatorProductRepository(documents, tableNames.products);
  const { time: clock, carts, stores, endpoints, queue, queued, dns } = dependencies;
  const apiKeys = createApiKeyRepository(documents, tableNames.apiKeys);
  const handlers = new Map<HttpFunctionName, ProxyFunction>();
  const handlerOf = (name: HttpFunctionName): ProxyFunction => {
    const handler = handlers.get(name) ?? COMPOSERS.get(name)!(dependencies);
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
        keyText: generateApiKey(mode),
        storeId: STORE_ID,
        mode,
        ...DEFAULT_LIMITS,
        nowMs: clock.now(),
        ...changes,
      };
      await apiKeys.issue(key);
      return key.keyText;
    },

    /** Stores a {@link fixedProduct} with an id of its own. Returns the id. */
    async givenProduct(changes: Partial<Product> = {}): Promise<string> {
      const stored = fixedProduct({ id: `product-${randomUUID()}`, ...changes });
      await operatorProducts.put(stored);
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

/**
 * The service in this process, on tables of its own in the embedded DynamoDB.
 *
 * @param kinds as in `givenDatabase`
 */
export const givenService = async (kinds: readonly TableKind[] = []): Promise<TestService> =>
  composeService(await givenDatabase(kinds));
