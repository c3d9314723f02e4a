import { DATABASE_BUDGET_MS } from '../../lib/dynamodb.ts';
import type { ProxyFunction } from '../../lib/http/pipeline.ts';
import { FUNCTION_TIMEOUT_MS } from '../../functions/operations.ts';

/**
 * Each invocation makes two calls at a time, and the client has 50 sockets. A call that waited for a socket would spend its
 * time limit.
 */
const INVOCATIONS_MAX = 25;

/** Runs work, at once or when its turn comes. */
export type Limiter = <Result>(work: () => Promise<Result>) => Promise<Result>;

/**
 * Limits how many invocations of a stage run at once. The others wait in the order of their arrival.
 *
 * Each iteration of the event loop starts one, because each accepts one connection (libuv 1.52). If it started more, the
 * last of 64 new connections would wait for most of the work of all others.
 */
export const limitInvocations = (runningMax = INVOCATIONS_MAX): Limiter => {
  const waiting: (() => void)[] = [];
  let running = 0;
  let isStarting = false;
  const startNext = (): void => {
    isStarting = false;
    running += 1;
    waiting.shift()?.();
    startSoon();
  };
  const startSoon = (): void => {
    if (isStarting || running === runningMax || waiting.length === 0) return;
    isStarting = true;
    setImmediate(startNext);
  };
  return async (work) => {
    await new Promise<void>((proceed) => {
      waiting.push(proceed);
      startSoon();
    });
    try {
      return await work();
    } finally {
      running -= 1;
      startSoon();
    }
  };
};

/** An invocation waited too long for its turn. The gateway responds with 503. */
export class QueueTimeoutError extends Error {
  constructor() {
    super('The invocation waited too long for its turn');
    this.name = 'QueueTimeoutError';
  }
}

/** Leaves time for the database and 250 ms for the response, within 5 s in all. */
const WAIT_MS_MAX = 5_000 - DATABASE_BUDGET_MS - 250;

/** Makes a function that runs when its turn comes. After too long a wait, it rejects with a {@link QueueTimeoutError}. */
export const inTurn =
  (limited: Limiter, load: () => Promise<ProxyFunction>): ProxyFunction =>
  (event, context) =>
    limited(async () => {
      const handler = await load();
      if (context.getRemainingTimeInMillis() < FUNCTION_TIMEOUT_MS - WAIT_MS_MAX)
        throw new QueueTimeoutError();
      return handler(event, context);
    });
