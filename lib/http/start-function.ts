import { randomUUID } from 'node:crypto';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { generateApiKey } from '../api-keys/api-key.ts';
import { createDocumentClient } from '../aws.ts';
import type { Documents } from '../core/documents.ts';
import { describeFailure } from '../telemetry/failure.ts';
import { logger } from '../telemetry/telemetry.ts';
import { unlessAborted } from '../core/unless-aborted.ts';
import type { ProxyFunction } from './pipeline.ts';
import { WARM_UP_ID } from './request-log.ts';

/** The longest that init waits for the warm-up. Later, the first request opens its own connections. */
const READY_TIMEOUT_MS = 500;

/** The operation of a request, and its body. */
interface SampleRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
}

/** The parts of an HTTP function. */
interface FunctionParts<Dependencies> {
  readonly operation: (dependencies: Dependencies) => ProxyFunction;
  /** Reads the environment. It starts no work. */
  readonly dependencies: (documents: Documents) => Dependencies;
  /** The operation of the requests that warm the function up, and their body. */
  readonly warmUp: SampleRequest;
  /** Loads what no request should wait for. Default: nothing */
  readonly load?: (dependencies: Dependencies) => Promise<unknown>;
}

/** A function and the end of its warm-up. Lambda's init waits for it (`infra/stack/start.mjs`). */
interface StartedFunction {
  readonly handler: ProxyFunction;
  readonly ready: Promise<unknown>;
}

/** An event with a random API key and a random cart id. There is no such key and no such cart, so it changes nothing. */
const warmUpEvent = ({ method, path, body }: SampleRequest): APIGatewayProxyEvent => ({
  httpMethod: method,
  resource: path,
  path,
  headers: { Authorization: `Bearer ${generateApiKey('test')}`, 'Content-Type': 'application/json' },
  multiValueHeaders: {},
  pathParameters: { cartId: randomUUID() },
  queryStringParameters: null,
  multiValueQueryStringParameters: null,
  stageVariables: null,
  body: body ? JSON.stringify(body) : null,
  isBase64Encoded: false,
  requestContext: {
    requestTimeEpoch: Date.now(),
    identity: { sourceIp: '127.0.0.1' },
  } as APIGatewayProxyEvent['requestContext'],
});

/**
 * Serves a request that nobody sent. It opens the connections of a request, and runs its code for the first time. The
 * response is an error: 401, or 404 of the sandbox.
 *
 * @throws the error behind a response 5xx
 */
const warmUp = async (handler: ProxyFunction, sample: SampleRequest): Promise<void> => {
  const context = { awsRequestId: WARM_UP_ID, getRemainingTimeInMillis: () => Infinity };
  await handler(warmUpEvent(sample), context as Context);
};

/** Starts an HTTP function. On Lambda, init then warms it up for its first request. */
export const startFunction = <Dependencies>({
  operation,
  dependencies,
  warmUp: sample,
  load,
}: FunctionParts<Dependencies>): StartedFunction => {
  const made = dependencies(createDocumentClient());
  const handler = operation(made);
  // A process that merely imports a function opens no connection.
  if (process.env['AWS_LAMBDA_FUNCTION_NAME'] === undefined) return { handler, ready: Promise.resolve() };
  // V8 compiles a part of the code only when it runs a second time.
  const warm = Promise.all([warmUp(handler, sample), load?.(made)]).then(() => warmUp(handler, sample));
  // A failure must not fail init. If the database is away, the first request shows it.
  const ready = unlessAborted(warm, AbortSignal.timeout(READY_TIMEOUT_MS)).catch((error: unknown) =>
    logger.warn('not warmed up', { cause: describeFailure(error) }),
  );
  return { handler, ready };
};
