import { expect } from 'vitest';
import { inParts } from '../../../lib/core/in-parts.ts';
import { createBatchPut, PUTS_PER_BATCH_MAX } from '../../../lib/database/batch-put.ts';
import type { DocumentClient } from '../../../lib/database/documents.ts';

/** Stores items of different keys, 25 by a call. */
export const putItems = async (
  documents: DocumentClient,
  tableName: string,
  items: readonly object[],
): Promise<void> => {
  const putBatch = createBatchPut(documents, tableName);
  for (const batch of inParts(items, PUTS_PER_BATCH_MAX)) expect(await putBatch(batch)).toStrictEqual([]);
};
