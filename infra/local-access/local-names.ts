import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { TABLE_KINDS, type TableKind } from '../../lib/database/tables.ts';
import { TABLES } from '../stage/tables.ts';

/** Names every table of a stage by a prefix of its own. */
export const tableNamesOf = (prefix: string): Readonly<Record<TableKind, string>> => {
  const names = TABLE_KINDS.map((kind) => [kind, `${prefix}-${TABLES[kind].name}`]);
  return Object.fromEntries(names) as Record<TableKind, string>;
};

/** The names of the local stage's tables. */
export const LOCAL_TABLE_NAMES = tableNamesOf('cart-checkout-local');

/**
 * The client configuration for a local stage's endpoint, whatever the developer's settings of AWS are. Its credentials are made
 * up: real ones are never sent.
 */
export const localClientConfig = (endpoint: string) =>
  ({
    endpoint,
    region: 'local',
    // The SDK rejects them beside an endpoint.
    useFipsEndpoint: false,
    useDualstackEndpoint: false,
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  }) satisfies DynamoDBClientConfig;

/** The event bus of the local stage. */
export const LOCAL_BUS = 'local';

/** The queues of the local stage, by the outputs of a deployed stage with their addresses. */
const LOCAL_QUEUES = {
  PaymentsQueueUrl: 'payments',
  PaymentDeadLetterQueueUrl: 'payment-dead-letters',
  EventDeadLetterQueueUrl: 'event-dead-letters',
  DeliveryQueueUrl: 'deliveries',
  TestDeliveryQueueUrl: 'test-deliveries',
  SlowDeliveryQueueUrl: 'slow-deliveries',
  SlowTestDeliveryQueueUrl: 'slow-test-deliveries',
  DeliveryDeadLetterQueueUrl: 'delivery-dead-letters',
} as const;

/** A queue of the local stage. */
export type LocalQueueName = (typeof LOCAL_QUEUES)[keyof typeof LOCAL_QUEUES];

/** The address of a queue of the local stage, by the endpoint that the stage prints. */
export const localQueueUrl = (endpoint: string, name: LocalQueueName): string =>
  `${endpoint}/000000000000/${name}`;

/** The addresses of all queues of the local stage, by the outputs of a deployed stage. */
export const localQueueUrls = (endpoint: string) =>
  Object.fromEntries(
    Object.entries(LOCAL_QUEUES).map(([output, name]) => [output, localQueueUrl(endpoint, name)]),
  ) as Readonly<Record<keyof typeof LOCAL_QUEUES, string>>;
