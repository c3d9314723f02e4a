import { randomUUID } from 'node:crypto';
import { ContentionError } from '../aws/errors.ts';
import type { Clock } from '../core/clock.ts';
import type { ConditionalWrite } from '../database/conditional-writes.ts';
import type { DocumentClient } from '../database/documents.ts';
import type { Bucket } from '../token-bucket/token-bucket.ts';
import { emptyUpdate, takeUpdate } from './bucket-updates.ts';
import { createKeyItems } from './key-items.ts';
import { requireStoredApiKey } from './stored-api-key.ts';
import { type Attempt, firstAttempt, onlyReads, type TakeResult, verdictOf } from './take-verdict.ts';

interface TakeRequest {
  readonly keyId: string;
  readonly now: Clock;
  /** The bucket as last seen. It only chooses the first call, so it may be outdated or absent. */
  readonly known?: Bucket | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** One suffices for an idle or an empty bucket, two for a busy one. More are needed only if operators change limits meanwhile. */
const ATTEMPTS_MAX = 4;

/**
 * The token bucket of an API key, in the key's own item.
 *
 * It never admits too many requests, under any number of writers. Taking a token only raises the TAT, and new limits
 * refund none. DynamoDB checks each condition at the moment of the write. Clocks that differ admit at most the
 * refill of that difference (`docs/decisions.md`, "Clocks").
 *
 * A poisoned bucket counts as just emptied, and the next writer stores it as empty.
 */
export const createStoredBucket = (documents: DocumentClient, tableName: string) => {
  const items = createKeyItems(documents, tableName);

  /** The call of an attempt. A read costs a fifth of a write, and none of the item's 1,000 writes a second. */
  const call = async (attempt: Attempt, { keyId, signal }: TakeRequest): Promise<ConditionalWrite> => {
    if (onlyReads(attempt)) return { applied: false, item: await items.find(keyId, signal) };
    const takenBy = randomUUID();
    return items.update(keyId, takeUpdate(attempt.bucket, attempt.nowMs, takenBy), signal, { takenBy });
  };

  return {
    /**
     * Authenticates a key and takes a token from its bucket with one conditional write. If the bucket is known to be
     * empty, one read confirms that instead. A token that comes back during that read is not taken.
     *
     * @throws ContentionError if operators change the key's limits under every attempt
     * @throws any error of the SDK when DynamoDB is slow, throttles or is down
     */
    async take(request: TakeRequest): Promise<TakeResult> {
      const { keyId, now, known, signal } = request;
      let attempt = firstAttempt(known, now());
      for (let made = 0; made < ATTEMPTS_MAX; made += 1) {
        // oxlint-disable no-await-in-loop -- each attempt needs the bucket that the one before has seen
        const written = await call(attempt, request);
        const nowMs = now();
        const verdict = verdictOf(attempt, written, nowMs);
        if (verdict.outcome === 'poisoned') {
          // If another writer was first, the result is that writer's item.
          const { item } = await items.update(keyId, emptyUpdate(verdict.key, nowMs), signal);
          return { outcome: 'limited', key: requireStoredApiKey(item), atMs: nowMs };
        }
        if (verdict.outcome !== 'retry') return verdict;
        ({ attempt } = verdict);
        // oxlint-enable no-await-in-loop
      }
      throw new ContentionError();
    },
  };
};

export type StoredBucket = ReturnType<typeof createStoredBucket>;
