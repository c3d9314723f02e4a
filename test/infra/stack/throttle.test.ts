import type { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { type HttpFunctionName, type Operation, ALL_OPERATIONS } from '../../../functions/operations.ts';
import { type OperationLimits, operationLimitsOf } from '../../../infra/stage/function-limits.ts';
import type { Throttle } from '../../../infra/stage/throttle.ts';
import { branchStage, fullStage, productionStage } from '../../support/stack/template.ts';

interface MethodSetting {
  readonly HttpMethod: string;
  readonly ResourcePath: string;
  readonly ThrottlingRateLimit: number;
  readonly ThrottlingBurstLimit: number;
}

describe('the throttle of the gateway', () => {
  // AWS applies each limit to each method by itself. No limit covers the whole stage.
  const throttlesIn = (template: Template): Record<string, string> => {
    const [stage] = Object.values(template.findResources('AWS::ApiGateway::Stage'));
    const { MethodSettings } = (stage as { Properties: { MethodSettings: MethodSetting[] } }).Properties;
    return Object.fromEntries(
      MethodSettings.map(({ HttpMethod, ResourcePath, ThrottlingRateLimit, ThrottlingBurstLimit }) => [
        `${HttpMethod} ${ResourcePath.replaceAll('~1', '/').replace('//', '/')}`,
        `${ThrottlingRateLimit}/s, ${ThrottlingBurstLimit} at once`,
      ]),
    );
  };

  /** All that no function serves: the page of errors, unknown paths, preflights. */
  const REST = { 'GET /errors': '20/s, 100 at once', '* /*': '1/s, 20 at once' };

  /** The throttles of the operations that a stage has, from their parts of the stage's. */
  const expectedOf = (
    stage: Throttle,
    serves: (route: Operation<HttpFunctionName>) => boolean = () => true,
  ) =>
    Object.fromEntries(
      ALL_OPERATIONS.filter(serves).map(
        ({ method, path, functionName, caller }: Operation<HttpFunctionName>) => {
          // A payment page reads a cart a few times.
          const part: OperationLimits =
            caller === 'platform' ? { rate: 1 / 5, burst: 1 / 5 } : operationLimitsOf(functionName);
          const { rate, burst, max = { requestsPerSecond: Infinity, burst: Infinity } } = part;
          const perSecond = Math.min(Math.max(1, rate * stage.requestsPerSecond), max.requestsPerSecond);
          const atOnce = Math.min(Math.ceil(burst * stage.burst), max.burst);
          return [`${method} ${path}`, `${perSecond}/s, ${atOnce} at once`];
        },
      ),
    );

  it('is the rate of the stage for carts, and tiny for what no function serves', () => {
    expect(throttlesIn(productionStage().template)).toMatchObject({
      'POST /api/v1/stores/cart/checkout': '1000/s, 2000 at once',
      'GET /api/v1/stores/cart/{cartId}': '1000/s, 2000 at once',
      ...REST,
    });
  });

  it.each([
    ['a branch', branchStage, { requestsPerSecond: 100, burst: 200 }],
    ['production', productionStage, { requestsPerSecond: 1_000, burst: 2_000 }],
  ] as const)('is a part of the rate of %s for each operation', (_, stageOf, stage) => {
    expect(throttlesIn(stageOf().template)).toStrictEqual({ ...expectedOf(stage), ...REST });
  });

  it('grows with the stage only where executions grow, and leaves out a sandbox that does not exist', () => {
    const throttles = throttlesIn(fullStage().template);
    const stage = { requestsPerSecond: 5_000, burst: 10_000 };
    const expected = expectedOf(stage, ({ functionName }) => functionName !== 'sandbox-checkout');
    expect(throttles).toStrictEqual({ ...expected, ...REST });
    expect(throttles).toMatchObject({
      'POST /api/v1/stores/cart/{cartId}/expire': '20/s, 20 at once',
      'POST /api/v1/stores/webhook-endpoints': '20/s, 10 at once',
    });
  });
});
