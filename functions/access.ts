import type { TableKind } from '../lib/database/tables.ts';
import type { Setting } from '../lib/settings/settings.ts';

/** The rights of functions, with the tables of each. `infra/stack/database/permissions.ts` has the permissions. */
export const ACCESS_TABLES = {
  takeToken: ['apiKeys'],
  lockDnsCheck: ['apiKeys'],
  findProduct: ['products'],
  listProducts: ['products'],
  findStore: ['stores'],
  useCartIdempotencySecret: ['secrets'],
  useEndpointIdempotencySecret: ['secrets'],
  readCanaryKey: ['secrets'],
  findCart: ['carts', 'testCarts'],
  createCart: ['carts', 'testCarts'],
  savePayment: ['carts', 'testCarts'],
  findTestCart: ['testCarts'],
  saveTestPayment: ['testCarts'],
  expireTestCart: ['testCarts'],
  takeTestAction: ['testCarts'],
  expireCart: ['carts', 'testCarts'],
  appendPayments: ['events'],
  appendAbandonments: ['events'],
  appendEndpointChanges: ['events'],
  appendTestEvents: ['events'],
  readEvents: ['events'],
  findEndpoints: ['webhookEndpoints'],
  manageEndpoints: ['secrets', 'webhookEndpoints', 'deliveries', 'events'],
  deliver: ['secrets', 'events', 'webhookEndpoints', 'deliveries'],
  runTimers: ['carts', 'testCarts', 'webhookEndpoints', 'deliveries'],
} as const satisfies Readonly<Record<string, readonly TableKind[]>>;

/** A right of a function on the tables of the stage. A function with a right has the settings with the names of its tables. */
export type Access = keyof typeof ACCESS_TABLES;

/** The rights to record events. */
export const RECORDER_ACCESS: readonly Access[] = [
  'appendPayments',
  'appendAbandonments',
  'appendEndpointChanges',
  'appendTestEvents',
];

/** The settings with the addresses of the delivery queues, two for each mode. A function with them may send to the queues. */
export const DELIVERY_QUEUES = [
  'deliveryQueueUrl',
  'testDeliveryQueueUrl',
  'slowDeliveryQueueUrl',
  'slowTestDeliveryQueueUrl',
] as const satisfies readonly Setting[];
