import type { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { type HttpFunctionName, type Operation, ROUTES } from '../../../functions/operations.ts';
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

  const methodsOf =
    (serves: (route: Operation) => boolean) =>
    (throttle: string): Record<string, string> =>
      Object.fromEntries(ROUTES.filter(serves).map(({ method, path }) => [`${method} ${path}`, throttle]));
  const ofFunction = (name: HttpFunctionName) => methodsOf(({ functionName }) => functionName === name);
  const ofCarts = methodsOf(
    ({ caller, functionName }) =>
      caller === 'merchant' && (functionName === 'create-cart-checkout' || functionName === 'get-cart'),
  );
  const ofExpiries = ofFunction('expire-cart');
  const ofEvents = ofFunction('list-events');
  const ofEndpoints = ofFunction('webhook-endpoints');
  const ofSandbox = ofFunction('sandbox-checkout');
  const ofPlatform = methodsOf(({ caller }) => caller === 'platform');
  /** All that no function serves: the page of errors, unknown paths, preflights. */
  const ofRest = { 'GET /errors': '20/s, 100 at once', '* /*': '1/s, 20 at once' };

  it('is the rate of the stage for carts, a part of it for each other operation, and tiny for the rest', () => {
    expect(throttlesIn(branchStage().template)).toStrictEqual({
      ...ofCarts('100/s, 200 at once'),
      ...ofExpiries('20/s, 20 at once'),
      ...ofEvents('20/s, 10 at once'),
      ...ofEndpoints('2/s, 4 at once'),
      ...ofPlatform('20/s, 40 at once'),
      ...ofSandbox('10/s, 10 at once'),
      ...ofRest,
    });
    expect(throttlesIn(productionStage().template)).toStrictEqual({
      ...ofCarts('1000/s, 2000 at once'),
      ...ofExpiries('20/s, 20 at once'),
      ...ofEvents('200/s, 100 at once'),
      ...ofEndpoints('20/s, 10 at once'),
      ...ofPlatform('200/s, 400 at once'),
      ...ofSandbox('100/s, 100 at once'),
      ...ofRest,
    });
  });

  it('grows with the stage only where executions grow, and leaves out a sandbox that does not exist', () => {
    expect(throttlesIn(fullStage().template)).toStrictEqual({
      ...ofCarts('5000/s, 10000 at once'),
      ...ofExpiries('20/s, 20 at once'),
      ...ofEvents('1000/s, 500 at once'),
      ...ofEndpoints('20/s, 10 at once'),
      ...ofPlatform('1000/s, 2000 at once'),
      ...ofRest,
    });
  });
});
