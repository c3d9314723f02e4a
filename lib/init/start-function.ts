import { createDocumentClient, type Documents } from '../dynamodb.ts';
import { describeFailure } from '../core/failure.ts';
import { createFunctionClient } from './function-client.ts';
import type { ProxyFunction } from '../http/pipeline.ts';
import { machineClocks, processClock } from '../core/process-clock.ts';
import { logger } from '../core/telemetry.ts';
import { TrueClock } from '../core/true-clock.ts';
import { unlessAborted } from '../core/unless-aborted.ts';
import { createWarmUpTransport, WARM_UP_CONTEXT, warmUpEvent } from './warm-up-request.ts';

/**
 * The longest that init waits for its preparation. A connection takes some 10 ms. Later, the first request opens its own
 * connections.
 */
const READY_TIMEOUT_MS = 500;

/** V8 compiles a part of the code only when it runs a second time. */
const WARM_UP_REQUESTS = 2;

/** The parts of an HTTP function, from which {@link startFunction} makes it twice: for real, and for its warm-up. */
export interface FunctionParts<Dependencies> {
  readonly operation: (dependencies: Dependencies) => ProxyFunction;
  /** Reads the environment. It starts no work. */
  readonly dependencies: (documents: Documents) => Dependencies;
  /** How many calls to DynamoDB its first request has in flight at once. The call of `preload` opens one more connection. */
  readonly connections: number;
  /** Loads a value that the first request needs, such as a secret. */
  readonly preload?: (dependencies: Dependencies, signal: AbortSignal) => Promise<unknown>;
}

/** A function and the end of its preparation. Lambda's init waits for it (`infra/stack/start.mjs`). */
export interface StartedFunction {
  readonly handler: ProxyFunction;
  readonly ready: Promise<unknown>;
}

/**
 * Runs requests whose calls to the database never leave the process, so that the first real request finds its code
 * compiled. They run on a second instance of the function, with a key memory, clock and client of its own.
 */
const runWarmUp = async <Dependencies>({
  operation,
  dependencies,
}: FunctionParts<Dependencies>): Promise<void> => {
  const nowMs = processClock.now();
  const clock = new TrueClock(machineClocks);
  const documents = createDocumentClient({ transport: createWarmUpTransport(nowMs) }, clock);
  const handler = operation(dependencies(documents));
  for (let requests = 1; requests <= WARM_UP_REQUESTS; requests += 1) {
    // oxlint-disable-next-line no-await-in-loop -- an environment serves one request at a time
    const { statusCode } = await handler(warmUpEvent(nowMs), WARM_UP_CONTEXT);
    if (statusCode > 299) throw new Error(`The warm-up request has the status ${statusCode}`);
  }
};

/** A failure must not fail init. If the database is away, the first request shows it. */
const unlessFailed = (step: string, done: Promise<unknown>): Promise<unknown> =>
  done.catch((error: unknown) => logger.warn('not prepared', { step, cause: describeFailure(error) }));

/** Starts an HTTP function. On Lambda, init then prepares it for its first request. */
export const startFunction = <Dependencies>(parts: FunctionParts<Dependencies>): StartedFunction => {
  const documents = createFunctionClient();
  const made = parts.dependencies(documents);
  const handler = parts.operation(made);
  // A process that merely imports a function opens no connection.
  if (process.env['AWS_LAMBDA_FUNCTION_NAME'] === undefined) return { handler, ready: Promise.resolve() };
  const inTime = AbortSignal.timeout(READY_TIMEOUT_MS);
  const connecting = Array.from({ length: parts.connections }, () => documents.connect());
  const steps = [
    unlessFailed('connections', Promise.all([...connecting, parts.preload?.(made, inTime)])),
    // Last, because the network works while the warm-up runs.
    unlessFailed('warm-up', runWarmUp(parts)),
  ];
  return { handler, ready: unlessFailed('time limit', unlessAborted(Promise.all(steps), inTime)) };
};
