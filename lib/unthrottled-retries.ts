import { StandardRetryStrategy } from '@smithy/core/retry';

type Refresh = StandardRetryStrategy['refreshRetryTokenForRetry'];

/**
 * The SDK's standard retries, except for throttled calls. The SDK would sleep up to a second before it retries a hot item,
 * and waiting requests would occupy every environment. Fail fast: the client decides when to retry.
 */
export class UnthrottledRetries extends StandardRetryStrategy {
  override refreshRetryTokenForRetry(...[token, info]: Parameters<Refresh>): ReturnType<Refresh> {
    // The client discards this error and throws the throttle.
    if (info.errorType === 'THROTTLING') return Promise.reject(new Error('A throttled call is not retried'));
    return super.refreshRetryTokenForRetry(token, info);
  }
}
