import {
  getRetryAfterHint,
  isServerError,
  isThrottlingError,
  isTransientError,
  type StandardRetryStrategy,
} from '@smithy/core/retry';
import type { CallMetadata } from './service-errors.ts';
import type { TransportResponse } from './transport.ts';

/** A retry strategy of the SDK. */
export type RetryStrategy = Pick<
  StandardRetryStrategy,
  'acquireInitialRetryToken' | 'refreshRetryTokenForRetry' | 'recordSuccess'
>;

export type RetryToken = Awaited<ReturnType<RetryStrategy['acquireInitialRetryToken']>>;
type RetryInfo = Parameters<RetryStrategy['refreshRetryTokenForRetry']>[1];

/** The error of a call. */
export interface CallError extends Error {
  $metadata?: CallMetadata;
}

const errorTypeOf = (error: CallError): RetryInfo['errorType'] => {
  const sdkError = error as Parameters<typeof isThrottlingError>[0];
  if (isThrottlingError(sdkError)) return 'THROTTLING';
  if (isTransientError(sdkError)) return 'TRANSIENT';
  return isServerError(sdkError) ? 'SERVER_ERROR' : 'CLIENT_ERROR';
};

/**
 * Waits for the next attempt.
 *
 * @returns its token, or `undefined` if no attempt is left
 */
export const nextToken = (
  retries: RetryStrategy,
  token: RetryToken,
  error: CallError,
): Promise<RetryToken | undefined> => {
  const { $response } = error as { readonly $response?: TransportResponse };
  const retryAfterHint = getRetryAfterHint($response);
  const info = { error, errorType: errorTypeOf(error), ...(retryAfterHint && { retryAfterHint }) };
  return retries.refreshRetryTokenForRetry(token, info as RetryInfo).catch(() => undefined);
};
