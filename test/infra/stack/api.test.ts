import { Match, type Template } from 'aws-cdk-lib/assertions';
import { beforeAll, describe, expect, it } from 'vitest';
import { ROUTES } from '../../../functions/operations.ts';
import { branchStage, fullStage, productionStage, target } from './template.ts';

let branch: Template;
let full: Template;
let production: Template;

beforeAll(() => {
  branch = branchStage().template;
  full = fullStage().template;
  production = productionStage().template;
});

describe('the gateway', () => {
  it('has a route for each operation and a catch-all on every path, and no other', () => {
    const resources = branch.findResources('AWS::ApiGateway::Resource') as Record<
      string,
      { Properties: { ParentId: { Ref?: string }; PathPart: string } }
    >;
    const pathOf = (id: string | undefined): string => {
      const resource = id === undefined ? undefined : resources[id];
      return resource ? `${pathOf(resource.Properties.ParentId.Ref)}/${resource.Properties.PathPart}` : '';
    };
    const methods = Object.values(branch.findResources('AWS::ApiGateway::Method')).map((method) => {
      const { Properties } = method as { Properties: { HttpMethod: string; ResourceId: { Ref: string } } };
      return `${Properties.HttpMethod} ${pathOf(Properties.ResourceId.Ref)}`;
    });
    const catchAlls = ['', ...Object.keys(resources).map(pathOf)].map((path) => `ANY ${path}`);
    expect(methods.toSorted()).toStrictEqual(
      [...ROUTES.map(({ method, path }) => `${method} ${path}`), ...catchAlls].toSorted(),
    );
    expect(methods).toContain('ANY /{proxy+}');
  });

  it('responds to all else by itself, with any method, signature and content type', () => {
    const body = { code: 'NOT_FOUND', message: 'The requested route does not exist' };
    const methods = branch.findResources('AWS::ApiGateway::Method', { Properties: { HttpMethod: 'ANY' } });
    for (const method of Object.values(methods)) {
      expect(method).toMatchObject({
        Properties: {
          AuthorizationType: 'NONE',
          Integration: {
            Type: 'MOCK',
            PassthroughBehavior: 'NEVER',
            RequestTemplates: { 'application/json': '{"statusCode": 404}' },
            IntegrationResponses: [
              { StatusCode: '404', ResponseTemplates: { 'application/json': JSON.stringify(body) } },
            ],
          },
          MethodResponses: [{ StatusCode: '404' }],
        },
      });
    }
  });

  it.each([
    ['MISSING_AUTHENTICATION_TOKEN', '404', 'NOT_FOUND', 'The requested route does not exist'],
    ['RESOURCE_NOT_FOUND', '404', 'NOT_FOUND', 'The requested route does not exist'],
    ['UNSUPPORTED_MEDIA_TYPE', '404', 'NOT_FOUND', 'The requested route does not exist'],
    ['REQUEST_TOO_LARGE', '413', 'PAYLOAD_TOO_LARGE', 'The payload is too large'],
    ['BAD_REQUEST_BODY', '400', 'MALFORMED_REQUEST', 'The HTTP request is malformed'],
    ['BAD_REQUEST_PARAMETERS', '400', 'MALFORMED_REQUEST', 'The HTTP request is malformed'],
    ['WAF_FILTERED', '403', 'FORBIDDEN', 'The request was refused'],
    ['ACCESS_DENIED', '403', 'FORBIDDEN', 'The request was refused'],
    ['INTEGRATION_TIMEOUT', '504', 'TIMEOUT', 'The service did not answer in time'],
    ['THROTTLED', '429', 'RATE_LIMITED', 'Too many requests. Please retry later.'],
    ['QUOTA_EXCEEDED', '429', 'RATE_LIMITED', 'Too many requests. Please retry later.'],
    [
      'INTEGRATION_FAILURE',
      '503',
      'SERVICE_UNAVAILABLE',
      'The service is temporarily unavailable. Please retry later.',
    ],
    ['DEFAULT_4XX', undefined, 'MALFORMED_REQUEST', 'The HTTP request is malformed'],
    ['DEFAULT_5XX', undefined, 'INTERNAL_ERROR', 'An internal error occurred'],
  ])('shapes its own error %s; the default ones keep their status', (type, status, code, message) => {
    const retryLater = status === '429' || status === '503';
    branch.hasResourceProperties('AWS::ApiGateway::GatewayResponse', {
      ResponseType: type,
      StatusCode: status ?? Match.absent(),
      ResponseTemplates: { 'application/json': JSON.stringify({ code, message }) },
      ResponseParameters: retryLater ? { 'gatewayresponse.header.Retry-After': "'1'" } : Match.absent(),
    });
  });

  it('logs each access without headers, bodies or addresses', () => {
    branch.hasResourceProperties('AWS::ApiGateway::Stage', {
      StageName: 'my-branch',
      AccessLogSetting: {
        Format: JSON.stringify({
          requestId: '$context.requestId',
          requestTime: '$context.requestTime',
          httpMethod: '$context.httpMethod',
          resourcePath: '$context.resourcePath',
          status: '$context.status',
          protocol: '$context.protocol',
          responseLength: '$context.responseLength',
        }),
      },
    });
  });

  it('throttles all keys together at the rate of the stage', () => {
    const expectThrottle = (template: Template, rate: number, burst: number): void =>
      template.hasResourceProperties('AWS::ApiGateway::Stage', {
        MethodSettings: [Match.objectLike({ ThrottlingRateLimit: rate, ThrottlingBurstLimit: burst })],
      });
    expectThrottle(branch, 100, 200);
    expectThrottle(full, 5_000, 10_000);
  });
});

interface FirewallRule {
  readonly Name: string;
  readonly Priority: number;
  readonly Statement: Readonly<Record<string, object>>;
  readonly Action?: { readonly Block: { readonly CustomResponse: object } };
  readonly VisibilityConfig: object;
}

interface Firewall {
  readonly Rules: readonly FirewallRule[];
  readonly VisibilityConfig: object;
  readonly CustomResponseBodies: object;
}

describe('the firewall', () => {
  const firewallOf = (template: Template): Firewall => {
    const [firewall] = Object.values(template.findResources('AWS::WAFv2::WebACL'));
    return (firewall as { Properties: Firewall }).Properties;
  };
  const ruleOf = (template: Template, name: string): FirewallRule | undefined =>
    firewallOf(template).Rules.find(({ Name }) => Name === name);
  const tooMany = {
    Block: {
      CustomResponse: {
        ResponseCode: 429,
        CustomResponseBodyKey: 'rateLimited',
        ResponseHeaders: [{ Name: 'Retry-After', Value: '60' }],
      },
    },
  };

  it('stands in front of production and of stages that ask for it, and keeps no samples of requests', () => {
    branch.resourceCountIs('AWS::WAFv2::WebACL', 0);
    for (const template of [production, full]) {
      template.resourceCountIs('AWS::WAFv2::WebACLAssociation', 1);
      const { Rules, VisibilityConfig } = firewallOf(template);
      expect(Rules.map(({ Name }) => Name)).toStrictEqual([
        'RequestsPerAddress',
        'RequestsPerAuthorization',
        'LargeBodies',
        'AWSManagedRulesAmazonIpReputationList',
      ]);
      for (const visibility of [VisibilityConfig, ...Rules.map((rule) => rule.VisibilityConfig)]) {
        expect(visibility).toMatchObject({ SampledRequestsEnabled: false });
      }
    }
  });

  it.each([
    ['production', () => production, 30_000, 24_000],
    ['a stage with 5,000 requests a second', () => full, 150_000, 120_000],
  ])('allows an address half of the rate, and a key two fifths: %s', (_, template, address, key) => {
    expect(ruleOf(template(), 'RequestsPerAddress')).toMatchObject({
      Action: tooMany,
      Statement: {
        RateBasedStatement: { AggregateKeyType: 'IP', Limit: address, EvaluationWindowSec: 60 },
      },
    });
    expect(ruleOf(template(), 'RequestsPerAuthorization')).toMatchObject({
      Action: tooMany,
      Statement: {
        RateBasedStatement: {
          AggregateKeyType: 'CUSTOM_KEYS',
          CustomKeys: [
            { Header: { Name: 'authorization', TextTransformations: [{ Priority: 0, Type: 'NONE' }] } },
          ],
          Limit: key,
          EvaluationWindowSec: 60,
        },
      },
    });
  });

  it('exempts the allowed networks from the limit of addresses alone', () => {
    const sets = Object.values(full.findResources('AWS::WAFv2::IPSet')) as { Properties: object }[];
    expect(sets.map(({ Properties }) => Properties)).toStrictEqual([
      { Scope: 'REGIONAL', IPAddressVersion: 'IPV4', Addresses: ['203.0.113.0/24'] },
      { Scope: 'REGIONAL', IPAddressVersion: 'IPV6', Addresses: ['2001:db8::/32'] },
    ]);
    const allowed = ['IPV4', 'IPV6'].map((family) => ({
      IPSetReferenceStatement: {
        Arn: { 'Fn::GetAtt': [expect.stringContaining(`AllowedNetworks${family}`), 'Arn'] },
      },
    }));
    expect(ruleOf(full, 'RequestsPerAddress')?.Statement).toMatchObject({
      RateBasedStatement: {
        ScopeDownStatement: { NotStatement: { Statement: { OrStatement: { Statements: allowed } } } },
      },
    });
    expect(JSON.stringify(firewallOf(full).Rules.slice(1))).not.toContain('IPSetReference');
    production.resourceCountIs('AWS::WAFv2::IPSet', 0);
  });

  it('rejects a body that is not proved to be below 1 MB with 413', () => {
    const unchanged = [{ Priority: 0, Type: 'NONE' }];
    expect(ruleOf(production, 'LargeBodies')).toMatchObject({
      Action: { Block: { CustomResponse: { ResponseCode: 413, CustomResponseBodyKey: 'payloadTooLarge' } } },
      Statement: {
        AndStatement: {
          Statements: [
            {
              SizeConstraintStatement: {
                FieldToMatch: { Body: { OversizeHandling: 'MATCH' } },
                ComparisonOperator: 'GT',
                Size: 16_384,
                TextTransformations: unchanged,
              },
            },
            {
              NotStatement: {
                Statement: {
                  RegexMatchStatement: {
                    FieldToMatch: { SingleHeader: { Name: 'content-length' } },
                    RegexString: '^[0-9]{1,6}$',
                    TextTransformations: unchanged,
                  },
                },
              },
            },
          ],
        },
      },
    });
  });

  it('responds with the errors of the contract', () => {
    const body = (code: string, message: string) => ({
      ContentType: 'APPLICATION_JSON',
      Content: JSON.stringify({ code, message }),
    });
    expect(firewallOf(production).CustomResponseBodies).toStrictEqual({
      rateLimited: body('RATE_LIMITED', 'Too many requests. Please retry later.'),
      payloadTooLarge: body('PAYLOAD_TOO_LARGE', 'The payload is too large'),
    });
  });
});

interface AlarmProperties {
  readonly MetricName?: string;
  readonly Namespace?: string;
  readonly Period?: number;
  readonly Metrics?: readonly {
    readonly Expression?: string;
    readonly MetricStat?: { readonly Period: number };
  }[];
  readonly Statistic?: string;
  readonly ExtendedStatistic?: string;
  readonly Threshold: number;
  readonly EvaluationPeriods: number;
  readonly ComparisonOperator: string;
  readonly TreatMissingData: string;
  readonly AlarmDescription: string;
  readonly AlarmActions: readonly unknown[];
}

/** The alarms of a stage, by the name that the code gives them. */
const alarmsOf = (template: Template): ReadonlyMap<string, AlarmProperties> =>
  new Map(
    Object.entries(template.findResources('AWS::CloudWatch::Alarm')).map(([id, alarm]) => [
      id.replace(/^Alarms(.*)[0-9A-F]{8}$/, '$1'),
      (alarm as { Properties: AlarmProperties }).Properties,
    ]),
  );

/** The metric of an alarm, or its expression. */
const watchedBy = ({ MetricName, Statistic, ExtendedStatistic, Metrics = [] }: AlarmProperties): string =>
  MetricName === undefined
    ? (Metrics.find(({ Expression }) => Expression !== undefined)?.Expression ?? '')
    : `${MetricName} ${Statistic ?? ExtendedStatistic}`;

const FAILED = [0, 1, 2].map((n) => `FILL(failed${n},0)`).join('+');
const LOGGED = [0, 1, 2].map((n) => `FILL(logged${n},0)`).join('+');
const LOST = 'FILL(lost0,0)+FILL(lost1,0)';
const COUNT = 'FILL(count0,0)+FILL(count1,0)';

/** Every alarm: what it watches, its bound, the periods, and their seconds. */
const ALARMS = {
  ServerErrors: ['5XXError Average', '> 0.01', 2, 300],
  CreateCartCheckoutFailures: [`(${FAILED}+${LOST})/(${LOGGED}+${LOST})`, '> 0.01', 2, 300],
  GetCartFailures: [`(${FAILED}+${LOST})/(${LOGGED}+${LOST})`, '> 0.01', 2, 300],
  Latency: ['Latency p99', '> 2000', 3, 300],
  ThrottledKeys: ['ThrottledRequests Sum', '> 100', 3, 300],
  DeadLetters: ['DIFF(FILL(visible,0))', '> 0', 1, 300],
  OldDeadLetters: ['ApproximateAgeOfOldestMessage Maximum', '> 1036800', 1, 300],
  WaitingPayments: ['ApproximateAgeOfOldestMessage Maximum', '> 900', 1, 300],
  StatusEvents: ['ExecutionFailed Sum', '> 0', 1, 300],
  TestStatusEvents: ['ExecutionFailed Sum', '> 0', 1, 300],
  AmountMismatches: ['AmountMismatches Sum', '> 0', 1, 300],
} as const;

const ALARMS_OF_PRODUCTION = {
  ...ALARMS,
  ClientErrors: [`IF(${COUNT}>=20,(FILL(errors0,0)+FILL(errors1,0))/(${COUNT}),0)`, '> 0.2', 3, 300],
  NoRequests: [COUNT, '< 1', 6, 300],
  NoCarts: ['CartsCreated Sum', '< 1', 24, 300],
  NoPayments: ['CartsCompleted Sum', '< 1', 6, 3_600],
  CanaryFailures: ['Errors Sum', '> 2', 1, 300],
  CanaryAbsent: ['Invocations Sum', '< 1', 3, 300],
} as const;

describe('an alarm', () => {
  const summary = (alarm: AlarmProperties) => [
    watchedBy(alarm),
    `${alarm.ComparisonOperator === 'GreaterThanThreshold' ? '>' : '<'} ${alarm.Threshold}`,
    alarm.EvaluationPeriods,
    alarm.Period ?? alarm.Metrics?.find(({ MetricStat }) => MetricStat)?.MetricStat?.Period,
  ];

  it.each([
    ['a branch', () => branch, ALARMS],
    ['production', () => production, ALARMS_OF_PRODUCTION],
  ])('watches these values, and no other: %s', (_, template, expected) => {
    const alarms = [...alarmsOf(template())].map(([name, alarm]) => [name, summary(alarm)]);
    expect(Object.fromEntries(alarms)).toStrictEqual(expected);
  });

  it('counts a missing value as zero, and notifies the topic', () => {
    for (const alarm of alarmsOf(production).values()) {
      expect(['GreaterThanThreshold', 'LessThanThreshold']).toContain(alarm.ComparisonOperator);
      const isAbsence = alarm.ComparisonOperator === 'LessThanThreshold';
      expect(alarm.TreatMissingData).toBe(isAbsence ? 'breaching' : 'notBreaching');
      expect(alarm.AlarmActions.map(target)).toStrictEqual(['AlarmsTopic']);
    }
  });

  it('is evaluated over at most a day, as CloudWatch demands', () => {
    for (const alarm of alarmsOf(production).values()) {
      const [, , periods, seconds] = summary(alarm);
      expect(Number(periods) * Number(seconds)).toBeLessThanOrEqual(86_400);
    }
  });

  it.each(Object.keys(ALARMS_OF_PRODUCTION))('says what happened and where to look first: %s', (name) => {
    const { AlarmDescription } = alarmsOf(production).get(name)!;
    expect(AlarmDescription).toMatch(/Look first at|npm run operate/);
    expect(AlarmDescription.length).toBeLessThanOrEqual(1_024);
  });

  it('on operations and traffic watches the requests of its own stage: all, or the live ones alone', () => {
    const dimensionsOf = (name: string): string[] => {
      const text = JSON.stringify(alarmsOf(production).get(name));
      const lists = text.matchAll(/"Dimensions":\[([^\]]*)\],"MetricName":"(ClientErrors|ServerErrors)"/g);
      return [...lists].map(([, list]) =>
        [...(list ?? '').matchAll(/"Value":"([^"]*)"/g)].map(([, value]) => value).join(' '),
      );
    };
    const all = (operation: string) => ['live', 'test', 'none'].map((mode) => `${mode} ${operation} prod`);
    const sorted = (names: string[]): string[] =>
      [...new Set(names.map((name) => name.split(' ').toSorted().join(' ')))].toSorted();
    expect(sorted(dimensionsOf('CreateCartCheckoutFailures'))).toStrictEqual(
      sorted(all('createCartCheckout')),
    );
    expect(sorted(dimensionsOf('GetCartFailures'))).toStrictEqual(sorted(all('getCart')));
    const live = sorted(['createCartCheckout', 'getCart'].map((operation) => `live ${operation} prod`));
    expect(sorted(dimensionsOf('ClientErrors'))).toStrictEqual(live);
    expect(sorted(dimensionsOf('NoRequests'))).toStrictEqual(live);
  });

  it('may publish to the topic, and only CloudWatch of this account may', () => {
    branch.hasResourceProperties('AWS::SNS::TopicPolicy', {
      PolicyDocument: {
        Statement: [
          Match.objectLike({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
          {
            Effect: 'Allow',
            Action: 'sns:Publish',
            Principal: { Service: 'cloudwatch.amazonaws.com' },
            Resource: Match.anyValue(),
            Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
          },
        ],
        Version: '2012-10-17',
      },
    });
  });

  it('is mailed to the address of the stage, if there is one', () => {
    branch.resourceCountIs('AWS::SNS::Subscription', 0);
    const subscription = { Protocol: 'email', Endpoint: 'ops@example.com' };
    full.hasResourceProperties('AWS::SNS::Subscription', subscription);
  });
});

describe('the daily budget', () => {
  it('of production sends an e-mail to the receiver of the alarms on the day that exceeds it', () => {
    production.hasResourceProperties('AWS::Budgets::Budget', {
      Budget: { BudgetType: 'COST', TimeUnit: 'DAILY', BudgetLimit: { Amount: 117, Unit: 'USD' } },
      NotificationsWithSubscribers: [
        {
          Notification: {
            NotificationType: 'ACTUAL',
            ComparisonOperator: 'GREATER_THAN',
            Threshold: 100,
            ThresholdType: 'PERCENTAGE',
          },
          Subscribers: [{ SubscriptionType: 'EMAIL', Address: 'ops@example.com' }],
        },
      ],
    });
    branch.resourceCountIs('AWS::Budgets::Budget', 0);
  });
});

describe('the dashboard', () => {
  it.each([
    '5XXError',
    'ServerErrors',
    'ClientErrors',
    'Latency',
    'RequestsLimited',
    'by keyId, storeId',
    'CartsCreated',
    'CartsCompleted',
  ])('shows %s', (shown) => {
    const dashboards = branch.findResources('AWS::CloudWatch::Dashboard');
    expect(JSON.stringify(dashboards)).toContain(shown);
  });
});

describe('the stack', () => {
  it('has a name made of its stage, and no unacknowledged finding of cdk-nag', () => {
    const names = [branchStage, productionStage, fullStage].map((stage) => stage().stack.stackName);
    expect(names).toStrictEqual(['CartCheckout-my-branch', 'CartCheckout-prod', 'CartCheckout-full']);
  });

  it('has the outputs by which an operator finds the stage, under fixed names', () => {
    const outputs = Object.keys(branch.toJSON()['Outputs'] as object);
    // The CDK adds one of its own for every REST API.
    expect(outputs.filter((name) => !name.startsWith('Gateway')).toSorted()).toStrictEqual([
      'AlarmTopicArn',
      'ApiKeysTable',
      'BaseUrl',
      'CartExpiryMinutes',
      'CartsTable',
      'DashboardName',
      'DeadLetterQueueUrl',
      'EventBusName',
      'KeyRequestsAtOnceMax',
      'KeyRequestsPerSecondMax',
      'PaymentsQueueUrl',
      'ProductsTable',
      'TestCartsTable',
    ]);
  });

  it('has termination protection in production only', () => {
    expect(productionStage().stack.terminationProtection).toBe(true);
    expect(branchStage().stack.terminationProtection).toBe(false);
  });
});
