import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { callOptions, type DocumentClient } from '../database/documents.ts';
import type { Store } from './store.ts';

/** The store of a stored item. */
export const toStore = ({ id, name, createdAtMs }: Record<string, unknown>): Store => ({
  id: String(id),
  name: String(name),
  createdAtMs: Number(createdAtMs),
});

/** Reads the stores of a stage. */
export const createStoreRepository = (documents: DocumentClient, tableName: string) => ({
  /**
   * Finds a store. A change becomes visible within about a second.
   *
   * @throws when DynamoDB is slow, throttles or is down
   */
  async find(storeId: string, signal?: AbortSignal): Promise<Store | undefined> {
    // Eventually consistent: a strong read costs twice as much, and a name seldom changes.
    const command = new GetCommand({ TableName: tableName, Key: { id: storeId } });
    const { Item } = await documents.send(command, callOptions(signal));
    return Item && toStore(Item);
  },
});

export type StoreRepository = ReturnType<typeof createStoreRepository>;
