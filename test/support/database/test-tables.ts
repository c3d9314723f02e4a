import { LOCAL_TABLE_NAMES } from '../../../infra/local-access/local-names.ts';
import { prepareTable } from '../../../infra/local/database/prepare-table.ts';
import { type TableDefinition, TABLES } from '../../../infra/stage/tables.ts';
import type { DocumentClient } from '../../../lib/database/documents.ts';
import { TABLE_KINDS, type TableKind } from '../../../lib/database/tables.ts';

/**
 * Creates the service's tables without TTL. DynamoDB Local deletes by the machine's clock, and many tests have their own.
 *
 * @param tableNames the local stage's names by default
 * @param kinds only these tables
 */
export const createTestTables = async (
  documents: DocumentClient,
  tableNames: Readonly<Record<TableKind, string>> = LOCAL_TABLE_NAMES,
  kinds: readonly TableKind[] = TABLE_KINDS,
): Promise<void> => {
  const create = (kind: TableKind): Promise<void> => {
    const { ttlAttribute: _, ...definition }: TableDefinition = TABLES[kind];
    return prepareTable(documents, tableNames[kind], definition);
  };
  await Promise.all(kinds.map(create));
};
