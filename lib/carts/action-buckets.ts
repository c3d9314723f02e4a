import { randomUUID } from 'node:crypto';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { resultOfFailure } from '../database/conditional-writes.ts';
import { callOptions, type DocumentClient } from '../database/documents.ts';
import { takeBusy, takeIdle } from '../token-bucket/take-expressions.ts';
import { type BucketLimits, emissionIntervalMicros } from '../token-bucket/token-bucket.ts';
import { otherItemId } from './item-ids.ts';

/** The id of a cart's bucket, in the table of test carts. */
export const actionsId = (cartId: string): string => otherItemId('actions', cartId);

type BucketKind = 'idle' | 'busy';

/** The update that takes a token from a bucket of this kind. */
const bucketUpdate = (kind: BucketKind, limits: BucketLimits, nowMs: number, taker: string) => {
  const options = { nowMs, interval: ':interval', taker };
  const { assignments, condition, values } = kind === 'idle' ? takeIdle(options) : takeBusy(limits, options);
  return {
    UpdateExpression: `SET ${assignments}, deleteAtSeconds = :full`,
    ConditionExpression: kind === 'idle' ? `attribute_not_exists(tatMicros) OR ${condition}` : condition,
    ExpressionAttributeValues: {
      ...values,
      ':interval': emissionIntervalMicros(limits),
      ':full': Math.ceil(nowMs / 1_000) + limits.windowSeconds,
    },
  };
};

/**
 * The buckets of actions. A cart's bucket has its own item, because a payment replaces the whole cart. The table's TTL deletes
 * full buckets.
 */
export const createActionBuckets = (documents: DocumentClient, tableName: string, limits: BucketLimits) => ({
  /**
   * Takes a token from a cart's bucket. If the stored bucket is empty, or of another kind, returns its TAT.
   *
   * @throws when DynamoDB is slow, throttles or is down
   */
  async tryToTake(
    kind: BucketKind,
    cartId: string,
    nowMs: number,
    signal: AbortSignal | undefined,
  ): Promise<{ readonly tatMicros: number } | 'taken'> {
    const takenBy = randomUUID();
    const command = new UpdateCommand({
      ...bucketUpdate(kind, limits, nowMs, takenBy),
      TableName: tableName,
      Key: { id: actionsId(cartId) },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
    try {
      await documents.send(command, callOptions(signal));
      return 'taken';
    } catch (error) {
      const { applied, item } = resultOfFailure(error, { takenBy });
      return applied ? 'taken' : { tatMicros: Number(item?.['tatMicros']) };
    }
  },
});
