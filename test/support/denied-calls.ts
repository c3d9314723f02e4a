import { type Access, EVENT_FUNCTIONS, HTTP_FUNCTIONS } from '../../functions/operations.ts';
import type { FunctionName } from '../../infra/stack/concurrency.ts';
import type { TableKind } from '../../infra/tables.ts';
import { IDEMPOTENCY_SECRET_ID } from '../../lib/carts/idempotency-secret.ts';
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
const READ_OWN_SECRET = on('secrets', 'GetItem', IDEMPOTENCY_SECRET_ID);
const WRITE_LIVE_EVENT = on('events', 'PutItem', 'live#shop');
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
  ['sandbox-checkout', 'write a live event', WRITE_LIVE_EVENT],
  ['record-payment', 'read an API key', on('apiKeys', 'GetItem', 'key')],
  ['canary', "read the stage's own secret", READ_OWN_SECRET],
  ['fan-out-events', 'write a live event', WRITE_LIVE_EVENT],
  ['fan-out-events', 'send a payment', { eventType: 'payment.succeeded' }],
  ['run-due', 'change the address of an endpoint', MOVE_ENDPOINT],
  ['deliver-webhooks', "read the stage's own secret", READ_OWN_SECRET],
  ['deliver-webhooks', 'send cart.completed', { eventType: 'cart.completed' }],
];

export const accessesOf = (name: FunctionName): readonly Access[] =>
  name in EVENT_FUNCTIONS
    ? EVENT_FUNCTIONS[name as keyof typeof EVENT_FUNCTIONS].access
    : HTTP_FUNCTIONS.find((each) => each.name === name)!.access;
