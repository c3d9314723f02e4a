import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { TABLE_KINDS, type TableKind } from '../../lib/database/tables.ts';
import type { QueueName } from '../stage/queues.ts';
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

/** The address of a queue of the local stage, by the endpoint that the stage prints. */
export const localQueueUrl = (endpoint: string, name: QueueName): string =>
  `${endpoint}/000000000000/${name}`;
