import type { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { type Operation, ROUTES } from '../../../functions/operations.ts';
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
  const isOfEndpoints = ({ functionName }: Operation): boolean => functionName === 'webhook-endpoints';
  const ofMerchants = methodsOf((route) => route.caller === 'merchant' && !isOfEndpoints(route));
  /** Merchants change endpoints rarely. */
  const ofEndpoints = methodsOf(isOfEndpoints);
  const ofOthers = methodsOf(({ caller }) => caller === 'platform');
  const ofSandbox = methodsOf(({ caller }) => caller === 'buyer');
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
