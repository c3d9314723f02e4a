import { GetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { type ConditionalWrite, resultOfFailure } from '../database/conditional-writes.ts';
import { callOptions, type DocumentClient } from '../database/documents.ts';
import type { Condition } from '../database/expressions.ts';

/** A key's item before validation. `undefined` if there is none. */
type KeyItem = Record<string, unknown> | undefined;

/** An update of a key's item. UpdateItem creates a missing item, so the condition must require `keyId`. */
interface KeyUpdate extends Partial<Condition> {
  readonly UpdateExpression: string;
}

/** Reads and writes the items of API keys in DynamoDB, by plain commands: document commands take more CPU time. */
export const createKeyItems = (documents: DocumentClient, tableName: string) => ({
  /** Finds an item by a consistent read. */
  async find(keyId: string, signal?: AbortSignal): Promise<KeyItem> {
    const command = new GetItemCommand({
      TableName: tableName,
      Key: { keyId: { S: keyId } },
      ConsistentRead: true,
    });
    const { Item } = await documents.send(command, callOptions(signal));
    return Item && unmarshall(Item);
  },

  /**
   * Updates an item under a condition. Returns the updated item, or the unchanged one if the condition is false.
   *
   * @param written values that only this update gives the item, if it makes its own condition false
   */
  async update(
    keyId: string,
    update: KeyUpdate,
    signal?: AbortSignal,
    written?: Readonly<Record<string, unknown>>,
  ): Promise<ConditionalWrite> {
    const command = new UpdateItemCommand({
      ...update,
      ExpressionAttributeValues: marshall(update.ExpressionAttributeValues ?? {}),
      TableName: tableName,
      Key: { keyId: { S: keyId } },
      ReturnValues: 'ALL_NEW',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
    try {
      const { Attributes } = await documents.send(command, callOptions(signal));
      return { applied: true, item: Attributes && unmarshall(Attributes) };
    } catch (error) {
      return resultOfFailure(error, written);
    }
  },
});
