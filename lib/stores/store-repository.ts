import { GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { tookEffect } from '../database/conditional-writes.ts';
import { callOptions, type DocumentClient } from '../database/documents.ts';
import { updateOf } from '../database/expressions.ts';
import { scanItems } from '../database/paginate.ts';
import type { Store } from './store.ts';

const toStore = ({ id, name, createdAtMs }: Record<string, unknown>): Store => ({
  id: String(id),
  name: String(name),
  createdAtMs: Number(createdAtMs),
});

/** The stores of a stage, by id. Its methods throw when DynamoDB is slow, throttles or is down. */
export const createStoreRepository = (documents: DocumentClient, tableName: string) => ({
  /** Finds a store. A change becomes visible within about a second. */
  async find(storeId: string, signal?: AbortSignal): Promise<Store | undefined> {
    // Eventually consistent: a strong read costs twice as much, and a name seldom changes.
    const command = new GetCommand({ TableName: tableName, Key: { id: storeId } });
    const { Item } = await documents.send(command, callOptions(signal));
    return Item && toStore(Item);
  },

  /** Stores a new store, or renames a stored one. A stored one keeps its time of creation. */
  async put({ id, name, createdAtMs }: Store): Promise<Store> {
    const command = new UpdateCommand({
      TableName: tableName,
      Key: { id },
      ...updateOf({ set: { name }, setIfMissing: { createdAtMs } }),
      ReturnValues: 'ALL_NEW',
    });
    const { Attributes = {} } = await documents.send(command);
    return toStore(Attributes);
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
  list: (): Promise<readonly Store[]> => scanItems(documents, tableName, toStore),
});

export type StoreRepository = ReturnType<typeof createStoreRepository>;
