import { setImmediate } from 'node:timers/promises';
import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { RateLimiterDynamo, RateLimiterRes } from 'rate-limiter-flexible';
import { LOCAL_TABLE_NAMES, localClientConfig } from '../../../../infra/local/local-database.ts';
import { createAuthenticator } from '../../../../lib/api-keys/authenticator.ts';
import { createStoredBucket } from '../../../../lib/api-keys/stored-bucket.ts';
import type { BucketLimits } from '../../../../lib/api-keys/token-bucket.ts';
import { createDocumentClient } from '../../../../lib/aws.ts';
import { processClock } from '../../../../lib/core/process-clock.ts';
import { countRequests } from '../../../support/documents.ts';

/** The rate limiters: each with and without its memory of denials. */
export type ContenderName = 'ours' | 'ours + memory' | 'rlf' | 'rlf + block';

/** The outcome of one decision. `remembered` is a denial without a call to the database. */
export type Decision = 'admitted' | 'denied' | 'remembered';

export interface Contender {
  decide(key: string): Promise<Decision>;
  /** Leaves a key with half of its tokens. Our keys are issued half full. */
  loadHalf(key: string): Promise<void>;
}

export interface Contenders {
  create(name: ContenderName, limits: BucketLimits): Contender;
  calls(): number;
}

export const RLF_TABLE = 'rate-limiter-flexible';

/** After this number of remembered decisions other work of the process gets its turn, as between requests. */
const DECISIONS_PER_TURN = 64;

let rememberedCount = 0;

const remembered = async (): Promise<Decision> => {
  rememberedCount += 1;
  if (rememberedCount % DECISIONS_PER_TURN === 0) await setImmediate();
  return 'remembered';
};

const ours = (documents: ReturnType<typeof createDocumentClient>, hasMemory: boolean): Contender => {
  const bucket = createStoredBucket(documents, LOCAL_TABLE_NAMES.apiKeys);
  const authenticator = createAuthenticator(bucket);
  return {
    async decide(secret) {
      const clock = processClock.during(processClock.now());
      if (hasMemory && authenticator.recall(secret, clock)) return remembered();
      const { outcome } = await authenticator.admit(secret, clock);
      if (outcome === 'unknown') throw new Error('The key is unknown');
      return outcome === 'admitted' ? 'admitted' : 'denied';
    },
    loadHalf: async () => undefined,
  };
};

const flexible = (
  storeClient: DynamoDB,
  { limit, windowSeconds }: BucketLimits,
  blocks: boolean,
): Contender => {
  const limiter = new RateLimiterDynamo({
    storeClient,
    tableName: RLF_TABLE,
    tableCreated: true,
    ttlSet: true,
    points: limit,
    duration: windowSeconds,
    ...(blocks && { inMemoryBlockOnConsumed: limit }),
  });
  return {
    async decide(key) {
      try {
        await limiter.consume(key);
        return 'admitted';
      } catch (error) {
        if (!(error instanceof RateLimiterRes)) throw error;
        // A denial from its memory reports no consumed points.
        return !blocks || error.consumedPoints > 0 ? 'denied' : remembered();
      }
    },
    loadHalf: async (key) => {
      await limiter.set(key, limit / 2, windowSeconds);
    },
  };
};

/** Creates both rate limiters on one database: theirs on the SDK's client as it comes. */
export const createContenders = (endpoint: string): Contenders => {
  const config = localClientConfig(endpoint);
  const documents = createDocumentClient(config, processClock);
  const storeClient = new DynamoDB(config);
  const ourCalls = countRequests(documents);
  let theirCalls = 0;
  storeClient.middlewareStack.add(
    (next) => (args) => {
      theirCalls += 1;
      return next(args);
    },
    { step: 'finalizeRequest', priority: 'low', name: 'countCalls' },
  );
  return {
    create: (name, limits) =>
      name.startsWith('ours')
        ? ours(documents, name === 'ours + memory')
        : flexible(storeClient, limits, name === 'rlf + block'),
    calls: () => ourCalls() + theirCalls,
  };
};
