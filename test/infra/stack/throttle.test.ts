import type { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { branchStage, fullStage, productionStage } from './template.ts';

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

  const ofMerchants = (throttle: string) => ({
    'POST /api/v1/stores/cart/checkout': throttle,
    'GET /api/v1/stores/cart/{cartId}': throttle,
    'POST /api/v1/stores/cart/{cartId}/expire': throttle,
    'GET /api/v1/stores/events': throttle,
  });
  const ENDPOINTS = '/api/v1/stores/webhook-endpoints';
  /** Merchants change endpoints rarely. */
  const ofEndpoints = (throttle: string) => ({
    [`POST ${ENDPOINTS}`]: throttle,
    [`GET ${ENDPOINTS}`]: throttle,
    [`GET ${ENDPOINTS}/{endpointId}`]: throttle,
    [`PATCH ${ENDPOINTS}/{endpointId}`]: throttle,
    [`DELETE ${ENDPOINTS}/{endpointId}`]: throttle,
    [`POST ${ENDPOINTS}/{endpointId}/rotate-secret`]: throttle,
    [`POST ${ENDPOINTS}/{endpointId}/test`]: throttle,
    [`GET ${ENDPOINTS}/{endpointId}/deliveries`]: throttle,
    [`POST ${ENDPOINTS}/{endpointId}/deliveries/{deliveryId}/resend`]: throttle,
  });
  const ofOthers = (throttle: string) => ({ 'GET /internal/v1/carts/{cartId}': throttle });
  const ofSandbox = (throttle: string) => ({
    'GET /sandbox/checkout/{cartId}': throttle,
    'POST /sandbox/checkout/{cartId}': throttle,
  });
  /** All that no function serves: unknown paths, preflights, the page of errors. */
  const ofRest = { '* /*': '1/s, 20 at once' };

  it('is the rate of the stage for each operation of merchants, a fifth of it for each other one, and tiny for the rest', () => {
    const others = '20/s, 40 at once';
    expect(throttlesIn(branchStage().template)).toStrictEqual({
      ...ofMerchants('100/s, 200 at once'),
      ...ofEndpoints('2/s, 4 at once'),
      ...ofOthers(others),
      ...ofSandbox(others),
      ...ofRest,
    });
    expect(throttlesIn(productionStage().template)).toMatchObject({
      ...ofMerchants('1000/s, 2000 at once'),
      ...ofEndpoints('20/s, 40 at once'),
      ...ofRest,
    });
  });

  it('leaves out the sandbox where there is none', () => {
    expect(throttlesIn(fullStage().template)).toStrictEqual({
      ...ofMerchants('5000/s, 10000 at once'),
      ...ofEndpoints('100/s, 200 at once'),
      ...ofOthers('1000/s, 2000 at once'),
      ...ofRest,
    });
  });
});
