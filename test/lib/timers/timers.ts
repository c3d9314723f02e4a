import { randomUUID } from 'node:crypto';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import type { DocumentClient } from '../../../lib/database/documents.ts';
import { createTimerRepository, type TimerRepository } from '../../../lib/timers/timer-repository.ts';
import type { Timer } from '../../../lib/timers/timer.ts';
import { type ManualClock, manualClock } from '../../support/clock.ts';
import { givenDatabase } from '../../support/database/database.ts';
import { putItems } from '../../support/database/put-items.ts';

export interface TestTimers {
  readonly documents: DocumentClient;
  readonly tableName: string;
  readonly clock: ManualClock;
  readonly repository: TimerRepository;
  /** Stores an item for each timer. Returns their ids. */
  wait(...timers: readonly Timer[]): Promise<string[]>;
  /** The timers that are stored, by the item's id. */
  stored(): Promise<Record<string, Timer | undefined>>;
}

/** A table with timers, and a clock at `NOW_MS`. */
export const givenTimers = async (): Promise<TestTimers> => {
  const { documents, tableNames } = await givenDatabase();
  const tableName = tableNames.carts;
  return {
    documents,
    tableName,
    clock: manualClock(),
    repository: createTimerRepository(documents, tableName),
    async wait(...timers) {
      const items = timers.map((timer) => ({ id: randomUUID(), note: 'not in the index', ...timer }));
      await putItems(documents, tableName, items);
      return items.map(({ id }) => id);
    },
    async stored() {
      const { Items = [] } = await documents.send(new ScanCommand({ TableName: tableName }));
      return Object.fromEntries(
        Items.map(({ id, timer, timerAtMs }) => [id, timer === undefined ? undefined : { timer, timerAtMs }]),
      ) as Record<string, Timer | undefined>;
    },
  };
};
