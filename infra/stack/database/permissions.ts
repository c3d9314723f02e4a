import type { Access, ACCESS_TABLES } from '../../../functions/access.ts';
import { BUCKET_ATTRIBUTES } from '../../../lib/api-keys/bucket-updates.ts';
import { CANARY_KEY_ID } from '../../../lib/canary/canary-key-repository.ts';
import { otherItemId } from '../../../lib/carts/item-ids.ts';
import type { TableKind } from '../../../lib/database/tables.ts';
import { LEASE_ATTRIBUTES } from '../../../lib/deliveries/leases/leases.ts';
import { ENDPOINT_TIMER_ATTRIBUTES } from '../../../lib/deliveries/parking/endpoint-timers.ts';
import { parkedPartition } from '../../../lib/deliveries/parking/parked-deliveries.ts';
import { DNS_CHECK_ATTRIBUTES } from '../../../lib/endpoints/address/dns-check-lock.ts';
import { COUNTER_ATTRIBUTES } from '../../../lib/events/event-counter.ts';
import { eventAttributesOf } from '../../../lib/events/event-item.ts';
import type { EventFamily } from '../../../lib/events/event-types.ts';
import {
  IDEMPOTENCY_SECRET_IDS,
  type IdempotencySecretId,
} from '../../../lib/idempotency/idempotency-secret.ts';
import { STORE_INDEX } from '../../../lib/products/product.ts';
import { TIMER_ATTRIBUTES, TIMER_INDEX } from '../../../lib/timers/timer.ts';
import { keyNamesOf } from '../../stage/tables.ts';

/** One DynamoDB action that a function may call. A transaction needs the permission for each of its writes. */
export interface Permission<Table extends TableKind = TableKind> {
  readonly table: Table;
  readonly action:
    | 'BatchGetItem'
    | 'BatchWriteItem'
    | 'ConditionCheckItem'
    | 'DeleteItem'
    | 'GetItem'
    | 'PutItem'
    | 'Query'
    | 'Scan'
    | 'UpdateItem';
  /** The index that the call reads. Default: the table itself. */
  readonly index?: typeof TIMER_INDEX | typeof STORE_INDEX;
  /**
   * The only attributes that the call may name. Default: all. A put names those of its item. A call may still return others, as
   * by `ALL_NEW`: `dynamodb:ReturnValues` would limit these.
   * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/specifying-conditions.html
   */
  readonly attributes?: readonly string[];
  /** The partition keys that the call may name, as an IAM pattern. Default: all. */
  readonly partitionKeys?: string;
}

/** The condition of a permission's IAM statement, if it has one. */
export const conditionsOf = ({
  attributes,
  partitionKeys,
}: Permission): Readonly<Record<string, object>> | undefined => {
  const limits = [
    ['StringEquals', 'dynamodb:Attributes', attributes ?? []],
    ['StringLike', 'dynamodb:LeadingKeys', partitionKeys === undefined ? [] : [partitionKeys]],
  ] as const;
  const given = limits.filter(([, , values]) => values.length > 0);
  if (given.length === 0) return undefined;
  return {
    ...Object.fromEntries(
      given.map(([operator, key, values]) => [`ForAllValues:${operator}`, { [key]: values }]),
    ),
    // `ForAllValues` also holds for a request without the condition key, so the key must be there.
    Null: Object.fromEntries(given.map(([, key]) => [key, 'false'])),
  };
};

/**
 * A change and its event are one transaction, after a read of the log's counter. If the counter is missing or behind, the last
 * event is read. IAM checks the attributes of each write: the update of the counter reaches no body of an event, and an event
 * can only have the body of the given families.
 */
const appendEvents = (...families: readonly EventFamily[]): readonly Permission<'events'>[] => [
  { table: 'events', action: 'GetItem' },
  { table: 'events', action: 'Query' },
  { table: 'events', action: 'PutItem', attributes: eventAttributesOf(families) },
  { table: 'events', action: 'UpdateItem', attributes: COUNTER_ATTRIBUTES },
];

/** The right to read an idempotency secret, and to create it. */
const idempotencySecret = (id: IdempotencySecretId): readonly Permission<'secrets'>[] => [
  { table: 'secrets', action: 'GetItem', partitionKeys: id },
  { table: 'secrets', action: 'PutItem', partitionKeys: id },
];

/** The partition keys of carts, which are UUIDs. The claims of payments in the same table have others. */
const CART_IDS = '????????-????-????-????-????????????';

/** The partition keys of the claims of payments: `claimId` in `lib/payments/payment-record-repository.ts`. */
const CLAIM_IDS = otherItemId('payment', '*');

/** The partition keys of the limits of test carts: `actionsId` in `lib/carts/action-buckets.ts`. */
const ACTIONS_IDS = otherItemId('actions', '*');

/** The partition keys of webhook secrets: `generateEndpointId` in `lib/endpoints/endpoint.ts`. */
const ENDPOINT_IDS = 'we_*';

/** The permissions of each access, on its tables. */
export const PERMISSIONS: Readonly<Record<Access, readonly Permission[]>> = {
  // One conditional update of a key's item, or a read if its bucket is known to be empty. All other attributes of a key
  // (store, mode, label, locale, revocation, expiry) are read-only to functions.
  takeToken: [
    { table: 'apiKeys', action: 'UpdateItem', attributes: BUCKET_ATTRIBUTES },
    { table: 'apiKeys', action: 'GetItem' },
  ],
  lockDnsCheck: [{ table: 'apiKeys', action: 'UpdateItem', attributes: DNS_CHECK_ATTRIBUTES }],
  findProduct: [{ table: 'products', action: 'GetItem' }],
  listProducts: [{ table: 'products', action: 'Query', index: STORE_INDEX }],
  findStore: [{ table: 'stores', action: 'GetItem' }],
  // One function alone creates each secret.
  useCartIdempotencySecret: idempotencySecret(IDEMPOTENCY_SECRET_IDS.carts),
  useEndpointIdempotencySecret: idempotencySecret(IDEMPOTENCY_SECRET_IDS.endpoints),
  readCanaryKey: [{ table: 'secrets', action: 'GetItem', partitionKeys: CANARY_KEY_ID }],
  // A cart of either mode.
  findCart: [
    { table: 'carts', action: 'GetItem' },
    { table: 'testCarts', action: 'GetItem' },
  ],
  createCart: [
    { table: 'carts', action: 'PutItem', partitionKeys: CART_IDS },
    { table: 'testCarts', action: 'PutItem', partitionKeys: CART_IDS },
  ],
  // A cart, and the claim of its payment. A refund that comes before its payment checks the claim.
  savePayment: [
    { table: 'carts', action: 'PutItem' },
    { table: 'testCarts', action: 'PutItem' },
    { table: 'carts', action: 'ConditionCheckItem', partitionKeys: CLAIM_IDS },
    { table: 'testCarts', action: 'ConditionCheckItem', partitionKeys: CLAIM_IDS },
  ],
  // The sandbox is public, so it reaches no live cart.
  findTestCart: [{ table: 'testCarts', action: 'GetItem' }],
  saveTestPayment: [{ table: 'testCarts', action: 'PutItem' }],
  takeTestAction: [{ table: 'testCarts', action: 'UpdateItem', partitionKeys: ACTIONS_IDS }],
  expireTestCart: [{ table: 'testCarts', action: 'UpdateItem', partitionKeys: CART_IDS }],
  expireCart: [
    { table: 'carts', action: 'UpdateItem', partitionKeys: CART_IDS },
    { table: 'testCarts', action: 'UpdateItem', partitionKeys: CART_IDS },
  ],
  // Only the role that records payments may write that money moved, in live mode.
  appendPayments: appendEvents('payment'),
  appendAbandonments: appendEvents('abandonment'),
  appendEndpointChanges: appendEvents('endpoint'),
  // The sandbox is public, so it reaches no event log of live mode: `logKey` in `lib/events/logged-event.ts`.
  appendTestEvents: appendEvents('payment', 'abandonment').map((permission) => ({
    ...permission,
    partitionKeys: 'test#*',
  })),
  readEvents: [{ table: 'events', action: 'Query' }],
  findEndpoints: [{ table: 'webhookEndpoints', action: 'Query' }],
  // A change of an endpoint, its secret and an event are one transaction. A delivery that is sent again needs its event.
  manageEndpoints: [
    ...(['GetItem', 'PutItem', 'DeleteItem'] as const).map((action): Permission<'secrets'> => ({
      table: 'secrets',
      action,
      partitionKeys: ENDPOINT_IDS,
    })),
    ...(['GetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'] as const).map(
      (action): Permission<'webhookEndpoints'> => ({
        table: 'webhookEndpoints',
        action,
      }),
    ),
    { table: 'deliveries', action: 'GetItem' },
    { table: 'deliveries', action: 'Query' },
    { table: 'events', action: 'GetItem' },
  ],
  // It reaches no secret but those of webhooks. It cannot change the address of an endpoint.
  deliver: [
    { table: 'secrets', action: 'GetItem', partitionKeys: ENDPOINT_IDS },
    { table: 'events', action: 'GetItem' },
    {
      table: 'webhookEndpoints',
      action: 'UpdateItem',
      attributes: [...keyNamesOf('webhookEndpoints'), ...LEASE_ATTRIBUTES, ...ENDPOINT_TIMER_ATTRIBUTES],
    },
    { table: 'deliveries', action: 'GetItem' },
    { table: 'deliveries', action: 'UpdateItem' },
    ...(['Query', 'BatchWriteItem', 'DeleteItem'] as const).map((action): Permission<'deliveries'> => ({
      table: 'deliveries',
      action,
      partitionKeys: parkedPartition('*'),
    })),
  ],
  // Reads what is due, and the items themselves. It ends or moves their timers, abandons carts and erases buyers' data. The
  // erasure of a cart may remove any attribute, also those that a later release stored.
  runTimers: [
    ...(['carts', 'testCarts'] as const).flatMap((table): readonly Permission<'carts' | 'testCarts'>[] => [
      { table, action: 'Query', index: TIMER_INDEX },
      { table, action: 'BatchGetItem' },
      { table, action: 'UpdateItem', partitionKeys: CART_IDS },
    ]),
    { table: 'webhookEndpoints', action: 'Query', index: TIMER_INDEX },
    {
      table: 'webhookEndpoints',
      action: 'UpdateItem',
      attributes: [...keyNamesOf('webhookEndpoints'), ...ENDPOINT_TIMER_ATTRIBUTES],
    },
    { table: 'deliveries', action: 'Query', index: TIMER_INDEX },
    { table: 'deliveries', action: 'BatchGetItem' },
    {
      table: 'deliveries',
      action: 'UpdateItem',
      attributes: [...keyNamesOf('deliveries'), ...TIMER_ATTRIBUTES],
    },
  ],
} satisfies { readonly [Name in Access]: readonly Permission<(typeof ACCESS_TABLES)[Name][number]>[] };
