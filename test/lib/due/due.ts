import { randomUUID } from 'node:crypto';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { inject } from 'vitest';
import { localClientConfig } from '../../../infra/local/local-database.ts';
import { prepareTable } from '../../../infra/local/prepare-table.ts';
import { TABLES } from '../../../infra/tables.ts';
import { createDocumentClient } from '../../../lib/aws.ts';
import type { Documents } from '../../../lib/core/documents.ts';
import type { DueEntry } from '../../../lib/due/due-entry.ts';
import { createDueStore, type DueStore } from '../../../lib/due/due-store.ts';
import { type ManualClock, manualClock, NOW_MS } from '../../support/clock.ts';

/** The start of the minute of {@link NOW_MS}. */
export const MINUTE_MS = 60_000;
export const THIS_MINUTE_MS = Math.floor(NOW_MS / MINUTE_MS) * MINUTE_MS;

/** The entry of a probe. Its endpoint distinguishes it from others. */
export const probe = (endpointId: string): DueEntry => ({
  kind: 'probe',
  endpoint: { storeId: 'store-1', mode: 'test', endpointId },
});

export interface TestDue {
  readonly documents: Documents;
  readonly tableName: string;
  readonly clock: ManualClock;
  readonly due: DueStore;
  /** Every entry that is stored, by bucket and id, without the position of `run-due`. */
  entries(): Promise<string[]>;
}

/** A due store on a table of its own, at {@link NOW_MS}. */
export const givenDue = async (): Promise<TestDue> => {
  const documents = createDocumentClient(localClientConfig(inject('dynamodbEndpoint')));
  const tableName = `${randomUUID()}-due`;
  await prepareTable(documents, tableName, TABLES.due);
  const clock = manualClock();
  return {
    documents,
    tableName,
    clock,
    due: createDueStore(documents, tableName, clock.now),
    async entries() {
      const { Items = [] } = await documents.send(new ScanCommand({ TableName: tableName }));
      const keys = Items.map(({ bucket, id }) => `${String(bucket)} ${String(id)}`);
      return keys.filter((key) => !key.startsWith('position')).toSorted();
    },
  };
};
