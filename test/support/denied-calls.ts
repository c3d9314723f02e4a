import type { FunctionName } from '../../functions/operations.ts';
import type { TableKind } from '../../infra/stage/tables.ts';
import { IDEMPOTENCY_SECRET_IDS } from '../../lib/idempotency/idempotency-secret.ts';
import { COUNTER_ATTRIBUTES } from '../../lib/events/event-counter.ts';
import { BODY_ATTRIBUTES, type EventFamily } from '../../lib/events/event-family.ts';
import { eventAttributesOf } from '../../lib/events/event-item.ts';
import type { ItemCall } from './iam.ts';

/** A read or write of DynamoDB, or the type of an event that a function puts on the bus. */
export type RoleCall = ItemCall | { readonly eventType: string };

const on = (
  table: TableKind,
  action: string,
  partitionKey: string,
  attributes: readonly string[] = [],
): ItemCall => ({ table, action, partitionKey, attributes });

const CART_ID = '3f8dc76d-3e37-4cd4-8f8a-9eebedf66201';
const READ_OWN_SECRET = on('secrets', 'GetItem', IDEMPOTENCY_SECRET_IDS.carts);

/** Writes an event of a family. */
const writeEvent = (family: EventFamily, log = 'live#shop'): ItemCall =>
  on('events', 'PutItem', log, eventAttributesOf([family]));

const EVENT_FAMILIES = Object.keys(BODY_ATTRIBUTES) as EventFamily[];

/** The families of which a function writes events. Only one function may write that money moved, into a live log. */
const WRITTEN_FAMILIES: Readonly<Partial<Record<FunctionName, readonly EventFamily[]>>> = {
  'expire-cart': ['abandonment'],
  'webhook-endpoints': ['endpoint'],
  'record-payment': ['payment'],
  'run-due': ['abandonment'],
  'sandbox-checkout': [],
  'fan-out-events': [],
};

const OTHER_LIVE_EVENTS = Object.entries(WRITTEN_FAMILIES).flatMap(([name, families]) =>
  EVENT_FAMILIES.filter((family) => !families.includes(family)).map(
    (family) =>
      [name as FunctionName, `write a live event of the family ${family}`, writeEvent(family)] as const,
  ),
);
const MOVE_KEY = on('apiKeys', 'UpdateItem', 'key', ['keyId', 'storeId']);
const MOVE_ENDPOINT = on('webhookEndpoints', 'UpdateItem', 'live#shop', ['log', 'id', 'url']);

/** At least one call of each function that its role must not permit. The text completes "The role may not". */
export const DENIED_CALLS: readonly (readonly [FunctionName, what: string, RoleCall])[] = [
  ['create-cart-checkout', 'move a key to another store', MOVE_KEY],
  ['create-cart-checkout', 'write the claim of a payment', on('carts', 'PutItem', 'payment#1')],
  ['get-cart', 'write a live cart', on('carts', 'PutItem', CART_ID)],
  ['expire-cart', 'write a live cart', on('carts', 'PutItem', CART_ID)],
  ['list-events', "read the stage's own secret", READ_OWN_SECRET],
  ['webhook-endpoints', 'move a key to another store', MOVE_KEY],
  ['webhook-endpoints', 'write a live cart', on('carts', 'PutItem', CART_ID)],
  ['webhook-endpoints', 'read the key of the canary', on('secrets', 'GetItem', 'canary')],
  ['sandbox-checkout', 'read a live cart', on('carts', 'GetItem', CART_ID)],
  ['sandbox-checkout', 'update the claim of a payment', on('testCarts', 'UpdateItem', 'payment#1')],
  ['sandbox-checkout', 'write a test event about an endpoint', writeEvent('endpoint', 'test#shop')],
  [
    'sandbox-checkout',
    'move the counter of a live log',
    on('events', 'UpdateItem', 'live#shop', COUNTER_ATTRIBUTES),
  ],
  ['record-payment', 'read an API key', on('apiKeys', 'GetItem', 'key')],
  ['canary', "read the stage's own secret", READ_OWN_SECRET],
  ['fan-out-events', 'send a payment', { eventType: 'payment.succeeded' }],
  ['run-due', 'change the address of an endpoint', MOVE_ENDPOINT],
  ['deliver-webhooks', "read the stage's own secret", READ_OWN_SECRET],
  ['deliver-webhooks', 'send cart.completed', { eventType: 'cart.completed' }],
  [
    'run-due',
    'update the body of an event',
    on('events', 'UpdateItem', 'live#shop', ['log', 'sequence', 'paymentBody']),
  ],
  [
    'create-cart-checkout',
    'read the secret of endpoints',
    on('secrets', 'GetItem', IDEMPOTENCY_SECRET_IDS.endpoints),
  ],
  [
    'webhook-endpoints',
    'replace the secret of carts',
    on('secrets', 'PutItem', IDEMPOTENCY_SECRET_IDS.carts),
  ],
  ...OTHER_LIVE_EVENTS,
];
