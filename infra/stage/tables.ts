import { capitalised } from '../../lib/core/letter-case.ts';
import { TABLE_KINDS, type TableKind } from '../../lib/database/tables.ts';
import { STORE_INDEX } from '../../lib/products/product.ts';
import type { TableSetting } from '../../lib/settings/settings.ts';
import { TIMER_INDEX } from '../../lib/timers/timer.ts';

export interface SortKey {
  readonly name: string;
  readonly type: 'string' | 'number';
}

/** A global secondary index. */
export interface IndexDefinition {
  readonly name: string;
  /** A string attribute. */
  readonly partitionKey: string;
  readonly sortKey?: SortKey;
  /** Whether it has all attributes of the items. Default: only their keys. */
  readonly hasAttributes?: true;
}

/** A DynamoDB table, as the stack deploys it and the local stage creates it. */
export interface TableDefinition {
  /** The end of the table's name on the local stage. CloudFormation names the tables of a deployed stage. */
  readonly name: string;
  /** The partition key, a string. */
  readonly partitionKey: string;
  readonly sortKey?: SortKey;
  readonly indexes?: readonly IndexDefinition[];
  /** The attribute with the Unix second after which DynamoDB may delete an item. */
  readonly ttlAttribute?: string;
  /** Whether the deployed table has a stream of new images. The local table has none. */
  readonly hasStream?: true;
}

/** The items that wait for a time: `lib/timers/timer.ts`. */
const TIMERS = {
  name: TIMER_INDEX,
  partitionKey: 'timer',
  sortKey: { name: 'timerAtMs', type: 'number' },
} as const;

const CARTS = { partitionKey: 'id', ttlAttribute: 'deleteAtSeconds', indexes: [TIMERS] } as const;

/** The tables of a stage. */
export const TABLES = {
  /** Only the keys of `operate accept` have a time to live. */
  apiKeys: { name: 'api-keys', partitionKey: 'keyId', ttlAttribute: 'deleteAtSeconds' },
  /** Few writes, and pages of up to 100 products: an index of keys alone would make each page read its products one by one. */
  products: {
    name: 'products',
    partitionKey: 'id',
    indexes: [
      {
        name: STORE_INDEX,
        partitionKey: 'storeId',
        sortKey: { name: 'id', type: 'string' },
        hasAttributes: true,
      },
    ],
  },
  carts: { name: 'carts', ...CARTS },
  testCarts: { name: 'test-carts', ...CARTS },
  /**
   * The secrets of idempotent carts and endpoints, the key of the canary, and the signing secrets of webhook endpoints by the
   * endpoint's id. Only the mark of a removed endpoint expires.
   */
  secrets: { name: 'secrets', partitionKey: 'id', ttlAttribute: 'deleteAtSeconds' },
  /** Stores by id, with their names. */
  stores: { name: 'stores', partitionKey: 'id' },
  /** The events of each store and mode, in sequence, and their counter: `lib/events/event-log.ts`. */
  events: {
    name: 'events',
    partitionKey: 'log',
    sortKey: { name: 'sequence', type: 'number' },
    ttlAttribute: 'deleteAtSeconds',
    hasStream: true,
  },
  /** The webhook endpoints of each store and mode, with their state but without their secrets. */
  webhookEndpoints: {
    name: 'webhook-endpoints',
    partitionKey: 'log',
    sortKey: { name: 'id', type: 'string' },
    ttlAttribute: 'deleteAtSeconds',
    indexes: [TIMERS],
  },
  /** The deliveries of each webhook endpoint, by time, with their attempts. */
  deliveries: {
    name: 'deliveries',
    partitionKey: 'endpointId',
    sortKey: { name: 'id', type: 'string' },
    ttlAttribute: 'deleteAtSeconds',
    indexes: [TIMERS],
  },
  /** The carts whose buyers' data is erased, without any personal data: `lib/operators/erasures/erasure-ledger.ts`. */
  erasures: { name: 'erasures', partitionKey: 'cartId' },
} as const satisfies Readonly<Record<TableKind, TableDefinition>>;

/** The attributes of a table's key: the partition key, then the sort key if there is one. */
export const keyNamesOf = (kind: TableKind): readonly string[] => {
  const { partitionKey, sortKey }: TableDefinition = TABLES[kind];
  return sortKey ? [partitionKey, sortKey.name] : [partitionKey];
};

/** The settings with the names of tables. */
export const tableSettings = (
  names: Readonly<Record<TableKind, string>>,
): Readonly<Record<TableSetting, string>> =>
  Object.fromEntries(TABLE_KINDS.map((kind) => [`${kind}Table`, names[kind]])) as Record<
    TableSetting,
    string
  >;

/** The table's id in the stack: `carts` has `Carts`. */
export const tableIdOf = (kind: TableKind): string => capitalised(kind);

/** The kind of the table with an id: `Carts` is of `carts`. */
export const tableKindOf = <Id extends Capitalize<TableKind>>(id: Id) =>
  `${id.charAt(0).toLowerCase()}${id.slice(1)}` as Uncapitalize<Id>;

/** The stack's output with the name of a table: `carts` has `CartsTable`. */
export const tableOutputOf = (kind: TableKind): string => `${tableIdOf(kind)}Table`;
