import { GetCommand, QueryCommand, type QueryCommandInput, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { SEND_INTERVAL_SECONDS } from '../core/durations.ts';
import { scanItems } from '../core/dynamodb-pages.ts';
import { callOptions, type Documents, unlessConditionFails } from '../core/documents.ts';
import { updateOf } from '../core/expressions.ts';
import { type LogId, logKey } from '../events/logged-event.ts';
import type { EndpointRef } from './endpoint.ts';
import { endpointKey, type EndpointWithState, fromEndpointItem } from './endpoint-items.ts';

/** Reads webhook endpoints. `endpoint-registry.ts` changes them. Every method throws when DynamoDB is slow, throttles or is down. */
export interface EndpointStore {
  /** Finds an endpoint by its id alone. Reads the whole table, for operators. */
  find(endpointId: string): Promise<EndpointWithState | undefined>;

  /** Reads an endpoint by a strongly consistent read. */
  get(endpoint: EndpointRef, signal?: AbortSignal): Promise<EndpointWithState | undefined>;

  /** Lists all endpoints, in no order. Reads the whole table. */
  list(): Promise<readonly EndpointWithState[]>;

  /** Lists the endpoints of a store and mode by one strongly consistent query. */
  listOf(log: LogId, signal?: AbortSignal): Promise<readonly EndpointWithState[]>;

  /** Lists the ids of the endpoints of a store and mode, as `listOf`. Includes those that this release cannot read. */
  idsOf(log: LogId): Promise<readonly string[]>;

  /**
   * Takes the right to send a test event to an endpoint, or a delivery again, by one conditional write.
   *
   * @returns `false` if the last one of this kind was taken within {@link SEND_INTERVAL_SECONDS}, or the endpoint was removed
   */
  takeSend(
    endpoint: EndpointRef,
    kind: 'test' | 'resend',
    nowMs: number,
    signal?: AbortSignal,
  ): Promise<boolean>;
}

/** Webhook endpoints in the table `webhookEndpoints`. */
export const createEndpointStore = (documents: Documents, tableName: string): EndpointStore => {
  const itemsOf = async (log: LogId, selected: Partial<QueryCommandInput>, signal?: AbortSignal) => {
    const command = new QueryCommand({
      TableName: tableName,
      KeyConditionExpression: '#log = :log',
      ExpressionAttributeNames: { '#log': 'log' },
      ExpressionAttributeValues: { ':log': logKey(log) },
      ConsistentRead: true,
      ...selected,
    });
    return (await documents.send(command, callOptions(signal))).Items ?? [];
  };

  const store: EndpointStore = {
    find: async (endpointId) => (await store.list()).find((endpoint) => endpoint.endpointId === endpointId),

    async get(endpoint, signal) {
      const Key = endpointKey(endpoint);
      const command = new GetCommand({ TableName: tableName, Key, ConsistentRead: true });
      const { Item } = await documents.send(command, callOptions(signal));
      return Item && fromEndpointItem(Item);
    },

    list: () => scanItems(documents, tableName, fromEndpointItem),

    listOf: async (log, signal) => (await itemsOf(log, {}, signal)).map(fromEndpointItem),

    idsOf: async (log) => (await itemsOf(log, { ProjectionExpression: 'id' })).map(({ id }) => String(id)),

    async takeSend(endpoint, kind, nowMs, signal) {
      const at = kind === 'test' ? 'testedAtMs' : 'resentAtMs';
      const condition = {
        ConditionExpression: `attribute_exists(id) AND (attribute_not_exists(${at}) OR ${at} <= :before)`,
        ExpressionAttributeValues: { ':before': nowMs - SEND_INTERVAL_SECONDS * 1_000 },
      };
      const update = updateOf({ set: { [at]: nowMs } }, condition);
      const command = new UpdateCommand({ TableName: tableName, Key: endpointKey(endpoint), ...update });
      return (await unlessConditionFails(documents.send(command, callOptions(signal)))) !== undefined;
    },
  };
  return store;
};
