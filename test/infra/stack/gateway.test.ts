import { readFileSync } from 'node:fs';
import { App } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { beforeAll, describe, expect, it } from 'vitest';
import { CartCheckoutStack } from '../../infra/cart-checkout-stack.ts';
import { stageConfig } from '../../infra/stages.ts';

/** The template of a stage, synthesised with the feature flags of `cdk.json`, which only the CDK's command line reads. */
const templateOf = (stage: string): Template => {
  const { context } = JSON.parse(readFileSync('cdk.json', 'utf8')) as { context: Record<string, unknown> };
  const config = stageConfig({ stage, checkoutUrl: 'https://pay.example.com' });
  return Template.fromStack(new CartCheckoutStack(new App({ context }), 'Stack', config));
};

let ephemeral: Template;
let durable: Template;

beforeAll(() => {
  ephemeral = templateOf('my-branch');
  durable = templateOf('prod');
});

interface Statement {
  readonly Action: string | string[];
  readonly Resource: unknown;
  readonly Condition?: unknown;
}

/** The logical id that a reference in a template leads to, without the hash behind it. */
const target = (reference: unknown): string =>
  (/"Fn::GetAtt":\["(\w+?)[0-9A-F]{8}"/.exec(JSON.stringify(reference)) ?? [])[1] ??
  JSON.stringify(reference);

/** What a function may do, statement by statement: `action on table`, with a condition if there is one. */
const permissionsOf = (functionId: string): string[] => {
  const policies = ephemeral.findResources('AWS::IAM::Policy');
  const policy = Object.entries(policies).find(([id]) => id.startsWith(`${functionId}Role`));
  const { Statement } = (
    policy?.[1] as { Properties: { PolicyDocument: { Statement: Statement[] } } } | undefined
  )?.Properties.PolicyDocument ?? { Statement: [] };
  return Statement.flatMap(({ Action, Resource, Condition }) =>
    [Action].flat().flatMap((action) => {
      const condition = Condition === undefined ? '' : ` if ${JSON.stringify(Condition)}`;
      return [Resource].flat().map((resource) => `${action} on ${target(resource)}${condition}`);
    }),
  ).toSorted();
};

/** What any function may do: write its own log and its traces. */
const telemetryOf = (functionId: string): string[] => [
  `logs:CreateLogStream on ${functionId}Logs`,
  `logs:PutLogEvents on ${functionId}Logs`,
  'xray:PutTelemetryRecords on "*"',
  'xray:PutTraceSegments on "*"',
];

const TAKE_TOKEN =
  'dynamodb:UpdateItem on DatabaseApiKeys if {"ForAllValues:StringEquals":{"dynamodb:Attributes":' +
  '["keyId","revokedAtMs","expiresAtMs","limit","windowSeconds","emissionIntervalMicros","tatMicros"]}}';

describe('a function', () => {
  it('that retrieves a cart may take a token and read a cart, and nothing else', () => {
    expect(permissionsOf('GetCart')).toStrictEqual(
      ['dynamodb:GetItem on DatabaseCarts', TAKE_TOKEN, ...telemetryOf('GetCart')].toSorted(),
    );
  });

  it('that creates a cart may take a token, read a product, write a cart and find it again, and nothing else', () => {
    expect(permissionsOf('CreateCartCheckout')).toStrictEqual(
      [
        'dynamodb:GetItem on DatabaseCarts',
        'dynamodb:GetItem on DatabaseProducts',
        'dynamodb:PutItem on DatabaseCarts',
        TAKE_TOKEN,
        ...telemetryOf('CreateCartCheckout'),
      ].toSorted(),
    );
  });

  it('runs on Node.js 24 for longer than the database may take, traced, with a log group of its own', () => {
    ephemeral.resourcePropertiesCountIs(
      'AWS::Lambda::Function',
      {
        Runtime: 'nodejs24.x',
        Architectures: ['arm64'],
        Timeout: 6,
        MemorySize: 1_024,
        TracingConfig: { Mode: 'Active' },
        LoggingConfig: { LogGroup: Match.anyValue() },
      },
      2,
    );
  });

  it('knows the tables it uses, and no other', () => {
    const variables = Object.fromEntries(
      Object.entries(ephemeral.findResources('AWS::Lambda::Function')).map(([id, resource]) => [
        id.replace(/[0-9A-F]{8}$/, ''),
        Object.keys(
          (resource as { Properties: { Environment: { Variables: object } } }).Properties.Environment
            .Variables,
        ).toSorted(),
      ]),
    );
    expect(variables).toStrictEqual({
      GetCart: ['API_KEYS_TABLE', 'CARTS_TABLE', 'NODE_OPTIONS'],
      CreateCartCheckout: [
        'API_KEYS_TABLE',
        'CARTS_TABLE',
        'CART_EXPIRY_SECONDS',
        'CART_RETENTION_SECONDS',
        'LIVE_CHECKOUT_URL',
        'NODE_OPTIONS',
        'PRODUCTS_TABLE',
        'SANDBOX_CHECKOUT_URL',
      ],
    });
  });
});

describe('a table', () => {
  it.each([
    ['ApiKeys', 'keyId'],
    ['Products', 'id'],
    ['Carts', 'id'],
  ])('is paid by the request and keyed by one string: %s', (table, partitionKey) => {
    const found = Object.entries(ephemeral.findResources('AWS::DynamoDB::GlobalTable')).find(([id]) =>
      id.startsWith(`Database${table}`),
    );
    expect(found?.[1]).toMatchObject({
      Properties: {
        BillingMode: 'PAY_PER_REQUEST',
        KeySchema: [{ AttributeName: partitionKey, KeyType: 'HASH' }],
        AttributeDefinitions: [{ AttributeName: partitionKey, AttributeType: 'S' }],
      },
    });
  });

  it('loses items to TTL only if it holds carts', () => {
    const tables = ephemeral.findResources('AWS::DynamoDB::GlobalTable', {
      Properties: { TimeToLiveSpecification: { AttributeName: 'deleteAtSeconds', Enabled: true } },
    });
    expect(Object.keys(tables)).toStrictEqual([expect.stringMatching(/^DatabaseCarts/)]);
    ephemeral.resourcePropertiesCountIs(
      'AWS::DynamoDB::GlobalTable',
      { TimeToLiveSpecification: Match.anyValue() },
      1,
    );
  });
});

describe('what outlives its stack', () => {
  const retained = (template: Template): string[] =>
    Object.entries(
      template.toJSON()['Resources'] as Record<string, { Type: string; DeletionPolicy?: string }>,
    )
      .filter(([, { DeletionPolicy }]) => DeletionPolicy === 'Retain')
      .map(([, { Type }]) => Type)
      .toSorted();

  it('is nothing on a stage of a branch', () => {
    expect(retained(ephemeral)).toStrictEqual([]);
    ephemeral.allResourcesProperties('AWS::DynamoDB::GlobalTable', {
      Replicas: [Match.objectLike({ DeletionProtectionEnabled: false })],
    });
  });

  it('is every table and log group in production, where tables cannot be deleted and go back to any second', () => {
    expect(retained(durable)).toStrictEqual([
      ...Array<string>(3).fill('AWS::DynamoDB::GlobalTable'),
      ...Array<string>(3).fill('AWS::Logs::LogGroup'),
    ]);
    durable.allResourcesProperties('AWS::DynamoDB::GlobalTable', {
      Replicas: [
        Match.objectLike({
          DeletionProtectionEnabled: true,
          PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
        }),
      ],
    });
  });
});

describe('the gateway', () => {
  it('has the two routes of the document and no other', () => {
    const resources = ephemeral.findResources('AWS::ApiGateway::Resource') as Record<
      string,
      { Properties: { ParentId: { Ref?: string }; PathPart: string } }
    >;
    const pathOf = (id: string | undefined): string => {
      const resource = id === undefined ? undefined : resources[id];
      return resource ? `${pathOf(resource.Properties.ParentId.Ref)}/${resource.Properties.PathPart}` : '';
    };
    const routes = Object.values(ephemeral.findResources('AWS::ApiGateway::Method')).map((method) => {
      const { Properties } = method as { Properties: { HttpMethod: string; ResourceId: { Ref: string } } };
      return `${Properties.HttpMethod} ${pathOf(Properties.ResourceId.Ref)}`;
    });
    expect(routes.toSorted()).toStrictEqual([
      'GET /api/v1/stores/cart/{cartId}',
      'POST /api/v1/stores/cart/checkout',
    ]);
  });

  it.each([
    ['MISSING_AUTHENTICATION_TOKEN', '404', 'NOT_FOUND', 'The requested route does not exist'],
    ['RESOURCE_NOT_FOUND', '404', 'NOT_FOUND', 'The requested route does not exist'],
    ['REQUEST_TOO_LARGE', '413', 'PAYLOAD_TOO_LARGE', 'The payload is too large'],
    ['BAD_REQUEST_BODY', '400', 'MALFORMED_REQUEST', 'The HTTP request is malformed'],
    ['BAD_REQUEST_PARAMETERS', '400', 'MALFORMED_REQUEST', 'The HTTP request is malformed'],
    ['DEFAULT_4XX', '400', 'MALFORMED_REQUEST', 'The HTTP request is malformed'],
    ['INTEGRATION_TIMEOUT', '504', 'TIMEOUT', 'The service did not answer in time'],
    ['DEFAULT_5XX', '500', 'INTERNAL_ERROR', 'An internal error occurred'],
  ])('shapes its own error %s', (type, status, code, message) => {
    ephemeral.hasResourceProperties('AWS::ApiGateway::GatewayResponse', {
      ResponseType: type,
      StatusCode: status,
      ResponseTemplates: { 'application/json': JSON.stringify({ code, message }) },
      ResponseParameters: Match.absent(),
    });
  });

  it.each([
    ['THROTTLED', '429', 'RATE_LIMITED', 'Too many requests. Please retry later.'],
    ['QUOTA_EXCEEDED', '429', 'RATE_LIMITED', 'Too many requests. Please retry later.'],
    [
      'INTEGRATION_FAILURE',
      '503',
      'SERVICE_UNAVAILABLE',
      'The service is temporarily unavailable. Please retry later.',
    ],
  ])('shapes its own error %s, and says when to come back', (type, status, code, message) => {
    ephemeral.hasResourceProperties('AWS::ApiGateway::GatewayResponse', {
      ResponseType: type,
      StatusCode: status,
      ResponseTemplates: { 'application/json': JSON.stringify({ code, message }) },
      ResponseParameters: { 'gatewayresponse.header.Retry-After': "'1'" },
    });
  });

  it('logs each access without headers, bodies or addresses', () => {
    ephemeral.hasResourceProperties('AWS::ApiGateway::Stage', {
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

  it('throttles all keys together', () => {
    ephemeral.hasResourceProperties('AWS::ApiGateway::Stage', {
      MethodSettings: [Match.objectLike({ ThrottlingRateLimit: 100, ThrottlingBurstLimit: 200 })],
    });
  });
});
