import { isServerError, isThrottlingError, isTransientError } from '@smithy/core/retry';

/** AWS did not do all of the work, such as a whole batch. A later retry may succeed. */
export class UnavailableError extends Error {
  override readonly name: string = 'UnavailableError';
}

/** Other writers of an item always came first. */
export class ContentionError extends UnavailableError {
  override readonly name = 'ContentionError';

  constructor() {
    super('Other writers always came first');
  }
}

/** DynamoDB left a part of a batch unprocessed too often. */
export class ThrottledError extends UnavailableError {
  override readonly name = 'ThrottledError';

  constructor() {
    super('DynamoDB throttles the requests');
  }
}

/** An error of a call. Any error may come, so no field of the SDK's exceptions is certain. */
type CallError = Parameters<typeof isThrottlingError>[0] & {
  readonly CancellationReasons?: readonly { readonly Code?: string }[];
  readonly ThrottlingReasons?: readonly { readonly reason?: string }[];
  /** `ThrottlingException` spells the name in its own case. */
  readonly throttlingReasons?: readonly { readonly reason?: string }[];
};

const isError = (error: unknown): error is CallError => error instanceof Error;

type Names = ReadonlySet<string>;

const isNamed = (error: unknown, names: Names): boolean => isError(error) && names.has(error.name);

/** An error of SQS. The SDK's own list has every other throttle. */
const KMS_THROTTLED: Names = new Set(['KmsThrottled']);

/** Whether AWS throttled a call, because of an item, a table, a queue or the account. */
export const isThrottle = (error: unknown): boolean =>
  error instanceof ThrottledError ||
  isNamed(error, KMS_THROTTLED) ||
  (isError(error) && isThrottlingError(error));

/** One partition key gets too many requests (DynamoDB's API reference, "ThrottlingReason"). */
const HOT_KEY_REASONS: Names = new Set([
  'TableReadKeyRangeThroughputExceeded',
  'TableWriteKeyRangeThroughputExceeded',
]);

/**
 * Whether DynamoDB throttled a call only because of a hot key. A throttle without a reason counts as one of the table or the
 * account, which the owner of the item did not cause.
 */
export const isHotKeyThrottle = (error: unknown): boolean => {
  if (!isThrottle(error)) return false;
  const { ThrottlingReasons = [], throttlingReasons = ThrottlingReasons } = error as CallError;
  return (
    throttlingReasons.length > 0 && throttlingReasons.every(({ reason = '' }) => HOT_KEY_REASONS.has(reason))
  );
};

/** Whether a transaction was cancelled for one of these reasons. */
const isCancelled = (error: unknown, reasons: Names): boolean =>
  isError(error) && (error.CancellationReasons ?? []).some(({ Code = '' }) => reasons.has(Code));

const CONFLICT: Names = new Set(['TransactionConflictException']);
const CONFLICT_REASON: Names = new Set(['TransactionConflict']);

/** Whether another call was writing the same item at the same time, in a transaction or against one. */
export const isTransactionConflict = (error: unknown): boolean =>
  isNamed(error, CONFLICT) || isCancelled(error, CONFLICT_REASON);

const THROTTLE_REASONS: Names = new Set(['ThrottlingError', 'ProvisionedThroughputExceeded']);

/** The signal of a call ended it, or another region wrote the item. The SDK's own lists lack both. */
const INTERRUPTED: Names = new Set(['AbortError', 'ReplicatedWriteConflictException']);

/** Whether a response was a server error or no JSON, such as the page of a proxy. */
const isBrokenResponse = (error: CallError): boolean =>
  error.$fault === 'server' ||
  isServerError(error) ||
  (error instanceof SyntaxError && error.$metadata !== undefined);

/** Whether a service of AWS was slow, overloaded or unreachable. A later retry may succeed. */
export const isUnavailable = (error: unknown): boolean => {
  if (!isError(error)) return false;
  if (error instanceof UnavailableError || isNamed(error, INTERRUPTED)) return true;
  if (isThrottle(error) || isTransientError(error) || isBrokenResponse(error)) return true;
  return isTransactionConflict(error) || isCancelled(error, THROTTLE_REASONS);
};

/**
 * Whether too many requests at the same time caused a failure: conflicts on one item, or a throttle. Each caller can cause
 * it, in every version of the code.
 */
export const isContention = (error: unknown): boolean =>
  error instanceof ContentionError ||
  isThrottle(error) ||
  isTransactionConflict(error) ||
  isCancelled(error, THROTTLE_REASONS);

const NO_CREDENTIALS: Names = new Set(['CredentialsProviderError', 'TokenProviderError']);

/** Whether the SDK found no credentials. */
export const hasNoCredentials = (error: unknown): boolean => isNamed(error, NO_CREDENTIALS);

/** "Common errors" in the API references, and `InvalidSecurity` of SQS. */
const REJECTED_CREDENTIALS: Names = new Set([
  'ExpiredToken',
  'ExpiredTokenException',
  'IncompleteSignature',
  'IncompleteSignatureException',
  'InvalidClientTokenId',
  'InvalidSecurity',
  'InvalidSignatureException',
  'MissingAuthenticationToken',
  'MissingAuthenticationTokenException',
  'RequestExpired',
  'SignatureDoesNotMatch',
  'UnrecognizedClientException',
]);

/** Whether AWS rejected the credentials of a call, or its signature. */
export const areCredentialsRejected = (error: unknown): boolean => isNamed(error, REJECTED_CREDENTIALS);

const ACCESS_DENIED: Names = new Set([
  'AccessDenied',
  'AccessDeniedException',
  'KmsAccessDenied',
  'NotAuthorized',
  'OptInRequired',
]);

/** Whether the credentials of a call have no permission for it. */
export const isAccessDenied = (error: unknown): boolean => isNamed(error, ACCESS_DENIED);

/** A table, bus, queue or key is missing or unusable. The names of keys and queues are those of SQS. */
const MISSING_RESOURCE: Names = new Set([
  'InvalidAddress',
  'KmsDisabled',
  'KmsInvalidKeyUsage',
  'KmsInvalidState',
  'KmsNotFound',
  'KmsOptInRequired',
  'QueueDoesNotExist',
  'ResourceNotFoundException',
]);

/**
 * Whether a retry of a call of AWS may succeed: after an outage, or once the stage's own setup is mended (permissions,
 * credentials, or a missing table, queue or bus). After any other error, such as a rejected value, each retry would fail.
 */
export const isRetryable = (error: unknown): boolean =>
  isUnavailable(error) ||
  hasNoCredentials(error) ||
  areCredentialsRejected(error) ||
  isAccessDenied(error) ||
  isNamed(error, MISSING_RESOURCE);
