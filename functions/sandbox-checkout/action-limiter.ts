import { createActionBuckets } from '../../lib/carts/action-buckets.ts';
import type { DocumentClient } from '../../lib/database/documents.ts';
import { type BucketLimits, hasToken, rateLimitAt } from '../../lib/token-bucket/token-bucket.ts';

/** Ten actions of a cart at once, then one each six seconds. Each action writes the cart, and more writes would conflict. */
export const ACTION_LIMITS: BucketLimits = { limit: 10, windowSeconds: 60 };

/** `limited`: the seconds until the next action, at least 1. */
type TakenAction =
  | { readonly outcome: 'taken' }
  | { readonly outcome: 'limited'; readonly retryAfterSeconds: number };

/** The limit of actions of each test cart: a token bucket, as each API key has one. */
export const createActionLimiter = (documents: DocumentClient, tableName: string) => {
  const buckets = createActionBuckets(documents, tableName, ACTION_LIMITS);
  return {
    /**
     * Takes an action of a cart by a conditional write, or by two if the bucket is neither full nor empty. If it is empty, the
     * first write shows that.
     *
     * @throws when DynamoDB is slow, throttles or is down
     */
    async take(cartId: string, nowMs: number, signal?: AbortSignal): Promise<TakenAction> {
      const isLimited = (tatMicros: number) => !hasToken({ ...ACTION_LIMITS, tatMicros }, nowMs);
      let stored = await buckets.tryToTake('idle', cartId, nowMs, signal);
      if (stored !== 'taken' && !isLimited(stored.tatMicros))
        stored = await buckets.tryToTake('busy', cartId, nowMs, signal);
      if (stored === 'taken') return { outcome: 'taken' };
      const { retryAfterSeconds } = rateLimitAt({ ...ACTION_LIMITS, ...stored }, nowMs);
      return { outcome: 'limited', retryAfterSeconds };
    },
  };
};

export type ActionLimiter = ReturnType<typeof createActionLimiter>;
