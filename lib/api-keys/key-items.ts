import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { GetCommand, UpdateCommand, type UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { callOptions, type Documents } from '../dynamodb.ts';

/** A key's item before validation. `undefined` if there is none. */
type KeyItem = Record<string, unknown> | undefined;

/** An update of a key's item. UpdateItem creates a missing item, so the condition must require `keyId`. */
export type KeyUpdate = Pick<
  UpdateCommandInput,
  'ConditionExpression' | 'UpdateExpression' | 'ExpressionAttributeNames' | 'ExpressionAttributeValues'
>;

/** Reads and writes the items of API keys in DynamoDB. */
export const createKeyItems = (documents: Documents, tableName: string) => ({
  /** Finds an item by a consistent read. */
  async find(keyId: string, signal?: AbortSignal): Promise<KeyItem> {
    const command = new GetCommand({ TableName: tableName, Key: { keyId }, ConsistentRead: true });
    return (await documents.send(command, callOptions(signal))).Item;
  },

  /** Updates an item under a condition. Returns the updated item, or the unchanged one if the condition is false. */
  async update(
    keyId: string,
    update: KeyUpdate,
    signal?: AbortSignal,
  ): Promise<{ readonly applied: boolean; readonly item: KeyItem }> {
    const command = new UpdateCommand({
      ...update,
      TableName: tableName,
      Key: { keyId },
      ReturnValues: 'ALL_NEW',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
    try {
      const { Attributes } = await documents.send(command, callOptions(signal));
      return { applied: true, item: Attributes };
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      return { applied: false, item: error.Item && unmarshall(error.Item) };
    }
  },
});
