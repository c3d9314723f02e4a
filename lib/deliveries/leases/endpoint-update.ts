import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { isTransactionConflict } from '../../core/aws-errors.ts';
import { CONFLICT_PAUSES, retry } from '../../core/retry.ts';
import { failedByItself } from '../../database/conditional-writes.ts';
import type { DocumentClient, Item } from '../../database/documents.ts';
import { type Changes, type Condition, updateOf } from '../../database/expressions.ts';

/** After the last one, the message returns to its queue, and the lease expires. */
const UPDATES_MAX = 6;

/** An update of an endpoint. */
export interface EndpointUpdate {
  /** Whether its condition held, or the item has the values that it sets, because the SDK repeated it. */
  readonly applied: boolean;
  /** The item after the update, or the one for which the condition was false. */
  readonly item: Item | undefined;
}

/** The item that a failed condition has returned. Throws any other error. */
export const itemOfFailure = (error: unknown): Item | undefined => {
  if (!(error instanceof ConditionalCheckFailedException)) throw error;
  return error.Item && unmarshall(error.Item);
};

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
  ): Promise<EndpointUpdate | undefined> => {
    const once = async (): Promise<EndpointUpdate | undefined> => {
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
        const item = itemOfFailure(error);
        const applied =
          error instanceof ConditionalCheckFailedException &&
          changes.set !== undefined &&
          failedByItself(error, changes.set);
        return { applied, item };
      }
    };
    return retry(once, { ...CONFLICT_PAUSES, attemptsMax });
  };

export type UpdateEndpoint = ReturnType<typeof createEndpointUpdate>;
