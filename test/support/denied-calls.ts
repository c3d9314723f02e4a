import { EVENT_FUNCTIONS, HTTP_FUNCTIONS } from '../../functions/operations.ts';
import type { FunctionName } from '../../infra/stack/concurrency.ts';
import { IDEMPOTENCY_SECRET_ID } from '../../lib/carts/idempotency-secret.ts';
import type { TableKind } from '../../infra/tables.ts';
import type { Access } from '../../functions/operations.ts';
import type { ItemCall } from './iam.ts';

/** An event that a function puts on the bus. */
interface BusCall {
  readonly eventType: string;
}

export type RoleCall = ItemCall | BusCall;

/** A call that the role of a function must not permit. */
interface DeniedCall {
  readonly functionName: FunctionName;
  /** Completes "The role may not". */
  readonly what: string;
  readonly call: RoleCall;
}

const CART_ID = '3f8dc76d-3e37-4cd4-8f8a-9eebedf66201';

const on = (
  table: TableKind,
  action: string,
  partitionKey?: string,
  attributes: readonly string[] = [],
): ItemCall => ({ table, action, partitionKey, attributes });

const READ_OWN_SECRETS = on('secrets', 'GetItem', IDEMPOTENCY_SECRET_ID);

/** At least one call of each function. The policies of a deployed stage and of the synthesised one deny them. */
export const DENIED_CALLS: readonly DeniedCall[] = [
  {
    functionName: 'create-cart-checkout',
    what: 'move a key to another store',
    call: on('apiKeys', 'UpdateItem', 'key', ['keyId', 'storeId']),
  },
  {
    functionName: 'create-cart-checkout',
    what: 'write the claim of a payment',
    call: on('carts', 'PutItem', 'payment#1'),
  },
  { functionName: 'get-cart', what: 'write a live cart', call: on('carts', 'PutItem', CART_ID) },
  { functionName: 'list-events', what: "read the stage's own secrets", call: READ_OWN_SECRETS },
  { functionName: 'sandbox-checkout', what: 'read a live cart', call: on('carts', 'GetItem', CART_ID) },
  {
    functionName: 'sandbox-checkout',
    what: 'write a live event',
    call: on('events', 'PutItem', 'live#shop'),
  },
  { functionName: 'get-payment-cart', what: 'write a live cart', call: on('carts', 'PutItem', CART_ID) },
  { functionName: 'record-payment', what: 'read an API key', call: on('apiKeys', 'GetItem', 'key') },
  { functionName: 'canary', what: "read the stage's own secrets", call: READ_OWN_SECRETS },
  { functionName: 'fan-out-events', what: 'write a live event', call: on('events', 'PutItem', 'live#shop') },
  { functionName: 'fan-out-events', what: 'send a payment', call: { eventType: 'payment.succeeded' } },
  {
    functionName: 'run-due',
    what: 'change the address of an endpoint',
    call: on('webhookEndpoints', 'UpdateItem', 'live#shop', ['log', 'id', 'url']),
  },
  { functionName: 'deliver-webhooks', what: "read the stage's own secrets", call: READ_OWN_SECRETS },
  { functionName: 'deliver-webhooks', what: 'send cart.completed', call: { eventType: 'cart.completed' } },
];

/** The accesses of each function. */
export const ACCESSES: ReadonlyMap<FunctionName, readonly Access[]> = new Map<
  FunctionName,
  readonly Access[]
>([
  ...HTTP_FUNCTIONS.map(({ name, access }) => [name, access] as const),
  ...Object.entries(EVENT_FUNCTIONS).map(
    ([name, { access }]) => [name as keyof typeof EVENT_FUNCTIONS, access] as const,
  ),
]);
