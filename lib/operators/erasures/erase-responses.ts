import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { inParallel, WRITES_AT_ONCE } from '../../core/in-parallel.ts';
import { batchGet } from '../../database/batch-get.ts';
import { unlessConditionFails } from '../../database/conditional-writes.ts';
import { DATABASE_BUDGET_MS, type DocumentClient } from '../../database/documents.ts';
import { updateOf } from '../../database/expressions.ts';
import { retryConflicts } from '../../database/retry-conflicts.ts';
import type { Attempt } from '../../deliveries/records/attempt.ts';
import { DELIVERY_RETENTION_SECONDS } from '../../deliveries/records/delivery-repository.ts';
import { parseDeliveryId } from '../../deliveries/records/delivery.ts';

/** The key of a delivery. */
export interface DeliveryKey {
  readonly endpointId: string;
  readonly id: string;
}

/**
 * Marks a delivery, and returns its attempts so far. From then on, no attempt stores the text of its response. The mark may
 * come before the first attempt or a late resend, so the time to live restarts. It is longer than a message can wait in the
 * queue.
 */
const mark = async (
  documents: DocumentClient,
  TableName: string,
  Key: DeliveryKey,
  nowMs: number,
): Promise<readonly Attempt[]> => {
  const deleteAtSeconds = Math.floor(nowMs / 1_000) + DELIVERY_RETENTION_SECONDS;
  const update = new UpdateCommand({
    TableName,
    Key,
    ...updateOf({
      set: { ...parseDeliveryId(Key.id), deleteAtSeconds },
      setIfMissing: { responsesErasedAtMs: nowMs },
    }),
    ReturnValues: 'ALL_NEW',
  });
  const { Attributes } = await documents.send(update);
  return (Attributes?.['attempts'] ?? []) as readonly Attempt[];
};

/**
 * The update that removes the texts of these attempts' responses. Its condition fails if the list of attempts has changed:
 * each attempt adds to the list, and may shift it.
 */
const removeTexts = (TableName: string, Key: DeliveryKey, attempts: readonly Attempt[]): UpdateCommand => {
  const withText = attempts.flatMap(({ response }, index) => (response === undefined ? [] : [index]));
  return new UpdateCommand({
    TableName,
    Key,
    ...updateOf(
      { removePaths: withText.map((index) => `attempts[${index}].#response`) },
      {
        ConditionExpression: 'size(attempts) = :size AND attempts[0].atMs = :firstAtMs',
        ExpressionAttributeNames: { '#response': 'response' },
        ExpressionAttributeValues: { ':size': attempts.length, ':firstAtMs': attempts[0]?.atMs },
      },
    ),
  });
};

/** Erases the texts of a delivery. Returns whether it had any. */
const eraseOne = (
  documents: DocumentClient,
  TableName: string,
  Key: DeliveryKey,
  nowMs: number,
): Promise<boolean> => {
  const tryOnce = async (): Promise<boolean | undefined> => {
    const attempts = await mark(documents, TableName, Key, nowMs);
    if (attempts.every(({ response }) => response === undefined)) return false;
    // Without a result, another attempt was recorded, or TTL has deleted the delivery.
    const removed = await unlessConditionFails(documents.send(removeTexts(TableName, Key, attempts)));
    return removed !== undefined || undefined;
  };
  return retryConflicts(tryOnce, { signal: AbortSignal.timeout(DATABASE_BUDGET_MS) });
};

/** Counts the deliveries whose responses have a text. It also counts those that this release cannot read. */
export const countDeliveriesWithText = async (
  documents: DocumentClient,
  tableName: string,
  deliveries: readonly DeliveryKey[],
): Promise<number> => {
  const keys = deliveries.map(({ endpointId, id }) => marshall({ endpointId, id }));
  const found = await batchGet(documents, tableName, keys);
  return found.filter(({ attempts }) => attempts?.L?.some(({ M }) => M?.['response'])).length;
};

/**
 * Erases the texts of the responses to deliveries in the table `deliveries`: a receiver may have repeated the buyer's data in
 * them. Later attempts store none, also those of messages that waited in the queue. Statuses and times stay. A repetition
 * only restarts the time to live.
 *
 * @returns how many deliveries had a text
 * @throws when DynamoDB is slow, throttles or is down
 */
export const eraseResponses = async (
  documents: DocumentClient,
  tableName: string,
  deliveries: readonly DeliveryKey[],
  nowMs: number,
): Promise<number> => {
  let erased = 0;
  await inParallel(deliveries, WRITES_AT_ONCE, async ({ endpointId, id }) => {
    if (await eraseOne(documents, tableName, { endpointId, id }, nowMs)) erased += 1;
  });
  return erased;
};
