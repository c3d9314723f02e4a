import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import {
  DeleteCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  type QueryCommandInput,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { scanPages } from '../core/dynamodb-pages.ts';
import type { Documents } from '../core/documents.ts';
import { updateOf } from '../core/expressions.ts';
import { type LogId, logKey } from '../events/store-event.ts';
import { schemaVersionOf } from '../core/schema-version.ts';
import { type Disabled, type EndpointRef, ENDPOINTS_MAX, type WebhookEndpoint } from './endpoint.ts';
import { endpointKey, type EndpointWithState, fromEndpointItem } from './endpoint-items.ts';

/** The changes that operators make. `undefined` leaves an attribute, `null` removes it. */
export interface EndpointChanges {
  /** `null` enables the endpoint and resets its failures. */
  readonly disabled?: Disabled | null;
  readonly label?: string | null;
  readonly events?: readonly string[] | null;
}

/** Webhook endpoints. Every method throws when DynamoDB is slow, throttles or is down. */
export interface EndpointStore {
  /**
   * Stores a new endpoint. Store its secret first.
   *
   * @returns `false`, and stores nothing, if its store and mode have {@link ENDPOINTS_MAX} endpoints. Concurrent
   *   creations may all return `false`.
   */
  create(endpoint: WebhookEndpoint): Promise<boolean>;

  /** Finds an endpoint by its id alone. Reads the whole table, for operators. */
  find(endpointId: string): Promise<EndpointWithState | undefined>;

  /** Reads an endpoint by a strongly consistent read. */
  get(endpoint: EndpointRef): Promise<EndpointWithState | undefined>;

  /** Lists all endpoints, in no order. Reads the whole table. */
  list(): Promise<readonly EndpointWithState[]>;

  /** Lists the endpoints of a store and mode by one strongly consistent query. */
  listOf(log: LogId): Promise<readonly EndpointWithState[]>;

  /** Lists the ids of the endpoints of a store and mode, as `listOf`. Includes those that this release cannot read. */
  idsOf(log: LogId): Promise<readonly string[]>;

  /** Changes an endpoint. Returns `undefined` if it does not exist. */
  update(endpoint: EndpointRef, changes: EndpointChanges): Promise<EndpointWithState | undefined>;

  /** Removes an endpoint. Remove its secret afterwards. */
  remove(endpoint: EndpointRef): Promise<void>;
}

/** The update of changes. An endpoint that is enabled starts anew, with a closed breaker. */
const updateWith = (changes: EndpointChanges) => {
  const removed = Object.entries(changes).flatMap(([name, value]) => (value === null ? [name] : []));
  const kept = Object.entries(changes).filter(([, value]) => value !== null);
  const state = changes.disabled === null ? ['failures', 'failingSinceMs', 'probeAtMs'] : [];
  return updateOf({ set: Object.fromEntries(kept), remove: [...removed, ...state] });
};

const createListing = (documents: Documents, tableName: string) => {
  const list = async (): Promise<readonly EndpointWithState[]> => {
    const found: EndpointWithState[] = [];
    const pages = scanPages(documents, { TableName: tableName, ConsistentRead: true });
    for await (const { Items = [] } of pages) found.push(...Items.map(fromEndpointItem));
    return found;
  };
  const itemsOf = async (log: LogId, selected: Partial<QueryCommandInput> = {}) => {
    const command = new QueryCommand({
      TableName: tableName,
      KeyConditionExpression: '#log = :log',
      ExpressionAttributeNames: { '#log': 'log' },
      ExpressionAttributeValues: { ':log': logKey(log) },
      ConsistentRead: true,
      ...selected,
    });
    return (await documents.send(command)).Items ?? [];
  };
  return {
    list,
    find: async (endpointId: string) => (await list()).find((endpoint) => endpoint.endpointId === endpointId),
    listOf: async (log: LogId) => (await itemsOf(log)).map(fromEndpointItem),
    idsOf: async (log: LogId) =>
      (await itemsOf(log, { ProjectionExpression: 'id' })).map(({ id }) => String(id)),
  };
};

/** Webhook endpoints in the table `webhookEndpoints`. */
export const createEndpointStore = (documents: Documents, tableName: string): EndpointStore => {
  const listing = createListing(documents, tableName);
  const remove = async (endpoint: EndpointRef): Promise<void> => {
    await documents.send(new DeleteCommand({ TableName: tableName, Key: endpointKey(endpoint) }));
  };
  return {
    ...listing,
    remove,

    async create(endpoint) {
      const { storeId: _, mode: __, endpointId: ___, ...attributes } = endpoint;
      await documents.send(
        new PutCommand({
          TableName: tableName,
          Item: { ...endpointKey(endpoint), ...attributes, ...schemaVersionOf('endpoint') },
        }),
      );
      // Counted after the write, so that two creations at the same time never exceed the maximum.
      if ((await listing.listOf(endpoint)).length <= ENDPOINTS_MAX) return true;
      await remove(endpoint);
      return false;
    },

    async get(endpoint) {
      const Key = endpointKey(endpoint);
      const { Item } = await documents.send(
        new GetCommand({ TableName: tableName, Key, ConsistentRead: true }),
      );
      return Item && fromEndpointItem(Item);
    },

    async update(endpoint, changes) {
      const command = new UpdateCommand({
        TableName: tableName,
        Key: endpointKey(endpoint),
        // UpdateItem creates a missing item.
        ConditionExpression: 'attribute_exists(id)',
        ...updateWith(changes),
        ReturnValues: 'ALL_NEW',
      });
      try {
        const { Attributes = {} } = await documents.send(command);
        return fromEndpointItem(Attributes);
      } catch (error) {
        if (error instanceof ConditionalCheckFailedException) return undefined;
        throw error;
      }
    },
  };
};
