import type { DocumentClient } from '../../../lib/database/documents.ts';
import { scanPages } from '../../../lib/database/paginate.ts';

/** Counts the items of a table. */
export const countItems = async (client: DocumentClient, TableName: string): Promise<number> => {
  let count = 0;
  const scan = { TableName, Select: 'COUNT', ConsistentRead: true } as const;
  for await (const { Count = 0 } of scanPages(client, scan)) count += Count;
  return count;
};
