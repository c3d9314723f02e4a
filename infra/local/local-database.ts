import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createDocumentClient } from '../../lib/aws.ts';
import type { Clock } from '../../lib/core/clock.ts';
import type { Documents } from '../../lib/core/documents.ts';
import { type TableDefinition, TABLE_KINDS, type TableKind, TABLES } from '../stage/tables.ts';
import { prepareTable } from './prepare-table.ts';

/** The tables of a stage, and the clock. */
export interface StageTables {
  readonly documents: Documents;
  readonly tableNames: Readonly<Record<TableKind, string>>;
  readonly now: Clock;
}

/** Names every table of a stage by a prefix of its own. */
export const tableNamesOf = (prefix: string): Readonly<Record<TableKind, string>> => {
  const names = TABLE_KINDS.map((kind) => [kind, `${prefix}-${TABLES[kind].name}`]);
  return Object.fromEntries(names) as Record<TableKind, string>;
};

/** The names of the local stage's tables. */
export const LOCAL_TABLE_NAMES = tableNamesOf('cart-checkout-local');

/** The client configuration for a DynamoDB on this machine. Its credentials are made up: real ones are never sent. */
export const localClientConfig = (endpoint: string) =>
  ({
    endpoint,
    region: 'local',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  }) satisfies DynamoDBClientConfig;

/**
 * Creates the client for the first calls of an embedded database: after an installation, a busy disk can slow its first
 * responses for seconds.
 */
export const createFirstClient = (endpoint: string): DynamoDBDocumentClient =>
  createDocumentClient({
    ...localClientConfig(endpoint),
    requestHandler: { requestTimeout: 30_000, throwOnRequestTimeout: true },
  });

/** A table that only the local stage has. It stores the messages of the queues, and the stage's position in each event log. */
export const SOURCES_TABLE = {
  name: 'cart-checkout-local-sources',
  partitionKey: 'source',
  sortKey: { name: 'id', type: 'string' },
} as const satisfies TableDefinition;

/** The event bus of the local stage. */
export const LOCAL_BUS = 'local';

/** A queue of the local stage. */
export type LocalQueueName =
  | 'payments'
  | 'deliveries'
  | 'test-deliveries'
  | 'slow-deliveries'
  | 'slow-test-deliveries'
  | 'dead-letters'
  | 'delivery-dead-letters'
  | 'set-aside';

/** The address of a queue of the local stage, by the endpoint that the stage prints. */
export const localQueueUrl = (endpoint: string, name: LocalQueueName): string =>
  `${endpoint}/000000000000/${name}`;

/** The settings with the event bus and the queues of the local stage. */
export const localQueueSettings = (endpoint: string) => ({
  eventBusName: LOCAL_BUS,
  paymentsQueueUrl: localQueueUrl(endpoint, 'payments'),
  deliveryQueueUrl: localQueueUrl(endpoint, 'deliveries'),
  testDeliveryQueueUrl: localQueueUrl(endpoint, 'test-deliveries'),
  slowDeliveryQueueUrl: localQueueUrl(endpoint, 'slow-deliveries'),
  slowTestDeliveryQueueUrl: localQueueUrl(endpoint, 'slow-test-deliveries'),
  setAsideQueueUrl: localQueueUrl(endpoint, 'set-aside'),
});

/**
 * Creates the tables. Existing tables keep their data.
 *
 * @param tableNames the local stage's names by default
 * @throws OperatorError if an existing table has other keys
 */
export const createTables = async (
  documents: Documents,
  tableNames: Readonly<Record<TableKind, string>> = LOCAL_TABLE_NAMES,
): Promise<void> => {
  await Promise.all([
    ...TABLE_KINDS.map((kind) => prepareTable(documents, tableNames[kind], TABLES[kind])),
    prepareTable(documents, SOURCES_TABLE.name, SOURCES_TABLE),
  ]);
};
