import {
  DynamoDBClient,
  type DynamoDBClientConfig,
  type DynamoDBServiceException,
} from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { UnthrottledRetries } from './unthrottled-retries.ts';

/**
 * The time for all database calls of one request. The caller then has a response, at worst a 503, within 5 s, before API
 * Gateway or Lambda ends the request without one.
 */
export const DATABASE_BUDGET_MS = 4_000;

/**
 * The document client that every store uses.
 *
 * It makes two attempts: one retry heals a dropped connection, and more would take too long for the caller. A retry is
 * safe for every write here: the write is conditional, or takes a token at worst twice. A throttled call is not retried.
 *
 * @param config endpoint, region and credentials, if they differ from the environment's
 */
export const createDocumentClient = (config: DynamoDBClientConfig = {}): DynamoDBDocumentClient =>
  DynamoDBDocumentClient.from(
    new DynamoDBClient({
      retryStrategy: new UnthrottledRetries(2),
      requestHandler: {
        // From the call to the response, with the time to connect and to wait for a free connection.
        requestTimeout: 2_000,
        // By default the SDK only warns.
        throwOnRequestTimeout: true,
      },
      ...config,
    }),
    { marshallOptions: { removeUndefinedValues: true } },
  );

/** The options of an SDK call: the signal that ends it, if there is one. */
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

const NETWORK_ERRORS = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

/** A conditional write lost to other writers too often. A later retry will succeed. */
export class DatabaseContentionError extends Error {
  constructor() {
    super('A conditional write lost to other writers too often');
    this.name = 'DatabaseContentionError';
  }
}

/** DynamoDB left a part of a batch unprocessed too often. A later retry will succeed. */
export class TableThrottledError extends Error {
  constructor() {
    super('DynamoDB left a part of a batch unprocessed too often');
    this.name = 'TableThrottledError';
  }
}

/** Whether DynamoDB throttled a call: an item, a table or the account is used too fast. */
export const isThrottle = (error: unknown): boolean =>
  error instanceof TableThrottledError || (error instanceof Error && THROTTLES.has(error.name));

/** Whether the response was a server error, or none of DynamoDB's: a proxy's page, or a truncated response. */
const isForeignResponse = (error: Error): boolean => {
  const { $metadata, $fault } = error as Partial<DynamoDBServiceException>;
  if ($fault === 'server' || ($metadata?.httpStatusCode ?? 0) >= 500) return true;
  return error instanceof SyntaxError && $metadata !== undefined;
};

/** Whether a call failed because DynamoDB is slow, overloaded or unreachable. A later retry may succeed. */
export const isDatabaseUnavailable = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false;
  if (error instanceof DatabaseContentionError || isThrottle(error) || OUTAGES.has(error.name)) return true;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  // HPE: Node's HTTP parser could not read the response.
  return NETWORK_ERRORS.has(code) || code.startsWith('HPE_') || isForeignResponse(error);
};
