import type { CancellationReason } from '@aws-sdk/client-dynamodb';
import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { Clock } from '../core/clock.ts';
import type { Pauses } from '../core/retry.ts';
import { DATABASE_BUDGET_MS, type DocumentClient } from '../database/documents.ts';
import { CONFLICT_PAUSES } from '../database/retry-conflicts.ts';
import type { StoreMode } from '../stores/mode.ts';
import { createEventRepository } from './event-repository.ts';
import { type LoggedChange, changesAfter, failuresOf, type LogEnd } from './event-transaction.ts';
import { type AppendResult, createGroupCommit, type SaveBatch } from './group-commit.ts';
import { type LoggedEvent, logKey } from './logged-event.ts';

export interface EventLogOptions {
  readonly now: Clock;
  readonly pauses?: Pauses | undefined;
}

const appended = (event: LoggedEvent): AppendResult => ({ outcome: 'appended', event });

const rejectedBy = (reasons: readonly CancellationReason[] = []): AppendResult => ({
  outcome: 'rejected',
  reasons,
});

/**
 * Records changes with their events, in the table `events`. Create one for each table and process: its writers share
 * transactions.
 */
export const createEventLog = (
  documents: DocumentClient,
  tableName: string,
  { now, pauses }: EventLogOptions,
) => {
  const repository = createEventRepository(documents, tableName);
  /** The logs whose counter is behind: a table was restored, or somebody stored an event by hand. */
  const behindLogs = new Set<string>();

  const findEnd = async (storeMode: StoreMode): Promise<LogEnd> => {
    const counter = await repository.counter(storeMode);
    if (counter && !behindLogs.has(logKey(storeMode))) return { counter, last: counter };
    const last = await repository.last(storeMode);
    return { counter, last: counter && (!last || last.sequence < counter.sequence) ? counter : last };
  };

  const saveBatch: SaveBatch = async (storeMode, changes) => {
    const { events, writes } = changesAfter(tableName, storeMode, await findEnd(storeMode), changes, now());
    try {
      await documents.send(new TransactWriteCommand({ TransactItems: writes.map(({ item }) => item) }));
    } catch (error) {
      const failed = failuresOf(error, writes);
      // An event has a number of the transaction, although the counter was as read.
      if (failed.has('event') && !failed.has('counter')) behindLogs.add(logKey(storeMode));
      const rejected = changes.filter((change) => failed.has(change));
      return new Map(rejected.map((change) => [change, rejectedBy(failed.get(change))]));
    }
    behindLogs.delete(logKey(storeMode));
    return new Map(changes.map((change, index) => [change, appended(events[index] as LoggedEvent)]));
  };
  const commit = createGroupCommit(saveBatch, { ...CONFLICT_PAUSES, pauses });
  return {
    /**
     * Stores a change and its event in one transaction, with the next number of the log. Changes that wait at the same time
     * share a transaction. It retries if another writer takes the number or writes an item first.
     *
     * @param signal ends the wait. By default, it aborts after the time for a request's database calls
     * @throws the signal's reason when it aborts. The change may be stored nevertheless, as after any lost response.
     * @throws any error of the SDK when DynamoDB is slow, throttles or is down
     */
    append: async (
      storeMode: StoreMode,
      change: LoggedChange,
      signal = AbortSignal.timeout(DATABASE_BUDGET_MS),
    ): Promise<AppendResult> => {
      signal.throwIfAborted();
      return commit(storeMode, change, signal);
    },
  };
};

export type EventLog = ReturnType<typeof createEventLog>;
