import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { unlessConditionFails } from '../database/conditional-writes.ts';
import { callOptions, type DocumentClient } from '../database/documents.ts';
import { type Changes, updateOf } from '../database/expressions.ts';
import { queryPages } from '../database/paginate.ts';
import { type Timer, TIMER_ATTRIBUTES, TIMER_INDEX } from './timer.ts';

/** An item whose time has come, as the index shows it. */
export interface DueItem extends Timer {
  /** The item's key in its table. */
  readonly key: Readonly<Record<string, unknown>>;
}

/** A run reads the items of a page together, at up to 128 KB a cart. BatchGetItem takes 100 keys. */
const PAGE_SIZE = 100;

/** The index has the timer and the item's key. */
const dueItemOf = ({ timer, timerAtMs, ...key }: Readonly<Record<string, unknown>>): DueItem => ({
  key,
  timer: timer as string,
  timerAtMs: timerAtMs as number,
});

/** The condition that an item still has this timer. UpdateItem would create an item that TTL has deleted. */
export const timerCondition = ({ timer, timerAtMs }: Timer) => ({
  ConditionExpression: 'timer = :timer AND timerAtMs = :at',
  ExpressionAttributeValues: { ':timer': timer, ':at': timerAtMs },
});

/**
 * The timers of a table. The index lags by milliseconds: read the item before you act on it. All methods throw when DynamoDB
 * is slow, throttles or is down.
 */
export const createTimerRepository = (documents: DocumentClient, tableName: string) => {
  const update = async (item: DueItem, changes: Changes, signal: AbortSignal | undefined): Promise<void> => {
    const Key = item.key;
    const command = new UpdateCommand({
      TableName: tableName,
      Key,
      ...updateOf(changes, timerCondition(item)),
    });
    await unlessConditionFails(documents.send(command, callOptions(signal)));
  };

  return {
    /** Reads the items of a timer whose time is `untilMs` or earlier, the earliest first, in pages. */
    async *due(
      timer: string,
      untilMs: number,
      signal?: AbortSignal,
    ): AsyncGenerator<readonly DueItem[], void> {
      const query = {
        TableName: tableName,
        IndexName: TIMER_INDEX,
        KeyConditionExpression: 'timer = :timer AND timerAtMs <= :until',
        ExpressionAttributeValues: { ':timer': timer, ':until': untilMs },
        Limit: PAGE_SIZE,
      };
      for await (const { Items = [] } of queryPages(documents, query, signal)) {
        yield Items.map(dueItemOf);
      }
    },

    /** Removes a timer. Does nothing if the item is deleted, or has another timer by now. */
    clear: (item: DueItem, signal?: AbortSignal) => update(item, { remove: TIMER_ATTRIBUTES }, signal),

    /** Moves a timer to a later time. Does nothing if the item is deleted, or has another timer by now. */
    postpone: (item: DueItem, timerAtMs: number, signal?: AbortSignal) =>
      update(item, { set: { timerAtMs } }, signal),
  };
};

export type TimerRepository = ReturnType<typeof createTimerRepository>;
