import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import type { DueEntry } from '../../../lib/due/due-entry.ts';
import { createDueStore, type DueStore } from '../../../lib/due/due-store.ts';
import { type ManualClock, manualClock, NOW_MS } from '../../support/clock.ts';
import { givenDatabase, type TestDatabase } from '../../support/database.ts';

/** The start of the minute of {@link NOW_MS}. */
export const MINUTE_MS = 60_000;
export const THIS_MINUTE_MS = Math.floor(NOW_MS / MINUTE_MS) * MINUTE_MS;

/** The entry of a probe, told apart by its endpoint. */
export const probe = (endpointId: string): DueEntry => ({
  kind: 'probe',
  endpoint: { storeId: 'store-1', mode: 'test', endpointId },
});

export interface TestDue {
  readonly database: TestDatabase;
  readonly clock: ManualClock;
  readonly due: DueStore;
  /** Every entry that is stored, by bucket and id, without the position of `run-due`. */
  entries(): Promise<string[]>;
}

/** A due store on tables of its own, at {@link NOW_MS}. */
export const givenDue = async (): Promise<TestDue> => {
  const database = await givenDatabase();
  const clock = manualClock();
  const { documents, tableNames } = database;
  return {
    database,
    clock,
    due: createDueStore(documents, tableNames.due, clock.now),
    async entries() {
      const { Items = [] } = await documents.send(new ScanCommand({ TableName: tableNames.due }));
      const keys = Items.map(({ bucket, id }) => `${String(bucket)} ${String(id)}`);
      return keys.filter((key) => !key.startsWith('position')).toSorted();
    },
  };
};
