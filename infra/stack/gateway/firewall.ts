import { Validations } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { CfnIPSet, CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import { API_ERRORS, type ApiErrorShape, helpLink } from '../../../lib/http/errors.ts';
import { gatewayErrorBody } from '../../contract/gateway-error.ts';
import type { FirewallConfig } from '../../stage/firewall-config.ts';
import type { Throttle } from '../../stage/throttle.ts';

/** The shortest window that AWS WAF offers. It blocks a flood soonest, and forgets it soonest. */
const WINDOW_SECONDS = 60;

/**
 * The shares of the gateway's rate that one caller may use. They count every request, also those that get 401 or 429. One
 * key with its largest limit uses a fifth of the rate, so a merchant who keeps to its limit is never blocked.
 */
const SHARE_MAX = { perAddress: 1 / 2, perAuthorization: 2 / 5 } as const;

/** AWS WAF sees this much of a body. */
const INSPECTED_BODY_BYTES = 16_384;

/** A Content-Length below 1 MB. AWS WAF compares no numbers in headers. */
const BELOW_1_MB = '^[0-9]{1,6}$';

/**
 * AWS's list of hostile addresses. Lists that inspect the content are excluded, because a valid name or `meta` value may
 * look like markup or code.
 */
const HOSTILE_ADDRESSES = 'AWSManagedRulesAmazonIpReputationList';

const visibility = (metricName: string): CfnWebACL.VisibilityConfigProperty => ({
  cloudWatchMetricsEnabled: true,
  metricName,
  // A sample would store a request's headers, and so its API key.
  sampledRequestsEnabled: false,
});

const UNCHANGED = [{ priority: 0, type: 'NONE' }];

/** One key is one caller, however it writes spaces and the scheme (`lib/http/request-key.ts`). */
const SAME_SPELLING = [
  { priority: 0, type: 'COMPRESS_WHITE_SPACE' },
  { priority: 1, type: 'LOWERCASE' },
];

/** The rejections that AWS WAF sends itself. Its response replaces the one of the gateway. */
const REJECTIONS = { rateLimited: API_ERRORS.rateLimited, payloadTooLarge: API_ERRORS.payloadTooLarge };

const block = (name: keyof typeof REJECTIONS, errorsUrl: string): CfnWebACL.RuleActionProperty => {
  const error: ApiErrorShape = REJECTIONS[name];
  return {
    block: {
      customResponse: {
        responseCode: error.status,
        customResponseBodyKey: name,
        responseHeaders: [
          { name: 'Link', value: helpLink(errorsUrl, error.code) },
          ...(name === 'rateLimited' ? [{ name: 'Retry-After', value: String(WINDOW_SECONDS) }] : []),
        ],
      },
    },
  };
};

const anyOf = (statements: readonly CfnWebACL.StatementProperty[]): CfnWebACL.StatementProperty | undefined =>
  statements.length > 1 ? { orStatement: { statements: [...statements] } } : statements[0];

/** Matches the addresses of the networks. A set holds addresses of one family. */
const inNetworks = (
  scope: Construct,
  networks: readonly string[],
): CfnWebACL.StatementProperty | undefined => {
  const families = Object.groupBy(networks, (network) => (network.includes(':') ? 'IPV6' : 'IPV4'));
  const sets = Object.entries(families).map(
    ([ipAddressVersion, addresses]) =>
      new CfnIPSet(scope, `AllowedNetworks${ipAddressVersion}`, {
        scope: 'REGIONAL',
        ipAddressVersion,
        addresses,
      }),
  );
  return anyOf(sets.map(({ attrArn }) => ({ ipSetReferenceStatement: { arn: attrArn } })));
};

/** A body whose first bytes fill the inspection, unless its header proves that it is below 1 MB. */
const LARGE_BODY: CfnWebACL.StatementProperty = {
  andStatement: {
    statements: [
      {
        sizeConstraintStatement: {
          fieldToMatch: { body: { oversizeHandling: 'MATCH' } },
          comparisonOperator: 'GT',
          size: INSPECTED_BODY_BYTES,
          textTransformations: UNCHANGED,
        },
      },
      {
        notStatement: {
          statement: {
            regexMatchStatement: {
              fieldToMatch: { singleHeader: { Name: 'content-length' } },
              regexString: BELOW_1_MB,
              textTransformations: UNCHANGED,
            },
          },
        },
      },
    ],
  },
};

interface FirewallOptions extends FirewallConfig, Pick<Throttle, 'requestsPerSecond'> {
  /** The address of the page of errors. */
  readonly errorsUrl: string;
}

type Rule = Omit<CfnWebACL.RuleProperty, 'priority' | 'visibilityConfig'>;

const rulesOf = (
  { requestsPerSecond, errorsUrl }: FirewallOptions,
  allowed: CfnWebACL.StatementProperty | undefined,
): readonly Rule[] => {
  const limitOf = (share: number): number => Math.floor(share * requestsPerSecond * WINDOW_SECONDS);
  return [
    {
      name: 'RequestsPerAddress',
      action: block('rateLimited', errorsUrl),
      statement: {
        rateBasedStatement: {
          aggregateKeyType: 'IP',
          limit: limitOf(SHARE_MAX.perAddress),
          evaluationWindowSec: WINDOW_SECONDS,
          ...(allowed && { scopeDownStatement: { notStatement: { statement: allowed } } }),
        },
      },
    },
    {
      // Requests without the header are not counted here.
      name: 'RequestsPerAuthorization',
      action: block('rateLimited', errorsUrl),
      statement: {
        rateBasedStatement: {
          aggregateKeyType: 'CUSTOM_KEYS',
          customKeys: [{ header: { name: 'authorization', textTransformations: SAME_SPELLING } }],
          limit: limitOf(SHARE_MAX.perAuthorization),
          evaluationWindowSec: WINDOW_SECONDS,
        },
      },
    },
    { name: 'LargeBodies', action: block('payloadTooLarge', errorsUrl), statement: LARGE_BODY },
    {
      name: HOSTILE_ADDRESSES,
      overrideAction: { none: {} },
      statement: { managedRuleGroupStatement: { vendorName: 'AWS', name: HOSTILE_ADDRESSES } },
    },
  ];
};

/**
 * Adds a web application firewall in front of the gateway. A caller above its share gets 429 `RATE_LIMITED`, and a hostile
 * address 403 `FORBIDDEN`. A body of 1 MB or more, or one above 16 KB that is sent in chunks, gets 413 `PAYLOAD_TOO_LARGE`.
 */
export const addFirewall = (scope: Construct, api: RestApi, options: FirewallOptions): void => {
  const firewall = new CfnWebACL(scope, 'Firewall', {
    scope: 'REGIONAL',
    defaultAction: { allow: {} },
    visibilityConfig: visibility('Firewall'),
    customResponseBodies: Object.fromEntries(
      Object.entries(REJECTIONS).map(([name, error]) => [
        name,
        { contentType: 'APPLICATION_JSON', content: gatewayErrorBody(error) },
      ]),
    ),
    rules: rulesOf(options, inNetworks(scope, options.allowedNetworks)).map((rule, priority) => ({
      ...rule,
      priority,
      visibilityConfig: visibility(rule.name),
    })),
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
      'Chosen per stage with -c firewall=false, the default of every stage but production. Malformed keys cost no database call, every valid key has its own limit, and the gateway throttles each method.',
  });
};
