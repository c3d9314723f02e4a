import { updateOf } from '../database/expressions.ts';
import type { StoreMode } from '../stores/mode.ts';
import { type Position, logKey } from './logged-event.ts';

/** The number of the item with the counter of a log. Events have higher ones. The item has no time to live. */
export const COUNTER_SEQUENCE = 0;

/** The attributes that an update of a counter names. */
export const COUNTER_ATTRIBUTES: readonly string[] = ['log', 'sequence', 'last', 'lastRecordedAtMs'];

/** The key of a log's counter. */
export const counterKey = (storeMode: StoreMode) => ({ log: logKey(storeMode), sequence: COUNTER_SEQUENCE });

/**
 * The attribute of the counter of a log whose later events are lost. Readers without a cursor begin after this number: otherwise,
 * they would meet the same gap again and again. Only an operator sets it: `restore events`.
 */
export const START_ATTRIBUTE = 'startAfter';

/** The position of the last event of a log, by the item of its counter. `undefined` if no counter is stored. */
export const fromCounterItem = (item: Readonly<Record<string, unknown>> = {}): Position | undefined => {
  const { last, lastRecordedAtMs } = item;
  return typeof last === 'number' && typeof lastRecordedAtMs === 'number'
    ? { sequence: last, recordedAtMs: lastRecordedAtMs }
    : undefined;
};

/**
 * Moves the counter of a log, if no other writer has moved it.
 *
 * @param from the counter as it was read
 */
export const moveCounter = (
  TableName: string,
  storeMode: StoreMode,
  from: Position | undefined,
  { sequence, recordedAtMs }: Position,
) => ({
  Update: {
    TableName,
    Key: counterKey(storeMode),
    ...updateOf(
      { set: { last: sequence, lastRecordedAtMs: recordedAtMs } },
      from
        ? { ConditionExpression: '#last = :read', ExpressionAttributeValues: { ':read': from.sequence } }
        : { ConditionExpression: 'attribute_not_exists(#last)' },
    ),
  },
});
