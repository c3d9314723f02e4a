import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import {
  type DynamoDBDocumentClient,
  GetCommand,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { callOptions } from '../dynamodb.ts';

/** A key's item, not yet validated; `undefined` if there is none. */
export type KeyItem = Record<string, unknown> | undefined;

/** Reads a key's item by a consistent read. */
export const findKeyItem = async (
  documents: DynamoDBDocumentClient,
  tableName: string,
  keyId: string,
  signal?: AbortSignal,
): Promise<KeyItem> => {
  const command = new GetCommand({ TableName: tableName, Key: { keyId }, ConsistentRead: true });
  return (await documents.send(command, callOptions(signal))).Item;
};

/**
 * Updates a key's item under a condition.
 *
 * @returns the updated item; the unchanged item if the condition did not hold
 */
export const updateKeyItem = async (
  documents: DynamoDBDocumentClient,
  update: UpdateCommandInput,
  signal?: AbortSignal,
): Promise<{ readonly applied: boolean; readonly item: KeyItem }> => {
  const command = new UpdateCommand({
    ...update,
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
};
