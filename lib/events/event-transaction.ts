import { type CancellationReason, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import type { TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { DAY_MS } from '../core/durations.ts';
import { isTransactionConflict } from '../core/errors.ts';
import { EVENT_KEPT_MS, isDatedAhead, isOld, type StoredEvent, toEventItem } from './event-item.ts';
import { logEvent, type LogId, logKey, type NewEvent } from './logged-event.ts';

/** One write or condition check of a transaction. */
export type TransactItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/** A change: its writes and its event, which DynamoDB stores together or not at all. */
export interface Change {
  readonly event: NewEvent;
  /** Conditional writes of other tables. */
  readonly writes: readonly TransactItem[];
}

const startOfDay = (timeMs: number): number => timeMs - (timeMs % DAY_MS);

/** The place of the next event of a log. */
interface Place {
  readonly sequence: number;
  readonly recordedAtMs: number;
  readonly startsSeries: boolean;
}

/** The first number of a series: the time at which the day begins, in milliseconds. It is above all earlier numbers. */
const firstNumber = (last: StoredEvent | undefined, nowMs: number): number =>
  startOfDay(Math.max(nowMs, (last?.sequence ?? 0) + DAY_MS));

/**
 * The next number of a log is the last event's plus one. Numbers therefore have no holes, and each becomes visible after all
 * below it.
 *
 * The first number of an empty log is the same for all writers. A log whose last event is old starts again in the same way:
 * TTL deletes in any order, and a deleted event may have had the next number.
 *
 * Times increase with the numbers. After an event that is dated ahead, they start again from the right time.
 */
const placeAfter = (last: StoredEvent | undefined, nowMs: number): Place =>
  last && !isOld(last, nowMs)
    ? {
        sequence: last.sequence + 1,
        recordedAtMs: isDatedAhead(last, nowMs) ? nowMs : Math.max(nowMs, last.recordedAtMs + 1),
        startsSeries: false,
      }
    : { sequence: firstNumber(last, nowMs), recordedAtMs: nowMs, startsSeries: true };

const putEvent = (TableName: string, event: StoredEvent): TransactItem => ({
  Put: {
    TableName,
    Item: toEventItem(event),
    ConditionExpression: 'attribute_not_exists(#log)',
    ExpressionAttributeNames: { '#log': 'log' },
  },
});

/** Checks that a log has no event with a number. */
const checkMissing = (TableName: string, log: LogId, sequence: number): TransactItem => ({
  ConditionCheck: {
    TableName,
    Key: { log: logKey(log), sequence },
    ConditionExpression: 'attribute_not_exists(#log)',
    ExpressionAttributeNames: { '#log': 'log' },
  },
});

/**
 * The checks that no other writer has used another number for the next event of a log.
 *
 * Writers whose clocks differ may choose different numbers only if the log is empty, or its last event is old or nearly old. They may
 * disagree on the day, and on whether the event is old. Each then checks the numbers that the others may choose, so that only
 * one succeeds.
 *
 * Example: at the midnight after 6 June, the last event becomes old and has the number n. A writer at 23:59 starts with the
 * number of 6 June, and one at 00:01 with that of 7 June. One for which the event is not old continues with n + 1. Each checks
 * the two numbers of the others.
 */
const checksOf = (
  tableName: string,
  log: LogId,
  last: StoredEvent | undefined,
  { sequence }: Place,
  nowMs: number,
): TransactItem[] => {
  if (last && nowMs - last.recordedAtMs <= EVENT_KEPT_MS) return [];
  // Those of today, and of the day across the nearest midnight, which another clock may show.
  const starts = [nowMs - DAY_MS / 2, nowMs + DAY_MS / 2].map((timeMs) => firstNumber(last, timeMs));
  const others = new Set(last ? [...starts, last.sequence + 1] : starts);
  others.delete(sequence);
  return [...others].map((other) => checkMissing(tableName, log, other));
};

/** Whether the condition of a write failed. */
export const hasFailed = ({ Code }: CancellationReason): boolean => Code === 'ConditionalCheckFailed';

/** The reasons of a cancelled transaction, if it may succeed later or without some changes. Throws any other error. */
export const reasonsOf = (error: unknown): readonly CancellationReason[] => {
  const reasons = error instanceof TransactionCanceledException ? (error.CancellationReasons ?? []) : [];
  if (reasons.some(hasFailed) || isTransactionConflict(error)) return reasons;
  throw error;
};

/** The reasons of each change's writes. A transaction has the writes of all changes first, in their order. */
export const reasonsOfEach = (
  changes: readonly Change[],
  reasons: readonly CancellationReason[],
): readonly (readonly [Change, readonly CancellationReason[]])[] => {
  let start = 0;
  return changes.map((change) => [change, reasons.slice(start, (start += change.writes.length))]);
};

/** The transaction that stores changes after the last event of their log. */
export const changesAfter = (
  tableName: string,
  log: LogId,
  last: StoredEvent | undefined,
  changes: readonly Change[],
  nowMs: number,
): { readonly events: readonly StoredEvent[]; readonly TransactItems: TransactItem[] } => {
  const place = placeAfter(last, nowMs);
  const events = changes.map(({ event }, index) => ({
    ...logEvent(event, place.sequence + index, place.recordedAtMs + index),
    startsSeries: place.startsSeries && index === 0,
  }));
  const TransactItems = [
    ...changes.flatMap(({ writes }) => writes),
    ...events.map((event) => putEvent(tableName, event)),
    ...checksOf(tableName, log, last, place, nowMs),
  ];
  return { events, TransactItems };
};
