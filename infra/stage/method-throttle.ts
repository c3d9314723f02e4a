import type { HttpFunctionName, Operation } from '../../functions/operations.ts';
import { type OperationLimits, operationLimitsOf } from './function-limits.ts';
import type { Throttle } from './throttle.ts';

/** A payment page reads a cart a few times. Most requests are merchants' retrievals. */
const PLATFORM_LIMITS: OperationLimits = { rate: 1 / 5, burst: 1 / 5 };

/** The limits of an operation's method. */
export const methodThrottleOf = (
  { functionName, caller }: Operation<HttpFunctionName>,
  stage: Throttle,
): Throttle => {
  const { rate, burst, max } = caller === 'platform' ? PLATFORM_LIMITS : operationLimitsOf(functionName);
  return {
    requestsPerSecond: Math.min(
      Math.max(1, rate * stage.requestsPerSecond),
      max?.requestsPerSecond ?? Infinity,
    ),
    burst: Math.min(Math.ceil(burst * stage.burst), max?.burst ?? Infinity),
  };
};

/**
 * The limit of each method that no function serves: of unknown paths and preflights. `ANY` is a method for each of seven
 * verbs. API Gateway does not charge for a throttled request.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-pricing.html
 */
export const OWN_RESPONSES_THROTTLE: Throttle = { requestsPerSecond: 1, burst: 20 };

/** Every `Link` of an error leads to the page. One crawler must not keep it from the merchants. */
export const ERRORS_PAGE_THROTTLE: Throttle = { requestsPerSecond: 20, burst: 100 };
