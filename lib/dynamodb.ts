import {
  DynamoDBClient,
  type DynamoDBClientConfig,
  type DynamoDBServiceException,
} from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { UnthrottledRetries } from './unthrottled-retries.ts';

/**
 * All database calls of one request together get this long, so that a caller has its answer, if only a 503,
 * within 5 s and before API Gateway or Lambda gives up without one.
 */
export const DATABASE_BUDGET_MS = 4_000;

/**
 * The document client that every store uses.
 *
 * Two attempts: one retry heals a dropped connection; more would spend the caller's patience. Both are safe for
 * every write here, since each is conditional or takes a token at worst twice. A throttled call is not repeated.
 *
 * @param config endpoint, region and credentials, where the environment's are not meant
 */
export const createDocumentClient = (config: DynamoDBClientConfig = {}): DynamoDBDocumentClient =>
  DynamoDBDocumentClient.from(
    new DynamoDBClient({
      retryStrategy: new UnthrottledRetries(2),
      requestHandler: {
        // From the call to the answer, connecting and waiting for a free connection included.
        requestTimeout: 2_000,
        // Without it the SDK only warns.
        throwOnRequestTimeout: true,
      },
      ...config,
    }),
    { marshallOptions: { removeUndefinedValues: true } },
  );

/** What a call is sent with: the signal that ends it, if there is one. */
export const callOptions = (signal: AbortSignal | undefined): { abortSignal?: AbortSignal } =>
  signal ? { abortSignal: signal } : {};

const THROTTLES = new Set([
  'ProvisionedThroughputExceededException',
  'ThrottlingException',
  'RequestLimitExceeded',
]);

const OUTAGES = new Set([
  'InternalServerError',
  'ServiceUnavailable',
  'TimeoutError',
  'AbortError',
  'TransactionConflictException',
  'ReplicatedWriteConflictException',
]);

const NETWORK_FAULTS = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

/** A conditional write kept losing to other writers; trying later will succeed. */
export class DatabaseContentionError extends Error {
  constructor() {
    super('A conditional write lost to other writers too often');
    this.name = 'DatabaseContentionError';
  }
}

/** DynamoDB kept leaving a part of a batch unprocessed; trying later will succeed. */
export class TableThrottledError extends Error {
  constructor() {
    super('DynamoDB left a part of a batch unprocessed too often');
    this.name = 'TableThrottledError';
  }
}

/** Whether DynamoDB refused a call because an item, a table or the account is used too fast. */
export const isThrottle = (error: unknown): boolean =>
  error instanceof TableThrottledError || (error instanceof Error && THROTTLES.has(error.name));

/** Whether the SDK got an answer that is not DynamoDB's: a proxy's error page, or one that was cut short. */
const isForeignResponse = (error: Error): boolean => {
  const { $metadata, $fault } = error as Partial<DynamoDBServiceException>;
  if ($fault === 'server' || ($metadata?.httpStatusCode ?? 0) >= 500) return true;
  return error instanceof SyntaxError && $metadata !== undefined;
};

/** Whether a call failed because DynamoDB is slow, overloaded or out of reach, so that trying later may succeed. */
export const isDatabaseUnavailable = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false;
  if (error instanceof DatabaseContentionError || isThrottle(error) || OUTAGES.has(error.name)) return true;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  // HPE: Node's HTTP parser could not read the answer.
  return NETWORK_FAULTS.has(code) || code.startsWith('HPE_') || isForeignResponse(error);
};
