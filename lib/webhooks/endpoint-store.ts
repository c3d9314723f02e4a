import { GetCommand, QueryCommand, type QueryCommandInput, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { SEND_INTERVAL_SECONDS } from '../core/durations.ts';
import { scanItems } from '../core/dynamodb-pages.ts';
import { callOptions, type Documents, unlessConditionFails } from '../core/documents.ts';
import { updateOf } from '../core/expressions.ts';
import { type LogId, logKey } from '../events/logged-event.ts';
import type { EndpointRef } from './endpoint.ts';
import { endpointKey, type EndpointWithState, fromEndpointItem } from './endpoint-items.ts';

/** Reads the items of a log. */
const createItemsOf =
  (documents: Documents, tableName: string) =>
  async (log: LogId, selected: Partial<QueryCommandInput>, signal?: AbortSignal) => {
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

type SendKind = 'test' | 'resend';

/** The update that takes the right to send, if the last one of this kind was taken long enough ago. */
const takeUpdate = (kind: SendKind, nowMs: number) => {
  const at = kind === 'test' ? 'testedAtMs' : 'resentAtMs';
  const condition = {
    ConditionExpression: `attribute_exists(id) AND (attribute_not_exists(${at}) OR ${at} <= :before)`,
    ExpressionAttributeValues: { ':before': nowMs - SEND_INTERVAL_SECONDS * 1_000 },
  };
  return updateOf({ set: { [at]: nowMs } }, condition);
};

/**
 * Reads webhook endpoints in the table `webhookEndpoints`. `endpoint-registry.ts` changes them. Every method throws when
 * DynamoDB is slow, throttles or is down.
 */
export const createEndpointStore = (documents: Documents, tableName: string) => {
  const itemsOf = createItemsOf(documents, tableName);

  /** Lists all endpoints, in no order. Reads the whole table. */
  const list = (): Promise<readonly EndpointWithState[]> => scanItems(documents, tableName, fromEndpointItem);

  return {
    list,

    /** Finds an endpoint by its id alone. Reads the whole table, for operators. */
    find: async (endpointId: string): Promise<EndpointWithState | undefined> =>
      (await list()).find((endpoint) => endpoint.endpointId === endpointId),

    /** Reads an endpoint by a strongly consistent read. */
    async get(endpoint: EndpointRef, signal?: AbortSignal): Promise<EndpointWithState | undefined> {
      const Key = endpointKey(endpoint);
      const command = new GetCommand({ TableName: tableName, Key, ConsistentRead: true });
      const { Item } = await documents.send(command, callOptions(signal));
      return Item && fromEndpointItem(Item);
    },

    /** Lists the endpoints of a store and mode by one strongly consistent query. */
    listOf: async (log: LogId, signal?: AbortSignal): Promise<readonly EndpointWithState[]> =>
      (await itemsOf(log, {}, signal)).map(fromEndpointItem),

    /** Lists the ids of the endpoints of a store and mode, as `listOf`. Includes those that this release cannot read. */
    idsOf: async (log: LogId): Promise<readonly string[]> =>
      (await itemsOf(log, { ProjectionExpression: 'id' })).map(({ id }) => String(id)),

    /**
     * Takes the right to send a test event to an endpoint, or a delivery again, by one conditional write.
     *
     * @returns `false` if the last one of this kind was taken within {@link SEND_INTERVAL_SECONDS}, or the endpoint was removed
     */
    async takeSend(
      endpoint: EndpointRef,
      kind: SendKind,
      nowMs: number,
      signal?: AbortSignal,
    ): Promise<boolean> {
      const update = takeUpdate(kind, nowMs);
      const command = new UpdateCommand({ TableName: tableName, Key: endpointKey(endpoint), ...update });
      return (await unlessConditionFails(documents.send(command, callOptions(signal)))) !== undefined;
    },
  };
};

export type EndpointStore = ReturnType<typeof createEndpointStore>;
