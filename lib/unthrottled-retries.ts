import { StandardRetryStrategy } from '@smithy/core/retry';

type Refresh = StandardRetryStrategy['refreshRetryTokenForRetry'];

/**
 * The SDK's standard retries, but for throttles: it would sleep up to a second before it asked a hot item again, and so
 * fill environments with requests that wait. Who is told at once can decide when to come back.
 */
export class UnthrottledRetries extends StandardRetryStrategy {
  override refreshRetryTokenForRetry(...[token, info]: Parameters<Refresh>): ReturnType<Refresh> {
    // The SDK then throws the throttle itself, whatever is thrown here.
    if (info.errorType === 'THROTTLING') return Promise.reject(new Error('A throttled call is not repeated'));
    return super.refreshRetryTokenForRetry(token, info);
  }
}
