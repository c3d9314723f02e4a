import { ScanCommand, type ScanCommandInput } from '@aws-sdk/lib-dynamodb';
import type { Documents } from '../core/documents.ts';
import type { Mode } from '../core/mode.ts';
import type { Cart, CartStatus } from './cart.ts';

/** The conditions of the carts to find. By default, each holds for every cart. */
export interface CartFilter {
  readonly storeId?: string | undefined;
  readonly mode?: Mode | undefined;
  /** The status at `nowMs`. */
  readonly status?: CartStatus | undefined;
  /** Created at this time or later. */
  readonly sinceMs?: number | undefined;
  /** Created before this time. */
  readonly untilMs?: number | undefined;
  readonly nowMs: number;
}

const LISTED_FIELDS = [
  'id',
  'storeId',
  'mode',
  'status',
  'createdAtMs',
  'updatedAtMs',
  'expiresAtMs',
  'productId',
  'price',
  'paymentId',
] as const satisfies readonly (keyof Cart)[];

/** A cart in a list: without its buyer and its `meta`. */
export type ListedCart = Pick<Cart, (typeof LISTED_FIELDS)[number]>;

type Condition = readonly [condition: string, values: Readonly<Record<string, unknown>>];

/** The condition of a status. `abandoned` is never stored: see `statusAt`. */
const ofStatus = (status: CartStatus, nowMs: number): Condition => {
  if (status === 'completed' || status === 'payment_failed')
    return ['#status = :status', { ':status': status }];
  const comparison = status === 'abandoned' ? '<=' : '>';
  return [
    `#status = :status AND #expiresAtMs ${comparison} :now`,
    { ':status': 'waiting_payment', ':now': nowMs },
  ];
};

const conditionsOf = ({ storeId, mode, status, sinceMs, untilMs, nowMs }: CartFilter): Condition[] => [
  // The claim of a payment, in the table of its cart, has no store.
  storeId === undefined
    ? ['attribute_exists(#storeId)', {}]
    : ['#storeId = :storeId', { ':storeId': storeId }],
  ...(mode === undefined ? [] : [['#mode = :mode', { ':mode': mode }] as const]),
  ...(status === undefined ? [] : [ofStatus(status, nowMs)]),
  ...(sinceMs === undefined ? [] : [['#createdAtMs >= :since', { ':since': sinceMs }] as const]),
  ...(untilMs === undefined ? [] : [['#createdAtMs < :until', { ':until': untilMs }] as const]),
];

/** The scan that finds carts in a table. DynamoDB drops the other carts, and returns {@link ListedCart}s. */
export const cartScan = (TableName: string, filter: CartFilter): ScanCommandInput => {
  const conditions = conditionsOf(filter);
  const values = Object.assign({}, ...conditions.map(([, each]) => each)) as Record<string, unknown>;
  return {
    TableName,
    FilterExpression: conditions.map(([condition]) => condition).join(' AND '),
    ProjectionExpression: LISTED_FIELDS.map((field) => `#${field}`).join(', '),
    ExpressionAttributeNames: Object.fromEntries(LISTED_FIELDS.map((field) => [`#${field}`, field])),
    ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
  };
};

/** A place between two items of a table, in the order of a scan. */
export interface ArchivePosition {
  readonly tableName: string;
  /** The id of the item before the place. Absent at the beginning of the table. */
  readonly afterId?: string | undefined;
}

/** A part of a read that takes several calls. */
export interface ArchiveRead {
  /** The items that DynamoDB read, with those that the filter dropped. */
  readonly scannedItems: number;
  readonly readUnits: number;
}

export interface ArchiveOptions {
  /** The most carts to find. */
  readonly limit: number;
  /** By default, the beginning of the first table. */
  readonly from?: ArchivePosition | undefined;
  /** Runs after each call. The read ends early if it returns `false`. */
  readonly afterCall: (read: ArchiveRead) => Promise<boolean>;
}

export interface ArchivePage {
  /** In no order. */
  readonly carts: readonly ListedCart[];
  /** Where the next page begins. Absent at the end of the last table. */
  readonly next?: ArchivePosition;
}

/** Carts for operators. Requests never use it: each finds one cart by its id. */
export interface CartArchive {
  /** Reads tables from a position, until it has found enough carts. The pages of a filter have each cart once. */
  page(filter: CartFilter, options: ArchiveOptions): Promise<ArchivePage>;
}

/** The items of one call: few enough for a page to end soon, with carts of 1 KB about 60 read units. */
const ITEMS_PER_CALL = 500;

/** Finds carts in DynamoDB by a scan. An index by store would cost every new cart one more write unit. */
export const createCartArchive = (documents: Documents, tableNames: readonly string[]): CartArchive => {
  const read = async (filter: CartFilter, { tableName, afterId }: ArchivePosition) => {
    const { Items = [], ...output } = await documents.send(
      new ScanCommand({
        ...cartScan(tableName, filter),
        Limit: ITEMS_PER_CALL,
        ...(afterId !== undefined && { ExclusiveStartKey: { id: afterId } }),
        ReturnConsumedCapacity: 'TOTAL',
      }),
    );
    const { ScannedCount: scannedItems = 0, ConsumedCapacity, LastEvaluatedKey } = output;
    const lastId = LastEvaluatedKey?.['id'] as string | undefined;
    const nextTable = tableNames[tableNames.indexOf(tableName) + 1];
    const next =
      lastId === undefined ? nextTable && { tableName: nextTable } : { tableName, afterId: lastId };
    return {
      carts: Items as ListedCart[],
      next: next as ArchivePosition | undefined,
      cost: { scannedItems, readUnits: ConsumedCapacity?.CapacityUnits ?? 0 },
    };
  };

  return {
    async page(filter, { limit, from, afterCall }) {
      const found: ListedCart[] = [];
      let position = from ?? (tableNames[0] === undefined ? undefined : { tableName: tableNames[0] });
      while (position && found.length < limit) {
        const { tableName }: ArchivePosition = position;
        // oxlint-disable-next-line no-await-in-loop -- each call begins where the last one ends
        const { carts, next, cost } = await read(filter, position);
        const taken = carts.slice(0, limit - found.length);
        found.push(...taken);
        // The next page begins with the first cart that does not fit.
        position = taken.length < carts.length ? { tableName, afterId: taken.at(-1)?.id } : next;
        // oxlint-disable-next-line no-await-in-loop -- as above
        if (!(await afterCall(cost))) break;
      }
      return { carts: found, ...(position && { next: position }) };
    },
  };
};
