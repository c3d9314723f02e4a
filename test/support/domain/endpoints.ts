import { randomUUID } from 'node:crypto';
import { BatchWriteCommand, DeleteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { DocumentClient } from '../../../lib/database/documents.ts';
import { updateOf } from '../../../lib/database/expressions.ts';
import type { TableKind } from '../../../lib/database/tables.ts';
import { createEndpointChanges, type EndpointChanges } from '../../../lib/endpoints/endpoint-changes.ts';
import { endpointKey, toEndpointItem } from '../../../lib/endpoints/endpoint-item.ts';
import {
  type EndpointRef,
  type EndpointWithState,
  generateEndpointId,
  type WebhookEndpoint,
} from '../../../lib/endpoints/endpoint.ts';
import { generateSecret } from '../../../lib/endpoints/signing-secret.ts';
import { createEventLog } from '../../../lib/events/event-log.ts';
import { NOW_MS } from '../clock.ts';

/** The tables of endpoints. */
interface Tables {
  readonly documents: DocumentClient;
  readonly tableNames: Readonly<Record<TableKind, string>>;
}

/** An endpoint of a store of its own: in test mode, for all events and created now, apart from `changes`. */
export const newEndpoint = (changes: Partial<WebhookEndpoint> = {}): WebhookEndpoint => ({
  storeId: `store-${randomUUID()}`,
  mode: 'test',
  endpointId: generateEndpointId(),
  url: 'https://shop.example/hook',
  createdAtMs: NOW_MS,
  ...changes,
});

/** An endpoint of the store of `event`, in live mode, as it is read. */
export const readEndpoint = (
  endpointId: string,
  changes: Partial<EndpointWithState> = {},
): EndpointWithState => ({
  ...newEndpoint({ storeId: 'store-1', mode: 'live', endpointId }),
  state: { failures: 0 },
  ...changes,
});

/** Stores an endpoint and its secret without an event. Returns the secret. */
export const storeEndpoint = async (
  { documents, tableNames }: Tables,
  endpoint: WebhookEndpoint,
  secret = generateSecret(),
): Promise<string> => {
  const { webhookEndpoints, secrets } = tableNames;
  const put = (Item: Readonly<Record<string, unknown>>) => [{ PutRequest: { Item } }];
  const RequestItems = {
    [secrets]: put({ id: endpoint.endpointId, secret }),
    [webhookEndpoints]: put(toEndpointItem(endpoint)),
  };
  await documents.send(new BatchWriteCommand({ RequestItems }));
  return secret;
};

/** Makes an endpoint one whose last attempt succeeded quickly. */
export const makeQuick = async ({ documents, tableNames }: Tables, endpoint: EndpointRef): Promise<void> => {
  const Key = endpointKey(endpoint);
  const update = updateOf({ set: { isQuick: true } });
  await documents.send(new UpdateCommand({ TableName: tableNames.webhookEndpoints, Key, ...update }));
};

/** Removes the item of an endpoint, and keeps its secret. */
export const dropEndpoint = async (
  { documents, tableNames }: Tables,
  endpoint: EndpointRef,
): Promise<void> => {
  const TableName = tableNames.webhookEndpoints;
  await documents.send(new DeleteCommand({ TableName, Key: endpointKey(endpoint) }));
};

/** A conflict is retried at once, so that tests can choose the order of calls. */
const AT_ONCE = { sleep: async () => undefined, random: () => 0 };

/** The changes of endpoints, on the tables of a test. */
export const endpointChangesOf = (
  { documents, tableNames }: Tables,
  now = (): number => NOW_MS,
): EndpointChanges =>
  createEndpointChanges(documents, tableNames, {
    log: createEventLog(documents, tableNames.events, { now, pauses: AT_ONCE }),
    now,
  });
