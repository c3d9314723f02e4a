import { randomUUID } from 'node:crypto';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { resultOfFailure } from '../../lib/database/conditional-writes.ts';
import { callOptions, type DocumentClient } from '../../lib/database/documents.ts';
import { takeBusy, takeIdle } from '../../lib/token-bucket/take-expressions.ts';
import {
  type BucketLimits,
  rateLimitAt,
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

/** The update that takes a token from a bucket of this kind. */
const takeFrom = (kind: 'idle' | 'busy', nowMicros: number, taker: string) => {
  const options = { nowMicros, interval: ':interval', taker };
  const { assignments, condition, values } =
    kind === 'idle' ? takeIdle(options) : takeBusy(ACTION_LIMITS, options);
  return {
    UpdateExpression: `SET ${assignments}, deleteAtSeconds = :full`,
    ConditionExpression: kind === 'idle' ? `attribute_not_exists(tatMicros) OR ${condition}` : condition,
    ExpressionAttributeValues: {
      ...values,
      ':interval': emissionIntervalMicros(ACTION_LIMITS),
      ':full': Math.ceil(nowMicros / 1e6) + ACTION_LIMITS.windowSeconds,
    },
  };
};

/**
 * The limit of actions of each test cart: a token bucket, as each API key has one. It has its own item, because a payment
 * replaces the whole cart. The table's TTL deletes full buckets.
 */
export const createActionLimiter = (documents: DocumentClient, tableName: string) => {
  /** Takes a token. If the stored bucket is of another kind, returns its TAT. */
  const tryToTake = async (
    kind: 'idle' | 'busy',
    cartId: string,
    nowMicros: number,
    signal: AbortSignal | undefined,
  ): Promise<{ readonly tatMicros: number } | 'taken'> => {
    const takenBy = randomUUID();
    const command = new UpdateCommand({
      ...takeFrom(kind, nowMicros, takenBy),
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
      let stored = await tryToTake('idle', cartId, nowMicros, signal);
      if (stored !== 'taken' && !isLimited(stored.tatMicros))
        stored = await tryToTake('busy', cartId, nowMicros, signal);
      if (stored === 'taken') return { outcome: 'taken' };
      const { retryAfterSeconds } = rateLimitAt({ ...ACTION_LIMITS, ...stored }, nowMicros);
      return { outcome: 'limited', retryAfterSeconds };
    },
  };
};

export type ActionLimiter = ReturnType<typeof createActionLimiter>;
