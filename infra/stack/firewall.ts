import { Validations } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';

/**
 * Requests of one address in five minutes: twice the largest limit of one API key (1,000 a second). The functions enforce
 * the limits of keys. This limit stops callers without a key.
 */
const REQUESTS_PER_ADDRESS_MAX = 600_000;

/**
 * AWS's list of hostile addresses. Lists that inspect the content are excluded, because a valid name or `meta` value may
 * look like markup or code.
 */
const MANAGED_LISTS = ['AWSManagedRulesAmazonIpReputationList'];

const visibility = (metricName: string): CfnWebACL.VisibilityConfigProperty => ({
  cloudWatchMetricsEnabled: true,
  metricName,
  // A sample would store a request's headers, and so its API key.
  sampledRequestsEnabled: false,
});

/** Adds a web application firewall in front of the gateway. Requests that it blocks get 403 `FORBIDDEN`. */
export const addFirewall = (scope: Construct, api: RestApi): void => {
  const firewall = new CfnWebACL(scope, 'Firewall', {
    scope: 'REGIONAL',
    defaultAction: { allow: {} },
    visibilityConfig: visibility('Firewall'),
    rules: [
      {
        name: 'RequestsPerAddress',
        priority: 0,
        action: { block: {} },
        statement: {
          rateBasedStatement: {
            aggregateKeyType: 'IP',
            limit: REQUESTS_PER_ADDRESS_MAX,
            evaluationWindowSec: 300,
          },
        },
        visibilityConfig: visibility('RequestsPerAddress'),
      },
      ...MANAGED_LISTS.map((name, index) => ({
        name,
        priority: index + 1,
        overrideAction: { none: {} },
        statement: { managedRuleGroupStatement: { vendorName: 'AWS', name } },
        visibilityConfig: visibility(name),
      })),
    ],
  });
  new CfnWebACLAssociation(scope, 'FirewallOfGateway', {
    resourceArn: api.deploymentStage.stageArn,
    webAclArn: firewall.attrArn,
  });
};

/** Records for cdk-nag why a stage may have no firewall. */
export const acknowledgeNoFirewall = (api: RestApi): void => {
  Validations.of(api.deploymentStage).acknowledge({
    id: 'AwsSolutions::AwsSolutions-APIG3',
    reason:
      'Chosen per stage with -c firewall=true. Without it, malformed keys cost no database call, every valid key has its own limit, and the gateway throttles all keys together.',
  });
};
