import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Documents } from '../../../lib/core/documents.ts';
import { type LogId, logKey } from '../../../lib/events/store-event.ts';

/** The position in each event log: this event and all before it are fanned out. */
export interface LogPositions {
  /** `undefined` before the first event. */
  read(log: LogId): Promise<number | undefined>;

  /** Moves a position forward. A number below the stored one changes nothing. */
  move(log: LogId, sequence: number): Promise<void>;
}

/** Keeps the positions in the table `due`, in a partition that is not a minute. */
export const createLogPositions = (documents: Documents, tableName: string): LogPositions => {
  const keyOf = (log: LogId) => ({ bucket: 'position', id: `log#${logKey(log)}` });
  return {
    async read(log) {
      const command = new GetCommand({ TableName: tableName, Key: keyOf(log), ConsistentRead: true });
      const { Item } = await documents.send(command);
      return Item?.['sequence'] as number | undefined;
    },
    async move(log, sequence) {
      const command = new PutCommand({
        TableName: tableName,
        Item: { ...keyOf(log), sequence },
        ConditionExpression: 'attribute_not_exists(#sequence) OR #sequence < :sequence',
        ExpressionAttributeNames: { '#sequence': 'sequence' },
        ExpressionAttributeValues: { ':sequence': sequence },
      });
      try {
        await documents.send(command);
      } catch (error) {
        // Another process has moved it further.
        if (!(error instanceof ConditionalCheckFailedException)) throw error;
      }
    },
  };
};
