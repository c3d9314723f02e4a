import { Agent as HttpAgent, request as sendHttp } from 'node:http';
import { Agent as HttpsAgent, request as sendHttps } from 'node:https';
import { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { StandardRetryStrategy } from '@smithy/core/retry';
import type { HttpRequest, HttpResponse } from '@smithy/core/transport';
import type { TrueClock } from './core/true-clock.ts';

const ATTEMPTS_MAX = 3;

/** The time limit of an attempt until the headers of the response, and again for its body. */
const TIMEOUT_MS = 2_000;

type Refresh = StandardRetryStrategy['refreshRetryTokenForRetry'];

/**
 * The SDK's standard retries, except for throttled calls. The SDK would sleep up to a second before it retries a hot item,
 * and waiting requests would occupy every environment. Fail fast: the client decides when to retry.
 */
class UnthrottledRetries extends StandardRetryStrategy {
  override refreshRetryTokenForRetry(...[token, info]: Parameters<Refresh>): ReturnType<Refresh> {
    // The client discards this error and throws the throttle.
    if (info.errorType === 'THROTTLING') return Promise.reject(new Error('A throttled call is not retried'));
    return super.refreshRetryTokenForRetry(token, info);
  }
}

/** The connections of a client. */
const createAgents = () => {
  const options = { keepAlive: true, maxSockets: 50 };
  return { http: new HttpAgent(options), https: new HttpsAgent(options) };
};

/** Sends a request, and reads its response into one buffer. No request of the clients below has a query. */
const exchange = (
  { protocol, hostname, port, path, method, body, ...sent }: HttpRequest,
  { http, https }: ReturnType<typeof createAgents>,
  signal: AbortSignal | undefined,
): Promise<HttpResponse> =>
  new Promise((settle, reject) => {
    const newError = (): Error => new Error('The call took too long');
    if (signal?.aborted) return reject(newError());
    // An array: Node.js checks and copies an object's headers one by one.
    const headers = Object.entries(sent.headers).flat();
    const options = { hostname: hostname.replace(/^\[(.*)]$/, '$1'), port, path, method, headers };
    const request =
      protocol === 'http:' ? sendHttp({ ...options, agent: http }) : sendHttps({ ...options, agent: https });
    const stop = (): void => void request.destroy(newError());
    const timer = setTimeout(stop, TIMEOUT_MS);
    signal?.addEventListener('abort', stop);
    request.on('error', reject).on('close', () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
    });
    request.on('response', (response) => {
      timer.refresh();
      const { statusCode = 0 } = response;
      const received = response.headers as HttpResponse['headers'];
      const chunks: Buffer[] = [];
      response
        .on('error', reject)
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .on('end', () => settle({ statusCode, headers: received, body: Buffer.concat(chunks) }));
    });
    request.end(body);
  });

/**
 * A request handler with one timer and one buffer a call. The SDK's own has up to four timers, and its collector of streams
 * takes more CPU time.
 */
const createRequestHandler = (clock: TrueClock | undefined) => {
  const agents = createAgents();
  return {
    async handle(request: HttpRequest, { abortSignal }: { readonly abortSignal?: AbortSignal } = {}) {
      const endCall = clock?.startCall();
      try {
        const response = await exchange(request, agents, abortSignal);
        // A proxy's own response has no request id, and the time of another machine.
        if (response.headers['x-amzn-requestid'] !== undefined) endCall?.(response.headers['date'] ?? '');
        return { response };
      } catch (error) {
        // The network may have lost every connection. The next attempt opens a new one.
        const idle = Object.values(agents).flatMap(({ freeSockets }) => Object.values(freeSockets).flat());
        for (const socket of idle) socket?.destroy();
        // The SDK retries a call that timed out. It does not know the errors of Node's HTTP parser.
        throw Object.assign(error as Error, { name: abortSignal?.aborted ? 'AbortError' : 'TimeoutError' });
      }
    },
    destroy(): void {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
};

const defaults = (clock?: TrueClock) => ({
  requestHandler: createRequestHandler(clock),
  retryStrategy: new UnthrottledRetries(ATTEMPTS_MAX),
  // None, which the type lacks. For its silent default, the SDK copies all input and output: 6 % of a request's CPU time.
  logger: undefined as never,
});

/**
 * The document client of DynamoDB. A retry is safe for every write: it is conditional or idempotent, or at worst takes a
 * second token.
 *
 * @param config replaces the defaults, and the endpoint, region and credentials of the environment
 * @param clock the clock that the responses correct
 */
export const createDocumentClient = (
  config: DynamoDBClientConfig = {},
  clock?: TrueClock,
): DynamoDBDocumentClient =>
  DynamoDBDocumentClient.from(new DynamoDBClient({ ...defaults(clock), ...config }), {
    marshallOptions: { removeUndefinedValues: true },
  });

/** The client of SQS. By default, the SDK would ignore the endpoint of the environment for the queue's address. */
export const createQueueClient = (): SQSClient =>
  new SQSClient({ ...defaults(), useQueueUrlAsEndpoint: false });

/** The client of CloudWatch Logs, for the audit log. */
export const createAuditClient = (): CloudWatchLogsClient => new CloudWatchLogsClient(defaults());

/** The client of EventBridge. */
export const createBusClient = (): EventBridgeClient => new EventBridgeClient(defaults());
