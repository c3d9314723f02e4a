import type { OperationName, OPERATIONS } from '../../../functions/operations.ts';
import type { TableKind } from '../../../lib/database/tables.ts';
import type { ProxyFunction } from '../../../lib/http/pipeline.ts';
import type { Product } from '../../../lib/products/product.ts';
import type { Mode } from '../../../lib/stores/mode.ts';
import type { Dependencies } from '../functions/dependencies.ts';
import type { ItemCall } from '../functions/iam.ts';
import type { OperationRequest } from '../functions/invoke.ts';

/** The operations that a merchant's server calls: those of the public contract. */
export type MerchantOperationName = {
  [Name in OperationName]: (typeof OPERATIONS)[Name]['caller'] extends 'merchant' ? Name : never;
}[OperationName];

/** The operations on webhook endpoints. `test/functions/webhook-endpoints` isolates their merchants and measures their units. */
export type EndpointOperation = Extract<OperationName, `${string}Webhook${string}`>;

/** The database calls of a request: an update of its key, a read, and a write or transaction. */
export type DatabaseCall = 'key' | 'read' | 'write';

type MalformedItem = readonly [what: string, item: object];

/** The part of an operation of merchants that tests need. */
export interface MerchantRow {
  /** One valid request. */
  readonly request: OperationRequest;
  /** The status of its response where the items of `stored.ts` exist. */
  readonly status: number;
  /** Its database calls, in order: an event follows a read of its log's counter. */
  readonly calls: readonly DatabaseCall[];
  /** It reads while the key's call runs. Default: the read needs the store of the key, so it waits. */
  readonly readsWithKey?: true;
  /** Stored items of the wrong shape, which the operation's read returns; the response is a 500. */
  readonly malformedItems: readonly [MalformedItem, ...MalformedItem[]];
}

/** A store in one mode, with a key and stored items. */
export interface Merchant {
  readonly storeId: string;
  readonly mode: Mode;
  readonly apiKey: string;
  readonly productId: string;
  /** A text in the price of the store's product, in either mode. */
  readonly price: string;
  /** A cart with an event. */
  readonly cartId: string;
  /** A text in the `meta` of this cart and of its event. */
  readonly note: string;
  readonly idempotencyKey: string;
  /** The cart of this key. */
  readonly idempotentCartId: string;
}

/** The part of an operation on the items of a store that `isolation.test.ts` needs. */
export interface IsolatedRow {
  /** Requests of a caller that name the items of an owner in every place that names one. */
  readonly isolation: (owner: Merchant, caller: Merchant) => readonly OperationRequest[];
}

/** A service with a known key and product, on which units are measured. */
export interface MeasuredService {
  readonly apiKey: string;
  readonly givenKey: (changes: { readonly storeId: string }) => Promise<string>;
  readonly givenProduct: (changes: Partial<Product>) => Promise<string>;
  readonly givenCart: () => Promise<string>;
  /** A store with 100 events of nearly 1 KB; returns a key of it. */
  readonly givenEvents: (storeId: string) => Promise<string>;
  readonly send: (name: MerchantOperationName, request: OperationRequest) => Promise<unknown>;
}

/** The part of an operation outside the load that `consumed-capacity.test.ts` needs. */
export interface MeasuredRow {
  /** Prepares a request with the most units of its usual use: `OPERATION_USE`. */
  readonly prepare: (service: MeasuredService) => Promise<OperationRequest & { readonly apiKey: string }>;
}

/** A read or write of DynamoDB, or the type of an event that a function puts on the bus. */
export type RoleCall = ItemCall | { readonly eventType: string };

/** The part of a function that tests need. */
export interface FunctionRow {
  /** At least one call that its role must not permit. The text completes "The role may not". */
  readonly denied: readonly [DeniedCall, ...DeniedCall[]];
}

export type DeniedCall = readonly [what: string, call: RoleCall];

/** The part of a function behind the gateway that tests need. */
export interface HttpFunctionRow extends FunctionRow {
  /** Loads its operation. The row itself needs no environment. */
  readonly load: () => Promise<(dependencies: Dependencies) => ProxyFunction>;
  /** The connections of its first request, and the calls of its warm-up, such as `GetItem products`. */
  readonly warmUp: { readonly connections: number; readonly calls: readonly string[] };
}

/** A call of an item, or of items with some attributes. */
export const on = (
  table: TableKind,
  action: string,
  partitionKey: string,
  attributes: readonly string[] = [],
): ItemCall => ({ table, action, partitionKey, attributes });
