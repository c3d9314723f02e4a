import { DeleteCommand, GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { allEnded } from '../core/all-ended.ts';
import { unlessConditionFails } from '../database/conditional-writes.ts';
import { callOptions, type DocumentClient, type Item } from '../database/documents.ts';
import { logKey } from '../events/logged-event.ts';
import type { StoreMode } from '../stores/mode.ts';
import { endpointKey, existingEndpoint } from './endpoint-item.ts';
import type { EndpointRef, EndpointWithState } from './endpoint.ts';
import { countsAsEndpoint, unleasedCondition } from './removed-endpoints.ts';

/** Reads the items of a store's and mode's endpoints by one strongly consistent query, also of those that were removed. */
export const readEndpointItems = async (
  documents: DocumentClient,
  tableName: string,
  storeMode: StoreMode,
  signal?: AbortSignal,
): Promise<readonly Item[]> => {
  const command = new QueryCommand({
    TableName: tableName,
    KeyConditionExpression: '#log = :log',
    ExpressionAttributeNames: { '#log': 'log' },
    ExpressionAttributeValues: { ':log': logKey(storeMode) },
    ConsistentRead: true,
  });
  return (await documents.send(command, callOptions(signal))).Items ?? [];
};

const createSweep =
  (documents: DocumentClient, tableName: string) =>
  /**
   * Deletes the items of a store's and mode's removed endpoints, unless attempts to them are in flight. Returns the items that are
   * left, which count as its endpoints.
   */
  async (storeMode: StoreMode, nowMs: number, signal?: AbortSignal): Promise<readonly Item[]> => {
    const items = await readEndpointItems(documents, tableName, storeMode, signal);
    const ended = items.filter((item) => !countsAsEndpoint(item, nowMs));
    const deletions = ended.map((item) => {
      const Key = { log: logKey(storeMode), id: String(item['id']) };
      const command = new DeleteCommand({ TableName: tableName, Key, ...unleasedCondition(nowMs) });
      return unlessConditionFails(documents.send(command, callOptions(signal)));
    });
    await allEnded(deletions);
    return items.filter((item) => !ended.includes(item));
  };

/**
 * Reads webhook endpoints in the table `webhookEndpoints`, and deletes the items of removed ones. `endpoint-changes.ts` changes
 * them. Every method throws when DynamoDB is slow, throttles or is down.
 */
export const createEndpointRepository = (documents: DocumentClient, tableName: string) => ({
  /** Reads an endpoint by a strongly consistent read. */
  async find(endpoint: EndpointRef, signal?: AbortSignal): Promise<EndpointWithState | undefined> {
    const Key = endpointKey(endpoint);
    const command = new GetCommand({ TableName: tableName, Key, ConsistentRead: true });
    const { Item } = await documents.send(command, callOptions(signal));
    return existingEndpoint(Item);
  },

  /** Lists the endpoints of a store and mode by one strongly consistent query. */
  listOf: async (storeMode: StoreMode, signal?: AbortSignal): Promise<readonly EndpointWithState[]> =>
    (await readEndpointItems(documents, tableName, storeMode, signal)).flatMap(
      (item) => existingEndpoint(item) ?? [],
    ),

  sweep: createSweep(documents, tableName),
});

export type EndpointRepository = ReturnType<typeof createEndpointRepository>;
