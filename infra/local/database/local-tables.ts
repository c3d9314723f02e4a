import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createDocumentClient } from '../../../lib/aws/clients.ts';
import type { Clock } from '../../../lib/core/clock.ts';
import type { DocumentClient } from '../../../lib/database/documents.ts';
import { TABLE_KINDS, type TableKind } from '../../../lib/database/tables.ts';
import { LOCAL_TABLE_NAMES, localClientConfig } from '../../local-access/local-names.ts';
import { type TableDefinition, TABLES } from '../../stage/tables.ts';
import { prepareTable } from './prepare-table.ts';

/** The tables of a stage, and the clock. */
export interface StageTables {
  readonly documents: DocumentClient;
  readonly tableNames: Readonly<Record<TableKind, string>>;
  readonly now: Clock;
}

/**
 * Creates the client for the first calls of an embedded database: after an installation, a busy disk can slow its first
 * responses for seconds.
 */
export const createFirstClient = (endpoint: string): DynamoDBDocumentClient =>
  createDocumentClient({
    ...localClientConfig(endpoint),
    requestHandler: { requestTimeout: 30_000, throwOnRequestTimeout: true },
  });

/**
 * A table that only the local stage has. It stores the messages of the queues, the stage's position in each event log, and the
 * checklist of an integration.
 */
export const LOCAL_STATE_TABLE = {
  name: 'cart-checkout-local-state',
  partitionKey: 'part',
  sortKey: { name: 'id', type: 'string' },
} as const satisfies TableDefinition;

/**
 * Creates the tables. Existing tables keep their data.
 *
 * @param tableNames the local stage's names by default
 * @throws OperatorError if an existing table has other keys
 */
export const createTables = async (
  documents: DocumentClient,
  tableNames: Readonly<Record<TableKind, string>> = LOCAL_TABLE_NAMES,
): Promise<void> => {
  await Promise.all([
    ...TABLE_KINDS.map((kind) => prepareTable(documents, tableNames[kind], TABLES[kind])),
    prepareTable(documents, LOCAL_STATE_TABLE.name, LOCAL_STATE_TABLE),
  ]);
};
