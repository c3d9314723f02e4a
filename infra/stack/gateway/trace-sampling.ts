import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { CfnSamplingRule } from 'aws-cdk-lib/aws-xray';
import type { Construct } from 'constructs';
import { TRACED_SHARE } from '../../stage/stage-config.ts';

/** X-Ray applies the matching rule with the lowest number. Lower numbers are left to rules that operators add. */
const PRIORITY = 1_000;

/**
 * Lets X-Ray trace one in a hundred of the stage's requests. The gateway decides for each request, and the functions follow
 * it.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-configuring-xray-sampling-rules.html
 *
 * @param stageName at most 18 characters, because the name of a rule has at most 32
 */
export const sampleTraces = (scope: Construct, api: RestApi, stageName: string): CfnSamplingRule =>
  new CfnSamplingRule(scope, 'TraceSampling', {
    samplingRule: {
      ruleName: `cart-checkout-${stageName}`,
      version: 1,
      priority: PRIORITY,
      // No request beyond the share.
      reservoirSize: 0,
      fixedRate: TRACED_SHARE,
      serviceType: 'AWS::ApiGateway::Stage',
      serviceName: `${api.restApiName}/${stageName}`,
      host: '*',
      httpMethod: '*',
      urlPath: '*',
      resourceArn: '*',
    },
  });
