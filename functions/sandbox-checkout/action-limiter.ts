import type { DocumentClient } from '../../lib/database/documents.ts';
import { createBucketRepository } from '../../lib/token-bucket/bucket-repository.ts';
import type { BucketLimits } from '../../lib/token-bucket/token-bucket.ts';

/** Ten actions of a cart at once, then one each six seconds. Each action writes the cart, and more writes would conflict. */
export const ACTION_LIMITS: BucketLimits = { limit: 10, windowSeconds: 60 };

/** The id of a cart's bucket, in the table of test carts. Cart ids are UUIDs, so no cart has the same id. */
export const actionsId = (cartId: string): string => `actions#${cartId}`;

/**
 * The limit of actions of each test cart: a token bucket, as each API key has one. It has its own item, because a payment
 * replaces the whole cart.
 */
export const createActionLimiter = (documents: DocumentClient, tableName: string) => {
  const buckets = createBucketRepository(documents, tableName, ACTION_LIMITS);
  return {
    /**
     * Takes an action of a cart.
     *
     * @throws when DynamoDB is slow, throttles or is down
     */
    take: (cartId: string, nowMs: number, signal?: AbortSignal) =>
      buckets.take(actionsId(cartId), nowMs, signal),
  };
};

export type ActionLimiter = ReturnType<typeof createActionLimiter>;
