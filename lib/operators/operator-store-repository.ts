import { PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { tookEffect } from '../database/conditional-writes.ts';
import type { DocumentClient } from '../database/documents.ts';
import { updateOf } from '../database/expressions.ts';
import { scanItems } from '../database/paginate.ts';
import { createStoreRepository, fromStoreItem } from '../stores/store-repository.ts';
import type { Store } from '../stores/store.ts';

/** The stores of a stage for operators. Every method throws when DynamoDB is slow, throttles or is down. */
export const createOperatorStoreRepository = (documents: DocumentClient, tableName: string) => ({
  ...createStoreRepository(documents, tableName),

  /** Stores a new store, or renames a stored one. A stored one keeps its time of creation. */
  async put({ id, name, createdAtMs }: Store): Promise<Store> {
    const command = new UpdateCommand({
      TableName: tableName,
      Key: { id },
      ...updateOf({ set: { name }, setIfMissing: { createdAtMs } }),
      ReturnValues: 'ALL_NEW',
    });
    const { Attributes = {} } = await documents.send(command);
    return fromStoreItem(Attributes);
  },

  /** Stores a new store. A stored one stays as it is. Returns whether the store is new. */
  async putIfMissing(store: Store): Promise<boolean> {
    const command = new PutCommand({
      TableName: tableName,
      Item: store,
      ConditionExpression: 'attribute_not_exists(id)',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
    return tookEffect(documents.send(command), { ...store });
  },

  /** Lists all stores, in no order. Reads the whole table. */
  list: (): Promise<readonly Store[]> => scanItems(documents, tableName, fromStoreItem),
});
