import { Validations } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';

/**
 * Requests of one address in five minutes: twice what one API key can be given (1,000 a second). Limits of keys are the
 * functions' matter; this one stops who has none.
 */
const REQUESTS_PER_ADDRESS_MAX = 600_000;

/**
 * AWS's list of addresses that attack. The lists that judge a request's content are left out: a name or a text of `meta`
 * may look like markup or code, and must come through.
 */
const MANAGED_LISTS = ['AWSManagedRulesAmazonIpReputationList'];

const visibility = (metricName: string): CfnWebACL.VisibilityConfigProperty => ({
  cloudWatchMetricsEnabled: true,
  metricName,
  // A sample would hold a request's headers, and with them an API key.
  sampledRequestsEnabled: false,
});

/** Puts a web application firewall in front of the gateway; what it refuses is answered 403 `FORBIDDEN`. */
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

/** A stage's firewall is its operator's choice: cdk-nag is told why a stage may do without. */
export const acknowledgeNoFirewall = (api: RestApi): void => {
  Validations.of(api.deploymentStage).acknowledge({
    id: 'AwsSolutions::AwsSolutions-APIG3',
    reason:
      'Chosen per stage with -c firewall=true. Without it, malformed keys are refused without a database call, every good key has its own limit, and the gateway throttles all of them together.',
  });
};
