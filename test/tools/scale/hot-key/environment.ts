import type { Clock } from '../../../../lib/clock.ts';
import { KeyMemory } from '../../../../lib/api-keys/key-memory.ts';
import { type Bucket, describeBucket, hasToken } from '../../../../lib/api-keys/token-bucket.ts';
import type { Random } from '../../faults/load/random.ts';
import type { Process } from '../support/timeline.ts';
import { type KeyItem, type TakeCommand, THROTTLED } from './key-item.ts';

/** A request is admitted as of a time, denied because the bucket is empty, or throttled; both are answered 429. */
export type Verdict =
  { readonly outcome: 'admitted'; readonly atMs: number } | { readonly outcome: 'denied' | 'throttled' };

export interface EnvironmentOptions {
  readonly item: KeyItem;
  readonly now: Clock;
  readonly random: Random;
  readonly roundTripMs: number;
  /** Whether the SDK tries once more what DynamoDB throttled, as it does unless it is told otherwise. */
  readonly retriesThrottled: boolean;
  /** Tokens taken in one write, at most: 1 is the service as it is. */
  readonly batch: number;
}

/** An execution environment of Lambda, which serves one request at a time. */
export interface Environment {
  admit(): Process<Verdict>;
  /** Tokens whose lease ended before they were spent. */
  stranded(): number;
}

/** How long leased tokens may be spent: as long as a denial is remembered, so that a revocation shows as soon. */
export const LEASE_MS = 1_000;

/** As in `lib/api-keys/stored-bucket.ts`. */
const ATTEMPTS_MAX = 4;

const KEY_ID = 'hot';

/**
 * DynamoDB as the SDK calls it: what is throttled may be tried once more, after up to a second. Retries draw on a store of
 * 500, 5 each, that successes fill again (`StandardRetryStrategy` of `@smithy/core`, in its version of 2026).
 */
const createClient = ({ random, roundTripMs, retriesThrottled }: EnvironmentOptions) => {
  let retryTokens = 500;
  function* roundTrip<Type>(call: () => Type): Process<Type> {
    yield roundTripMs / 2;
    const answer = call();
    yield roundTripMs / 2;
    return answer;
  }
  return {
    *send<Type>(call: () => Type | typeof THROTTLED): Process<Type | typeof THROTTLED> {
      const first = yield* roundTrip(call);
      if (first !== THROTTLED) retryTokens = Math.min(500, retryTokens + 1);
      if (first !== THROTTLED || !retriesThrottled || retryTokens < 5) return first;
      retryTokens -= 5;
      yield Math.floor(random.next() * 1_000);
      const second = yield* roundTrip(call);
      if (second !== THROTTLED) retryTokens += 5;
      return second;
    },
  };
};

type Taken = { readonly tokens: number; readonly bucket: Bucket; readonly atMs: number } | typeof THROTTLED;

/** The update that a bucket, as it seems to be, calls for; `undefined` where it calls for a read, being empty. */
const takeCommand = (bucket: Bucket | undefined, nowMs: number, batch: number): TakeCommand | undefined => {
  if (!bucket) return { tokens: 1, isBusy: false, nowMs };
  if (!hasToken(bucket, nowMs * 1_000)) return undefined;
  const { remaining } = describeBucket(bucket, nowMs * 1_000);
  return { tokens: Math.min(batch, remaining), isBusy: bucket.tatMicros > nowMs * 1_000, nowMs };
};

/**
 * `StoredBucket.take` in simulated time, taking up to `batch` tokens where it takes one. It asks for as many as the
 * bucket seemed to hold, so a small or nearly empty bucket gives one at a time, as today.
 */
const createTake = (options: EnvironmentOptions) => {
  const { item, now, batch } = options;
  const client = createClient(options);

  return function* take(known: Bucket | undefined): Process<Taken> {
    let bucket = known;
    let wasEmpty = false;
    let nowMs = now();
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
      const command = takeCommand(bucket, nowMs, batch);
      if (!command) wasEmpty = true;
      const answer = yield* client.send(() => (command ? item.take(command) : item.read()));
      if (answer === THROTTLED) return THROTTLED;
      if (answer.applied && command) return { tokens: command.tokens, bucket: answer.bucket, atMs: nowMs };

      const atMs = now();
      if (!hasToken(answer.bucket, atMs * 1_000)) return { tokens: 0, bucket: answer.bucket, atMs };
      if (hasToken(answer.bucket, nowMs * 1_000)) {
        wasEmpty = false;
      } else {
        if (wasEmpty) return { tokens: 0, bucket: answer.bucket, atMs: nowMs };
        wasEmpty = true;
        nowMs = atMs;
      }
      bucket = answer.bucket;
    }
    // The service answers 503 here, which asks no more of the item than a 429.
    return THROTTLED;
  };
};

/** What one environment does with a request of the key: `Authenticator.recall`, then `admit`, with a lease before them. */
export const createEnvironment = (options: EnvironmentOptions): Environment => {
  const { now } = options;
  const take = createTake(options);
  const memory = new KeyMemory();
  let lease = { tokens: 0, endsAtMs: 0 };
  let stranded = 0;

  const endLease = (nowMs: number): void => {
    if (nowMs < lease.endsAtMs) return;
    stranded += lease.tokens;
    lease = { ...lease, tokens: 0 };
  };

  return {
    *admit() {
      const nowMs = now();
      endLease(nowMs);
      if (lease.tokens > 0) {
        lease = { ...lease, tokens: lease.tokens - 1 };
        return { outcome: 'admitted', atMs: nowMs };
      }
      if (memory.emptyBucket(KEY_ID, nowMs)) return { outcome: 'denied' };
      const taken = yield* take(memory.get(KEY_ID)?.bucket);
      if (taken === THROTTLED) return { outcome: 'throttled' };
      memory.set(KEY_ID, { bucket: taken.bucket, seenAtMs: taken.atMs });
      if (taken.tokens === 0) return { outcome: 'denied' };
      lease = { tokens: taken.tokens - 1, endsAtMs: taken.atMs + LEASE_MS };
      return { outcome: 'admitted', atMs: taken.atMs };
    },
    stranded() {
      endLease(now());
      return stranded;
    },
  };
};
