import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, UpdateCommand, type UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod/mini';
import { DatabaseContentionError } from '../dynamodb.ts';
import type { ApiKey } from './api-key.ts';
import { type BucketLimits, burstToleranceMicros, hasToken } from './token-bucket.ts';

const wholeNumber = () => z.number().check(z.multipleOf(1), z.nonnegative());

/**
 * An API key as it is stored: one item that also carries the key's token bucket. It is checked when it is read, since
 * a key that somebody edited by hand into nonsense must admit nobody.
 */
const storedApiKeySchema = z.object({
  keyId: z.string(),
  storeId: z.string(),
  mode: z.enum(['test', 'live']),
  lang: z.optional(z.string()),
  label: z.optional(z.string()),
  limit: wholeNumber().check(z.positive()),
  windowSeconds: wholeNumber().check(z.positive()),
  createdAtMs: wholeNumber(),
  expiresAtMs: z.optional(wholeNumber()),
  revokedAtMs: z.optional(wholeNumber()),
  /** The bucket: its theoretical arrival time; 0 in a bucket that was never used. */
  tatMicros: wholeNumber(),
  /** Follows from the limits; stored because an update expression can add but not divide. */
  emissionIntervalMicros: wholeNumber().check(z.positive()),
}) satisfies z.ZodMiniType<ApiKey>;

/** See {@link storedApiKeySchema}. */
export type StoredApiKey = Readonly<z.output<typeof storedApiKeySchema>>;

/** @throws Error if the item is no API key, without repeating what it is */
const toStoredApiKey = (item: Record<string, unknown> | undefined): StoredApiKey => {
  const parsed = storedApiKeySchema.safeParse(item);
  if (!parsed.success) throw new Error('An API key is stored in a shape that is not its own');
  return parsed.data;
};

/** What is known of a bucket before asking: from an earlier answer, or from a failed condition. */
export type KnownBucket = BucketLimits & Pick<StoredApiKey, 'tatMicros'>;

/** `taken`: a token was there; `denied`: the key is good and its bucket empty; `unusable`: unknown, revoked or expired. */
export type TakeResult =
  { readonly outcome: 'taken' | 'denied'; readonly key: StoredApiKey } | { readonly outcome: 'unusable' };

export interface TakeRequest {
  readonly keyId: string;
  readonly nowMs: number;
  /** The bucket as last seen: it only chooses which update goes first, so it may be wrong or absent. */
  readonly known?: KnownBucket | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface StoredBucket {
  /**
   * Authenticates a key and takes a token from its bucket, in one conditional write.
   *
   * @throws DatabaseContentionError if the key's limits change under every attempt
   * @throws whatever the SDK throws when DynamoDB is slow, throttling or down
   */
  take(request: TakeRequest): Promise<TakeResult>;
}

/**
 * One attempt settles an idle or an exhausted bucket, two one that was thought idle and is busy. More are needed only
 * when an operator changes the limits between two attempts.
 */
const ATTEMPTS_MAX = 4;

// UpdateItem creates a missing item, hence the first clause.
const KEY_IS_USABLE =
  'attribute_exists(keyId) AND attribute_not_exists(revokedAtMs)' +
  ' AND (attribute_not_exists(expiresAtMs) OR expiresAtMs > :nowMs)';

/** The bucket is full: the token is taken from now on. */
const BUCKET_IS_IDLE = 'tatMicros <= :nowMicros';

/** The bucket is not full, and holds a token by the very limits that `:latestMicros` was computed from. */
const BUCKET_IS_BUSY =
  'tatMicros > :nowMicros AND tatMicros <= :latestMicros AND #limit = :limit AND windowSeconds = :windowSeconds';

const isUsable = (key: StoredApiKey, nowMs: number): boolean =>
  key.revokedAtMs === undefined && (key.expiresAtMs === undefined || key.expiresAtMs > nowMs);

/** DynamoDB has no `max()`, so taking a token is one of two exclusive updates; each is a part of the same command. */
const takeIdle = (nowMs: number) => ({
  UpdateExpression: 'SET tatMicros = :nowMicros + emissionIntervalMicros',
  ConditionExpression: `${KEY_IS_USABLE} AND ${BUCKET_IS_IDLE}`,
  ExpressionAttributeValues: { ':nowMs': nowMs, ':nowMicros': nowMs * 1_000 },
});

const takeBusy = (nowMs: number, limits: BucketLimits) => ({
  UpdateExpression: 'SET tatMicros = tatMicros + emissionIntervalMicros',
  ConditionExpression: `${KEY_IS_USABLE} AND ${BUCKET_IS_BUSY}`,
  ExpressionAttributeNames: { '#limit': 'limit' },
  ExpressionAttributeValues: {
    ':nowMs': nowMs,
    ':nowMicros': nowMs * 1_000,
    ':latestMicros': nowMs * 1_000 + burstToleranceMicros(limits),
    ':limit': limits.limit,
    ':windowSeconds': limits.windowSeconds,
  },
});

/**
 * The token bucket of an API key, in the key's own item.
 *
 * Exact under any number of writers: the TAT only rises, each condition holds for the item as it is at that moment,
 * and a bucket seen without a token at `nowMs` cannot have one again at that same `nowMs`.
 */
export const createStoredBucket = (documents: DynamoDBDocumentClient, tableName: string): StoredBucket => {
  /** Applies one of the two updates; a failed condition is told by the item as it was, if there was one. */
  const update = async (
    keyId: string,
    expressions: Partial<UpdateCommandInput>,
    signal: AbortSignal | undefined,
  ): Promise<{ applied: boolean; key: StoredApiKey | undefined }> => {
    const command = new UpdateCommand({
      TableName: tableName,
      Key: { keyId },
      ReturnValues: 'ALL_NEW',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      ...expressions,
    });
    try {
      const { Attributes } = await documents.send(command, { ...(signal && { abortSignal: signal }) });
      return { applied: true, key: toStoredApiKey(Attributes) };
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      return { applied: false, key: error.Item && toStoredApiKey(unmarshall(error.Item)) };
    }
  };

  return {
    async take({ keyId, nowMs, known, signal }) {
      const nowMicros = nowMs * 1_000;
      let bucket = known;
      for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
        const isBusy = bucket !== undefined && bucket.tatMicros > nowMicros;
        const expressions = isBusy && bucket ? takeBusy(nowMs, bucket) : takeIdle(nowMs);
        // oxlint-disable-next-line no-await-in-loop -- each attempt follows from what the one before it saw
        const { applied, key } = await update(keyId, expressions, signal);
        if (!key || (!applied && !isUsable(key, nowMs))) return { outcome: 'unusable' };
        if (applied) return { outcome: 'taken', key };
        if (!hasToken(key, key.tatMicros, nowMicros)) return { outcome: 'denied', key };
        bucket = key;
      }
      throw new DatabaseContentionError();
    },
  };
};
