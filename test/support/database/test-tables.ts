import { prepareTable } from '../../../infra/local/database/prepare-table.ts';
import { type TableDefinition, TABLES } from '../../../infra/stage/tables.ts';
import type { DocumentClient } from '../../../lib/database/documents.ts';
import type { TableKind } from '../../../lib/database/tables.ts';

/** Creates a table without TTL. DynamoDB Local deletes by the machine's clock, and many tests have their own. */
export const createTestTable = (
  documents: DocumentClient,
  tableName: string,
  kind: TableKind,
): Promise<void> => {
  const { ttlAttribute: _, ...definition }: TableDefinition = TABLES[kind];
  return prepareTable(documents, tableName, definition);
};
