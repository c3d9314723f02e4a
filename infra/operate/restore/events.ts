import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { DAY_MS } from '../../../lib/core/durations.ts';
import { inParallel, WRITES_AT_ONCE } from '../../../lib/core/in-parallel.ts';
import { updateOf } from '../../../lib/database/expressions.ts';
import { COUNTER_SEQUENCE, START_ATTRIBUTE } from '../../../lib/events/event-counter.ts';
import { counted } from '../../terminal/counted.ts';
import { OperatorError } from '../../terminal/operator-error.ts';
import type { Action } from '../frame/command.ts';
import type { Context } from '../frame/context.ts';
import { scanTables } from '../shared/scan.ts';
import type { RESTORE } from './commands.ts';

/** The oldest state that DynamoDB restores is 35 days old. A log takes less than an event in a millisecond. */
const LOST_NUMBERS_MAX = 35 * DAY_MS;

interface ScannedItem {
  readonly log: string;
  readonly sequence: number;
  /** Only in a counter. */
  readonly last?: number;
}

/** The last number of each log of a table, by the log's key. */
const findLastNumbers = async (TableName: string, context: Context): Promise<ReadonlyMap<string, number>> => {
  const input = {
    TableName,
    ProjectionExpression: '#log, #sequence, #last',
    ExpressionAttributeNames: { '#log': 'log', '#sequence': 'sequence', '#last': 'last' },
  };
  const numbers = new Map<string, number>();
  for await (const { items } of scanTables(context, [{ input }], { step: 'Reading' })) {
    for (const { log, sequence, last = sequence } of items as unknown as readonly ScannedItem[]) {
      numbers.set(log, Math.max(numbers.get(log) ?? 0, last));
    }
  }
  return numbers;
};

export const events: Action<typeof RESTORE.events> = async ({ table: TableName }, context) => {
  const { stage, now, confirm, change } = context;
  const { documents, tableNames, name } = stage;
  if (Object.values(tableNames).includes(TableName)) {
    throw new OperatorError(
      `The table ${TableName} is in use by the stage ${name}: restore to a new table, and pass its name.`,
    );
  }
  const lastNumbers = await findLastNumbers(TableName, context);
  const logs = lastNumbers.size;
  await confirm(`Raising the counters of ${counted(logs, 'log')} of the table ${TableName}`, 'live');
  const startAfter = now();
  await change({ table: TableName, logs, startAfter }, () =>
    inParallel([...lastNumbers], WRITES_AT_ONCE, ([log, number]) => {
      // A clock was wrong when the log began.
      const last = number < startAfter ? startAfter : number + LOST_NUMBERS_MAX;
      const set = { last, lastRecordedAtMs: startAfter, [START_ATTRIBUTE]: last };
      const Key = { log, sequence: COUNTER_SEQUENCE };
      return documents.send(new UpdateCommand({ TableName, Key, ...updateOf({ set }) }));
    }),
  );
  return {
    json: { table: TableName, logs, startAfter },
    lines: [
      `${counted(logs, 'log')} of ${TableName} continue above the number ${startAfter}.`,
      'Readers with older cursors get a 422. Those without a cursor begin behind the gap.',
    ],
  };
};
