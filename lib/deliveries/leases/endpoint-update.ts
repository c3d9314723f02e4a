import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { isTransactionConflict } from '../../aws/errors.ts';
import { retry } from '../../core/retry.ts';
import { type ConditionalWrite, resultOfFailure } from '../../database/conditional-writes.ts';
import type { DocumentClient, Item } from '../../database/documents.ts';
import { type Changes, type Condition, updateOf } from '../../database/expressions.ts';
import { CONFLICT_PAUSES } from '../../database/retry-conflicts.ts';

/** After the last one, the message returns to its queue, and the lease expires. */
const UPDATES_MAX = 6;

/** Updates endpoints in the table `webhookEndpoints`, although others write them in transactions, such as a rotation of the secret. */
export const createEndpointUpdate =
  (documents: DocumentClient, TableName: string) =>
  /**
   * Returns `undefined` if other writers always came first.
   *
   * @throws when DynamoDB is slow, throttles or is down
   */
  (
    Key: Item,
    changes: Changes,
    condition: Condition,
    attemptsMax = UPDATES_MAX,
  ): Promise<ConditionalWrite | undefined> => {
    const once = async (): Promise<ConditionalWrite | undefined> => {
      const command = new UpdateCommand({
        TableName,
        Key,
        ...updateOf(changes, condition),
        ReturnValues: 'ALL_NEW',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      });
      try {
        return { applied: true, item: (await documents.send(command)).Attributes };
      } catch (error) {
        if (isTransactionConflict(error)) return undefined;
        return resultOfFailure(error, changes.set);
      }
    };
    return retry(once, { ...CONFLICT_PAUSES, attemptsMax });
  };

export type UpdateEndpoint = ReturnType<typeof createEndpointUpdate>;
