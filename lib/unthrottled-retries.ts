import { StandardRetryStrategy } from '@smithy/core/retry';

type Refresh = StandardRetryStrategy['refreshRetryTokenForRetry'];

/**
 * The SDK's standard retries, without those of throttled calls. The SDK would sleep up to a second before it retries a
 * hot item, and waiting requests would fill the environments. Fail fast; the client decides when to retry.
 */
export class UnthrottledRetries extends StandardRetryStrategy {
  override refreshRetryTokenForRetry(...[token, info]: Parameters<Refresh>): ReturnType<Refresh> {
    // The SDK throws the throttle itself, whatever is thrown here.
    if (info.errorType === 'THROTTLING') return Promise.reject(new Error('A throttled call is not retried'));
    return super.refreshRetryTokenForRetry(token, info);
  }
}
