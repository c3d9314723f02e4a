import { isDeepStrictEqual } from 'node:util';
import {
  GetCommand,
  type QueryCommandInput,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import type { Clock } from '../../core/clock.ts';
import { isoTime } from '../../core/timestamps.ts';
import { unlessConditionFails } from '../../database/conditional-writes.ts';
import { callOptions, type DocumentClient } from '../../database/documents.ts';
import { updateOf } from '../../database/expressions.ts';
import { queryPages } from '../../database/paginate.ts';
import { schemaVersionOf } from '../../database/readable-item.ts';
import type { EndpointRef } from '../../endpoints/endpoint.ts';
import { logKey } from '../../events/logged-event.ts';
import type { Timer } from '../../timers/timer.ts';
import type { DeliveryMessage } from '../queue/queue-message.ts';
import type { Attempt } from './attempt.ts';
import { existingRecord } from './delivery-item.ts';
import {
  ATTEMPTS_KEPT_MAX,
  DELIVERY_SCHEMA,
  type DeliveredEvent,
  deliveryId,
  type DeliveryRecord,
  type DeliveryStatus,
} from './delivery.ts';

/** The year 9999: later ISO 8601 times have another form. */
const TIME_MAX_MS = Date.UTC(9999, 11, 31);

/** The retention of a record after its latest attempt. */
export const DELIVERY_RETENTION_SECONDS = 30 * 86_400;

/** The change of a record: the result of an attempt, why the delivery was dropped, or both. */
export interface DeliveryUpdate {
  readonly status: DeliveryStatus;
  readonly result?: Attempt | undefined;
  /** The next attempt. Without a timer, the queue has its message. */
  readonly next?:
    | { readonly attempt: number; readonly atMs?: number; readonly timer?: Timer | undefined }
    | undefined;
  readonly reason?: DeliveryRecord['reason'];
}

/** The times of the events of some deliveries. */
export interface DeliveryRange {
  /** Only events that were recorded at this time or later. */
  readonly sinceMs?: number;
  /** Only events that were recorded before this time. */
  readonly beforeMs?: number | undefined;
}

interface PageOptions extends Pick<DeliveryRange, 'beforeMs'> {
  readonly limit: number;
  /** Only deliveries behind this one, which need not exist. */
  readonly after: DeliveredEvent | undefined;
  readonly signal: AbortSignal;
}

const recordUpdate = (message: DeliveryMessage, update: DeliveryUpdate, nowMs: number) => {
  const { status, result, next, reason } = update;
  const waiting: Readonly<Record<string, unknown>> = {
    nextAttempt: next?.attempt,
    nextAttemptAtMs: next?.atMs,
    timer: next?.timer?.timer,
    timerAtMs: next?.timer?.timerAtMs,
    reason,
  };
  return {
    ...updateOf({
      set: {
        log: logKey(message.endpoint),
        eventId: message.eventId,
        type: message.type,
        recordedAtMs: message.recordedAtMs,
        sequence: message.sequence,
        latest: status,
        succeededAtMs: status === 'succeeded' ? nowMs : undefined,
        ...waiting,
        deleteAtSeconds: Math.floor(nowMs / 1_000) + DELIVERY_RETENTION_SECONDS,
        ...schemaVersionOf(DELIVERY_SCHEMA),
      },
      append: { attempts: result && [result] },
      remove: Object.keys(waiting).filter((name) => waiting[name] === undefined),
    }),
    ...(result?.response !== undefined && {
      ConditionExpression: 'attribute_not_exists(responsesErasedAtMs)',
    }),
  };
};

/** Stores an update of a record. Returns the attempts of the record, and the indices of those that it should not have. */
const storeUpdate = async (
  documents: DocumentClient,
  item: Pick<UpdateCommandInput, 'TableName' | 'Key'>,
  message: DeliveryMessage,
  update: DeliveryUpdate,
  nowMs: number,
): Promise<{ readonly count: number; readonly surplus: readonly number[] }> => {
  const change = recordUpdate(message, update, nowMs);
  const command = new UpdateCommand({ ...item, ...change, ReturnValues: 'UPDATED_NEW' });
  const stored = await unlessConditionFails(documents.send(command));
  if (stored || update.result?.response === undefined) {
    const attempts = (stored?.Attributes?.['attempts'] ?? []) as readonly Attempt[];
    // The SDK repeated a call whose response was lost.
    const isTwice =
      (stored?.$metadata.attempts ?? 1) > 1 &&
      attempts.length > 1 &&
      isDeepStrictEqual(attempts.at(-1), attempts.at(-2));
    const kept = attempts.length - (isTwice ? 1 : 0);
    const oldest = Array.from({ length: Math.max(0, kept - ATTEMPTS_KEPT_MAX) }, (_, i) => i);
    // The highest first: the embedded DynamoDB removes one after the other.
    return { count: attempts.length, surplus: [...oldest, ...(isTwice ? [kept] : [])].toReversed() };
  }
  // The buyer's data was erased since.
  const result = { ...update.result, response: undefined };
  return storeUpdate(documents, item, message, { ...update, result }, nowMs);
};

/** The condition on the keys of an endpoint's deliveries, by the times of their events. */
export const rangeOf = (endpointId: string, { sinceMs = 0, beforeMs = TIME_MAX_MS }: DeliveryRange) => ({
  KeyConditionExpression: 'endpointId = :endpoint AND id BETWEEN :since AND :before',
  ExpressionAttributeValues: {
    ':endpoint': endpointId,
    ':since': isoTime(sinceMs),
    // Below every id of this time, which goes on with `#`.
    ':before': isoTime(Math.min(Math.max(beforeMs, sinceMs), TIME_MAX_MS)),
  },
});

/**
 * Lists the latest deliveries of a range, from one page of DynamoDB, which has at most 1 MB. 100 deliveries can have 4 MB, with
 * 20 attempts and long responses each.
 *
 * @returns no deliveries only if no more exist
 */
const readPage = async (
  documents: DocumentClient,
  range: QueryCommandInput,
  { limit, signal }: PageOptions,
  nowMs: number,
): Promise<{ readonly deliveries: readonly DeliveryRecord[]; readonly hasMore: boolean }> => {
  // One more shows whether there are further deliveries.
  const query = { ...range, ScanIndexForward: false, ConsistentRead: true, Limit: limit + 1 };
  for await (const { Items = [], LastEvaluatedKey } of queryPages(documents, query, signal)) {
    const found = Items.flatMap((item) => existingRecord(item, nowMs) ?? []);
    const hasMore = found.length > limit || LastEvaluatedKey !== undefined;
    if (found.length > 0) return { deliveries: found.slice(0, limit), hasMore };
  }
  return { deliveries: [], hasMore: false };
};

const createRecord =
  (documents: DocumentClient, tableName: string) =>
  /**
   * Adds an attempt, or the reason why there is none, to the record of a delivery. The first one creates the record. It stores
   * no response if the buyer's data was erased since: see `erase-responses.ts`. A record past its deletion time continues, so
   * that the mark of an erasure stays.
   */
  async (message: DeliveryMessage, update: DeliveryUpdate, nowMs: number): Promise<void> => {
    const Key = { endpointId: message.endpoint.endpointId, id: deliveryId(message) };
    const item = { TableName: tableName, Key };
    const { count, surplus } = await storeUpdate(documents, item, message, update, nowMs);
    if (surplus.length === 0) return;
    const removePaths = surplus.map((index) => `attempts[${index}]`);
    const removal = updateOf(
      { removePaths },
      { ConditionExpression: 'size(attempts) = :count', ExpressionAttributeValues: { ':count': count } },
    );
    await unlessConditionFails(documents.send(new UpdateCommand({ ...item, ...removal })));
  };

/**
 * The deliveries of endpoints, with their attempts, in the table `deliveries`. Reads find no record past its deletion time.
 * Every method throws when DynamoDB is slow, throttles or is down.
 */
export const createDeliveryRepository = (documents: DocumentClient, tableName: string, now: Clock) => ({
  /** Lists the latest deliveries of an endpoint: see {@link readPage}. */
  pageOf: (endpointId: string, options: PageOptions) => {
    const { after } = options;
    const ExclusiveStartKey = after && { endpointId, id: deliveryId(after) };
    const range = { TableName: tableName, ...rangeOf(endpointId, options), ExclusiveStartKey };
    return readPage(documents, range, options, now());
  },

  async find(
    { endpoint, ...event }: DeliveredEvent & { readonly endpoint: Pick<EndpointRef, 'endpointId'> },
    signal?: AbortSignal,
  ): Promise<DeliveryRecord | undefined> {
    const Key = { endpointId: endpoint.endpointId, id: deliveryId(event) };
    const command = new GetCommand({ TableName: tableName, Key, ConsistentRead: true });
    const { Item } = await documents.send(command, callOptions(signal));
    return existingRecord(Item, now());
  },

  record: createRecord(documents, tableName),
});

export type DeliveryRepository = ReturnType<typeof createDeliveryRepository>;
