import { randomUUID } from 'node:crypto';
import { createDocumentClient } from '../aws/clients.ts';
import { unlessAborted } from '../core/unless-aborted.ts';
import type { DocumentClient } from '../database/documents.ts';
import { describeFailure } from '../telemetry/failure.ts';
import { logger } from '../telemetry/logger.ts';
import type { ProxyFunction } from './pipeline.ts';

/** The longest that init waits for the warm-up. Later, the first request opens its own connections. */
const READY_TIMEOUT_MS = 500;

/** The parts of an HTTP function. */
interface FunctionParts<Dependencies> {
  readonly createHandler: (dependencies: Dependencies) => ProxyFunction;
  /** Reads the environment. It starts no work. */
  readonly createDependencies: (documents: DocumentClient) => Dependencies;
  /**
   * Makes the calls of a request at the same time, as a request does. No key and no cart has the `unknownId`, so they change
   * nothing.
   */
  readonly warmUp: (dependencies: Dependencies, unknownId: string) => readonly Promise<unknown>[];
}

/** A function and the end of its warm-up. Lambda's init waits for it (`infra/stack/functions/start.mjs`). */
interface StartedFunction {
  readonly handler: ProxyFunction;
  readonly ready: Promise<unknown>;
}

/** Starts an HTTP function. On Lambda, init then opens the connections of its first request, and runs the code of its calls. */
export const startFunction = <Dependencies>({
  createHandler,
  createDependencies,
  warmUp,
}: FunctionParts<Dependencies>): StartedFunction => {
  const dependencies = createDependencies(createDocumentClient());
  const handler = createHandler(dependencies);
  // A process that merely imports a function opens no connection.
  if (process.env['AWS_LAMBDA_FUNCTION_NAME'] === undefined) return { handler, ready: Promise.resolve() };
  const callOnce = (): Promise<unknown> => Promise.all(warmUp(dependencies, randomUUID()));
  // V8 compiles a part of the code only when it runs a second time.
  const warm = callOnce().then(callOnce);
  // A failure must not fail init. If the database is away, the first request shows it.
  const ready = unlessAborted(warm, AbortSignal.timeout(READY_TIMEOUT_MS)).catch((error: unknown) =>
    logger.warn('not warmed up', { cause: describeFailure(error) }),
  );
  return { handler, ready };
};
