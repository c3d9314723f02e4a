import { DeleteCommand, GetCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { tookEffect, unlessConditionFails } from '../database/conditional-writes.ts';
import { callOptions, type DocumentClient, type Item } from '../database/documents.ts';
import { updateOf } from '../database/expressions.ts';
import { logKey } from '../events/logged-event.ts';
import type { StoreMode } from '../stores/mode.ts';
import { canonicalHostOf } from './address/host.ts';
import { FAILURES_OPEN, IS_CLOSED } from './breaker.ts';
import { type EndpointItem, endpointKey, existingEndpoint, EXISTS, isRemoved } from './endpoint-items.ts';
import { type EndpointRef, type EndpointWithState, isLocked } from './endpoint.ts';
import { countsAsEndpoint, unleasedCondition } from './removed-endpoints.ts';
import { OPEN_TEST_INTERVAL_SECONDS, SEND_INTERVAL_SECONDS } from './send-intervals.ts';

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

const createSweepAndCount =
  (documents: DocumentClient, tableName: string) =>
  /**
   * Deletes the items of a store's and mode's removed endpoints, unless attempts to them are in flight, and counts the items
   * that are left. `lockedHosts`: the hosts of those that an operator disabled.
   */
  async (storeMode: StoreMode, nowMs: number, signal?: AbortSignal) => {
    const items = await readEndpointItems(documents, tableName, storeMode, signal);
    const ended = items.filter((item) => !countsAsEndpoint(item, nowMs));
    const deletions = ended.map((item) => {
      const Key = { log: logKey(storeMode), id: String(item['id']) };
      const command = new DeleteCommand({ TableName: tableName, Key, ...unleasedCondition(nowMs) });
      return unlessConditionFails(documents.send(command, callOptions(signal)));
    });
    await Promise.all(deletions);
    const locked = items.filter((item) => !isRemoved(item) && isLocked(item));
    return {
      count: items.length - ended.length,
      lockedHosts: new Set(locked.map(({ url }) => canonicalHostOf(String(url)))),
    };
  };

type SendKind = 'test' | 'resend';

const ATTRIBUTES = { test: 'testedAtMs', resend: 'resentAtMs' } as const satisfies Readonly<
  Record<SendKind, keyof EndpointItem>
>;

/** The update that acquires the right to send, if the last one of the kind was long enough ago. */
const acquireUpdate = (kind: SendKind, nowMs: number) => {
  const at = ATTRIBUTES[kind];
  const isDue = `${at} <= :before`;
  // While the breaker is open, a test event is a probe.
  const isProbeDue = `(${at} <= :beforeProbe OR (${isDue} AND ${IS_CLOSED}))`;
  return updateOf(
    { set: { [at]: nowMs } },
    {
      ConditionExpression: `${EXISTS} AND (attribute_not_exists(${at}) OR ${kind === 'test' ? isProbeDue : isDue})`,
      ExpressionAttributeValues: {
        ':before': nowMs - SEND_INTERVAL_SECONDS * 1_000,
        ...(kind === 'test' && {
          ':beforeProbe': nowMs - OPEN_TEST_INTERVAL_SECONDS * 1_000,
          ':open': FAILURES_OPEN,
        }),
      },
    },
  );
};

const createTryAcquireSend =
  (documents: DocumentClient, tableName: string) =>
  /**
   * Acquires the right to send a test event to an endpoint, or a delivery again, by one conditional write. While the breaker is
   * open, a test event is a probe.
   *
   * @returns `false` if the endpoint was removed, or if the last send of this kind was within {@link SEND_INTERVAL_SECONDS}.
   *   For a test event while the breaker is open, the interval is {@link OPEN_TEST_INTERVAL_SECONDS}
   */
  async (endpoint: EndpointRef, kind: SendKind, nowMs: number, signal?: AbortSignal): Promise<boolean> => {
    const update = acquireUpdate(kind, nowMs);
    const command = new UpdateCommand({
      TableName: tableName,
      Key: endpointKey(endpoint),
      ...update,
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
    return tookEffect(documents.send(command, callOptions(signal)), { [ATTRIBUTES[kind]]: nowMs });
  };

/**
 * Reads webhook endpoints in the table `webhookEndpoints`, limits the sends to them, and deletes the items of removed ones.
 * `endpoint-changes.ts` changes them. Every method throws when DynamoDB is slow, throttles or is down.
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

  sweepAndCount: createSweepAndCount(documents, tableName),

  tryAcquireSend: createTryAcquireSend(documents, tableName),
});

export type EndpointRepository = ReturnType<typeof createEndpointRepository>;
