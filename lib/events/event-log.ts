import type { CancellationReason } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { type BackOff, createBackOff } from '../back-off.ts';
import type { Clock } from '../clock.ts';
import { callOptions, DATABASE_BUDGET_MS } from '../dynamodb.ts';
import type { StoredEvent } from './event-item.ts';
import { createEventStore } from './event-store.ts';
import { type Change, changesAfter, hasFailed, reasonsOf, reasonsOfEach } from './event-transaction.ts';
import { recordedEvents } from './recorded-events.ts';
import type { LogId, LoggedEvent } from './store-event.ts';

/**
 * - `appended`: the change is stored, and its event is in the log.
 * - `rejected`: the condition of a write failed. Nothing of the change is stored. `reasons` has the reason of each write.
 */
export type AppendResult =
  | { readonly outcome: 'appended'; readonly event: LoggedEvent }
  | { readonly outcome: 'rejected'; readonly reasons: readonly CancellationReason[] };

export interface EventLog {
  /**
   * Stores changes of one log in one transaction, with consecutive numbers. A change whose condition fails is left out. If
   * another writer takes a number or writes an item first, it tries again until the signal aborts.
   *
   * @param changes at most {@link CHANGES_MAX} of two items each, and 4 MB
   * @param signal by default, it aborts after the time for a request's database calls
   * @returns the result of each change, in the same order
   * @throws DatabaseContentionError if other writers were always first
   * @throws any error of the SDK when DynamoDB is slow, throttles or is down
   */
  append(log: LogId, changes: readonly Change[], signal?: AbortSignal): Promise<readonly AppendResult[]>;
}

/** The most changes of one write and one event in a transaction, which has at most 100 items. */
export const CHANGES_MAX = 49;

/** A writer that loses tries again within the time of a few transactions of about 12 ms. */
const BACK_OFF = { firstMs: 20, maxMs: 160 };

export interface EventLogOptions {
  readonly now: Clock;
  readonly backOff?: BackOff;
}

/** The results of one attempt. A change without a result needs a further attempt. */
type Attempt = (
  changes: readonly Change[],
  signal: AbortSignal,
) => Promise<ReadonlyMap<Change, AppendResult>>;

/** Publishes an event that is stored now. */
const appended = (stored: StoredEvent): AppendResult => {
  const { startsRun: _, ...event } = stored;
  recordedEvents.publish(event satisfies LoggedEvent);
  return { outcome: 'appended', event };
};

/** Repeats an attempt until each change has its result. */
const repeat = async (
  attempt: Attempt,
  changes: readonly Change[],
  backOff: BackOff,
  signal: AbortSignal,
): Promise<readonly AppendResult[]> => {
  const results = new Map<Change, AppendResult>();
  let open = changes;
  for (let failed = 1; ; failed += 1) {
    // oxlint-disable-next-line no-await-in-loop -- an attempt follows the one before
    for (const [change, result] of await attempt(open, signal)) results.set(change, result);
    open = open.filter((change) => !results.has(change));
    if (open.length === 0) return changes.map((change) => results.get(change) as AppendResult);
    // oxlint-disable-next-line no-await-in-loop -- an attempt follows the one before
    await backOff(failed, signal);
  }
};

/** Logs of events in the table `events`. */
export const createEventLog = (
  documents: DynamoDBDocumentClient,
  tableName: string,
  { now, backOff = createBackOff(BACK_OFF) }: EventLogOptions,
): EventLog => {
  const store = createEventStore(documents, tableName);

  const attemptIn =
    (log: LogId): Attempt =>
    async (changes, signal) => {
      const last = await store.last(log, signal);
      const { events, TransactItems } = changesAfter(tableName, log, last, changes, now());
      try {
        await documents.send(new TransactWriteCommand({ TransactItems }), callOptions(signal));
      } catch (error) {
        const ofEach = reasonsOfEach(changes, reasonsOf(error)).filter(([, reasons]) =>
          reasons.some(hasFailed),
        );
        return new Map(ofEach.map(([change, reasons]) => [change, { outcome: 'rejected', reasons }]));
      }
      return new Map(changes.map((change, index) => [change, appended(events[index] as StoredEvent)]));
    };

  return {
    append: (log, changes, signal = AbortSignal.timeout(DATABASE_BUDGET_MS)) =>
      repeat(attemptIn(log), changes, backOff, signal),
  };
};
