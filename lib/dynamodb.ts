import { type DynamoDBServiceException, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { createLeanDocumentClient, type LeanDocuments } from './aws/document-client.ts';
import type { ClientConfig } from './aws/json-client.ts';
import type { TrueClock } from './core/true-clock.ts';
import { UnthrottledRetries } from './unthrottled-retries.ts';

export type { Documents } from './aws/document-client.ts';

/**
 * The time for all database calls of one request. The client gets its response, at worst a 503, within 5 s: before API
 * Gateway or Lambda ends the request without one.
 */
export const DATABASE_BUDGET_MS = 4_000;

/** The time for one attempt of a call. */
const ATTEMPT_TIMEOUT_MS = 2_000;

/**
 * The document client that every store uses.
 *
 * It makes two attempts. One retry recovers from a dropped connection, and more would take too long for the client. A
 * retry is safe for every write: the write is conditional or idempotent, or at worst takes a second token. Throttled
 * calls are not retried.
 *
 * @param config endpoint, region and credentials, if they differ from the environment's
 * @param clock the clock that the responses of DynamoDB correct
 */
export const createDocumentClient = (config: ClientConfig = {}, clock?: TrueClock): LeanDocuments =>
  createLeanDocumentClient(
    config,
    { timeoutMs: ATTEMPT_TIMEOUT_MS, retryStrategy: new UnthrottledRetries(2) },
    clock,
  );

export const callOptions = (signal: AbortSignal | undefined): { abortSignal?: AbortSignal } =>
  signal ? { abortSignal: signal } : {};

const THROTTLES = new Set([
  'ProvisionedThroughputExceededException',
  'ThrottlingException',
  'RequestLimitExceeded',
]);

/** The end of a reason: one partition gets too many requests (DynamoDB's API reference, "ThrottlingReason"). */
const HOT_KEY_RANGE = 'KeyRangeThroughputExceeded';

/** Server errors are missing here: `isBrokenResponse` recognises them. */
const OUTAGES = new Set([
  'TimeoutError',
  'AbortError',
  'TransactionConflictException',
  // The client resent a transaction with the same token, and the first attempt still runs.
  'TransactionInProgressException',
  'ReplicatedWriteConflictException',
]);

/** The reasons of a cancelled transaction after which a later retry may succeed. */
const TRANSIENT_REASONS = new Set([
  'TransactionConflict',
  'ThrottlingError',
  'ProvisionedThroughputExceeded',
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

/** A conditional write lost to other writers too often. A later retry may succeed. */
export class DatabaseContentionError extends Error {
  constructor() {
    super('A conditional write lost to other writers too often');
    this.name = 'DatabaseContentionError';
  }
}

/** DynamoDB left a part of a batch unprocessed too often. A later retry may succeed. */
export class TableThrottledError extends Error {
  constructor() {
    super('DynamoDB left a part of a batch unprocessed too often');
    this.name = 'TableThrottledError';
  }
}

/** Whether DynamoDB throttled a call, because of an item, a table or the account. */
export const isThrottle = (error: unknown): boolean =>
  error instanceof TableThrottledError || (error instanceof Error && THROTTLES.has(error.name));

/** The reasons of a throttle. `ThrottlingException` and the two other exceptions differ in the case of the field's name. */
const throttlingReasons = (error: unknown): readonly { readonly reason?: string }[] => {
  const { ThrottlingReasons, throttlingReasons: reasons = ThrottlingReasons } = error as Partial<
    Record<'ThrottlingReasons' | 'throttlingReasons', readonly { readonly reason?: string }[]>
  >;
  return reasons ?? [];
};

/**
 * Whether DynamoDB throttled a call only because its item gets too many requests. A throttle without a reason counts as
 * one of the table or the account, which the owner of the item did not cause.
 */
export const isItemThrottle = (error: unknown): boolean => {
  const reasons = isThrottle(error) ? throttlingReasons(error) : [];
  return reasons.length > 0 && reasons.every(({ reason }) => reason?.endsWith(HOT_KEY_RANGE));
};

const cancellationCodes = (error: unknown): readonly (string | undefined)[] =>
  error instanceof TransactionCanceledException
    ? (error.CancellationReasons ?? []).map(({ Code }) => Code)
    : [];

/** Whether another call was writing the same item at the same time, in a transaction or against one. */
export const isTransactionConflict = (error: unknown): boolean =>
  cancellationCodes(error).includes('TransactionConflict') ||
  (error instanceof Error && error.name === 'TransactionConflictException');

/** Whether the response was a server error or no valid JSON, such as a proxy's page or a truncated response. */
const isBrokenResponse = (error: Error): boolean => {
  const { $metadata, $fault } = error as Partial<DynamoDBServiceException>;
  if ($fault === 'server' || ($metadata?.httpStatusCode ?? 0) >= 500) return true;
  return error instanceof SyntaxError && $metadata !== undefined;
};

const isNetworkError = (error: Error): boolean =>
  'code' in error &&
  typeof error.code === 'string' &&
  // HPE: Node's HTTP parser could not read the response.
  (NETWORK_ERRORS.has(error.code) || error.code.startsWith('HPE_'));

/** Whether DynamoDB, or another service of AWS, was slow, overloaded or unreachable. A later retry may succeed. */
export const isUnavailable = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false;
  if (error instanceof DatabaseContentionError || isThrottle(error) || OUTAGES.has(error.name)) return true;
  if (cancellationCodes(error).some((code) => TRANSIENT_REASONS.has(code ?? ''))) return true;
  return isNetworkError(error) || isBrokenResponse(error);
};
