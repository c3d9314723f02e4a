import { randomUUID } from 'node:crypto';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { resultOfFailure } from '../../lib/database/conditional-writes.ts';
import { callOptions, type DocumentClient } from '../../lib/database/documents.ts';
import { BUCKET_IS_BUSY, BUCKET_IS_IDLE, takeToken } from '../../lib/token-bucket/take-expressions.ts';
import {
  type BucketLimits,
  burstToleranceMicros,
  describeBucket,
  emissionIntervalMicros,
  hasToken,
} from '../../lib/token-bucket/token-bucket.ts';

/** Ten actions of a cart at once, then one each six seconds. Each action writes the cart, and more writes would conflict. */
export const ACTION_LIMITS: BucketLimits = { limit: 10, windowSeconds: 60 };

/** `limited`: the seconds until the next action, at least 1. */
type TakenAction =
  | { readonly outcome: 'taken' }
  | { readonly outcome: 'limited'; readonly retryAfterSeconds: number };

/** The id of a cart's bucket, in the table of test carts. Cart ids are UUIDs, so no cart has the same id. */
export const actionsId = (cartId: string): string => `actions#${cartId}`;

const takeIdle = (nowMicros: number) => ({
  UpdateExpression: `SET ${takeToken('idle', ':interval')}, deleteAtSeconds = :full`,
  ConditionExpression: `attribute_not_exists(tatMicros) OR ${BUCKET_IS_IDLE}`,
  ExpressionAttributeValues: { ':nowMicros': nowMicros },
});

const takeBusy = (nowMicros: number) => ({
  UpdateExpression: `SET ${takeToken('busy', ':interval')}, deleteAtSeconds = :full`,
  ConditionExpression: BUCKET_IS_BUSY,
  ExpressionAttributeValues: {
    ':nowMicros': nowMicros,
    ':latestMicros': nowMicros + burstToleranceMicros(ACTION_LIMITS),
  },
});

/**
 * The limit of actions of each test cart: a token bucket, as each API key has one. It has its own item, because a payment
 * replaces the whole cart. The table's TTL deletes full buckets.
 */
export const createActionLimiter = (documents: DocumentClient, tableName: string) => {
  /** Returns the TAT of the stored bucket if the condition is false. */
  const update = async (
    cartId: string,
    nowMicros: number,
    { ExpressionAttributeValues, ...take }: ReturnType<typeof takeIdle>,
    signal: AbortSignal | undefined,
  ): Promise<{ readonly tatMicros: number } | 'taken'> => {
    const takenBy = randomUUID();
    const command = new UpdateCommand({
      ...take,
      TableName: tableName,
      Key: { id: actionsId(cartId) },
      ExpressionAttributeValues: {
        ...ExpressionAttributeValues,
        ':interval': emissionIntervalMicros(ACTION_LIMITS),
        ':taker': takenBy,
        ':full': Math.ceil(nowMicros / 1e6) + ACTION_LIMITS.windowSeconds,
      },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
    try {
      await documents.send(command, callOptions(signal));
      return 'taken';
    } catch (error) {
      const { applied, item } = resultOfFailure(error, { takenBy });
      return applied ? 'taken' : { tatMicros: Number(item?.['tatMicros']) };
    }
  };

  return {
    /**
     * Takes an action of a cart by a conditional write, or by two if the bucket is neither full nor empty. If it is empty, the
     * first write shows that.
     *
     * @throws when DynamoDB is slow, throttles or is down
     */
    async take(cartId: string, nowMs: number, signal?: AbortSignal): Promise<TakenAction> {
      const nowMicros = nowMs * 1_000;
      const isLimited = (tatMicros: number) => !hasToken({ ...ACTION_LIMITS, tatMicros }, nowMicros);
      let stored = await update(cartId, nowMicros, takeIdle(nowMicros), signal);
      if (stored !== 'taken' && !isLimited(stored.tatMicros))
        stored = await update(cartId, nowMicros, takeBusy(nowMicros), signal);
      if (stored === 'taken') return { outcome: 'taken' };
      const { retryAfterSeconds } = describeBucket({ ...ACTION_LIMITS, ...stored }, nowMicros);
      return { outcome: 'limited', retryAfterSeconds };
    },
  };
};

export type ActionLimiter = ReturnType<typeof createActionLimiter>;
