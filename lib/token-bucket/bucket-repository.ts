import { randomUUID } from 'node:crypto';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { resultOfFailure } from '../database/conditional-writes.ts';
import { callOptions, type DocumentClient } from '../database/documents.ts';
import { takeBusy, takeIdle } from './take-expressions.ts';
import { type BucketLimits, rateLimitAt, emissionIntervalMicros, hasToken } from './token-bucket.ts';

/** `limited`: the seconds until the next token, at least 1. */
type TakenToken =
  | { readonly outcome: 'taken' }
  | { readonly outcome: 'limited'; readonly retryAfterSeconds: number };

/** The update that takes a token from a bucket of this kind. */
const takeFrom = (kind: 'idle' | 'busy', limits: BucketLimits, nowMicros: number, taker: string) => {
  const options = { nowMicros, interval: ':interval', taker };
  const { assignments, condition, values } = kind === 'idle' ? takeIdle(options) : takeBusy(limits, options);
  return {
    UpdateExpression: `SET ${assignments}, deleteAtSeconds = :full`,
    ConditionExpression: kind === 'idle' ? `attribute_not_exists(tatMicros) OR ${condition}` : condition,
    ExpressionAttributeValues: {
      ...values,
      ':interval': emissionIntervalMicros(limits),
      ':full': Math.ceil(nowMicros / 1e6) + limits.windowSeconds,
    },
  };
};

/** Token buckets with the same limits, each in an item of its own. The table's TTL deletes full buckets. */
export const createBucketRepository = (
  documents: DocumentClient,
  tableName: string,
  limits: BucketLimits,
) => {
  /** Takes a token. If the stored bucket is of another kind, returns its TAT. */
  const tryToTake = async (
    kind: 'idle' | 'busy',
    id: string,
    nowMicros: number,
    signal: AbortSignal | undefined,
  ): Promise<{ readonly tatMicros: number } | 'taken'> => {
    const takenBy = randomUUID();
    const command = new UpdateCommand({
      ...takeFrom(kind, limits, nowMicros, takenBy),
      TableName: tableName,
      Key: { id },
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
     * Takes a token by a conditional write, or by two if the bucket is neither full nor empty. If it is empty, the first write
     * shows that.
     *
     * @param id the id of the bucket's item
     * @throws when DynamoDB is slow, throttles or is down
     */
    async take(id: string, nowMs: number, signal?: AbortSignal): Promise<TakenToken> {
      const nowMicros = nowMs * 1_000;
      const isLimited = (tatMicros: number) => !hasToken({ ...limits, tatMicros }, nowMicros);
      let stored = await tryToTake('idle', id, nowMicros, signal);
      if (stored !== 'taken' && !isLimited(stored.tatMicros))
        stored = await tryToTake('busy', id, nowMicros, signal);
      if (stored === 'taken') return { outcome: 'taken' };
      const { retryAfterSeconds } = rateLimitAt({ ...limits, ...stored }, nowMicros);
      return { outcome: 'limited', retryAfterSeconds };
    },
  };
};
