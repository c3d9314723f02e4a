import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { callOptions, type DocumentClient, type Item } from '../database/documents.ts';
import { assertFields } from '../database/readable-item.ts';
import type { Store } from './store.ts';

/** The type of each field of a store. */
const FIELDS = Object.entries({
  id: 'string',
  name: 'string',
  createdAtMs: 'number',
} satisfies Record<keyof Store, string>);

/**
 * The store of a stored item.
 *
 * @throws UnreadableItemError if a field is missing or has another type, for example after an edit by hand
 */
export const fromStoreItem = (item: Item): Store => {
  assertFields('store', item, FIELDS);
  const { id, name, createdAtMs } = item as unknown as Store;
  return { id, name, createdAtMs };
};

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
    const { Item: item } = await documents.send(command, callOptions(signal));
    return item && fromStoreItem(item);
  },
});

export type StoreRepository = ReturnType<typeof createStoreRepository>;
