import { type CancellationReason, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import type { TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { isTransactionConflict } from '../aws/errors.ts';
import type { StoreMode } from '../stores/mode.ts';
import { isDatedAhead, isOld } from './event-age.ts';
import { moveCounter } from './event-counter.ts';
import { toEventItem } from './event-item.ts';
import { type Position, loggedEvent, type LoggedEvent, type NewEvent } from './logged-event.ts';

/** One write or condition check of a transaction. */
export type TransactItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/** A change: its writes and its event, which DynamoDB stores together or not at all. */
export interface LoggedChange {
  readonly event: NewEvent;
  /** Conditional writes of other tables. */
  readonly writes: readonly TransactItem[];
}

/** The positions in a log that a transaction continues. */
export interface LogEnd {
  /** As its counter was read. `undefined` if there is none. */
  readonly counter: Position | undefined;
  /** The last event. `undefined` if the log is empty. */
  readonly last: Position | undefined;
}

/**
 * The position of the next event. Numbers have no holes. The first number is the time in milliseconds: if a table was lost, it is
 * above all numbers that readers have seen.
 *
 * Times increase with the numbers. After an event that is dated ahead, they start again from the right time.
 */
const positionAfter = (last: Position | undefined, nowMs: number): Position => {
  if (!last) return { sequence: nowMs, recordedAtMs: nowMs };
  const recordedAtMs = isDatedAhead(last, nowMs) ? nowMs : Math.max(nowMs, last.recordedAtMs + 1);
  return { sequence: last.sequence + 1, recordedAtMs };
};

const putEvent = (TableName: string, event: LoggedEvent): TransactItem => ({
  Put: {
    TableName,
    Item: toEventItem(event),
    ConditionExpression: 'attribute_not_exists(#log)',
    ExpressionAttributeNames: { '#log': 'log' },
  },
});

/** Whether the condition of a write failed. */
export const hasFailed = ({ Code }: CancellationReason): boolean => Code === 'ConditionalCheckFailed';

/** The reasons of a cancelled transaction, if it may succeed later or without some changes. Throws any other error. */
export const reasonsOf = (error: unknown): readonly CancellationReason[] => {
  const reasons = error instanceof TransactionCanceledException ? (error.CancellationReasons ?? []) : [];
  if (reasons.some(hasFailed) || isTransactionConflict(error)) return reasons;
  throw error;
};

/** A write of a transaction, and what it belongs to. */
interface OwnedWrite {
  readonly item: TransactItem;
  readonly owner: LoggedChange | 'event' | 'counter';
}

/** The events of changes, and the transaction that stores both at the end of their log, and moves its counter. */
export const changesAfter = (
  tableName: string,
  storeMode: StoreMode,
  { counter, last }: LogEnd,
  changes: readonly LoggedChange[],
  nowMs: number,
): { readonly events: readonly LoggedEvent[]; readonly writes: readonly OwnedWrite[] } => {
  const position = positionAfter(last, nowMs);
  const isFirst = !last || isOld(last, nowMs);
  const events = changes.map(({ event }, index) => ({
    ...loggedEvent(event, position.sequence + index, position.recordedAtMs + index),
    ...(isFirst && index === 0 && { oldUntil: last?.sequence ?? 0 }),
  }));
  const writes: readonly OwnedWrite[] = [
    ...changes.flatMap((change) => change.writes.map((item) => ({ item, owner: change }))),
    ...events.map((event) => ({ item: putEvent(tableName, event), owner: 'event' as const })),
    { item: moveCounter(tableName, storeMode, counter, events.at(-1) ?? position), owner: 'counter' },
  ];
  return { events, writes };
};

/** The reasons of a cancelled transaction, by the owners of the writes whose condition failed. Throws any other error. */
export const failuresOf = (
  error: unknown,
  writes: readonly OwnedWrite[],
): ReadonlyMap<OwnedWrite['owner'] | undefined, readonly CancellationReason[]> => {
  // DynamoDB gives the reasons in the order of the writes, or none.
  const byOwner = Map.groupBy(reasonsOf(error), (_, index) => writes[index]?.owner);
  return new Map([...byOwner].filter(([, reasons]) => reasons.some(hasFailed)));
};
