import { readdirSync } from 'node:fs';
import { Match, type Template } from 'aws-cdk-lib/assertions';
import { beforeAll, describe, expect, it } from 'vitest';
import type { EVENT_FUNCTIONS, HttpFunctionName } from '../../../functions/operations.ts';
import { branchStage, fullStage, productionStage, target } from './template.ts';

let branch: Template;
let production: Template;
/** A stage with the canary. */
let full: Template;

beforeAll(() => {
  branch = branchStage().template;
  full = fullStage().template;
  production = productionStage().template;
});

interface Statement {
  readonly Action: string | string[];
  readonly Resource: unknown;
  readonly Condition?: unknown;
}

/** Every permission of a function as `action on resource`, with its condition if there is one. */
const permissionsOf = (functionId: string): string[] => {
  const policies = Object.entries(full.findResources('AWS::IAM::Policy'));
  const [, policy] = policies.find(([id]) => id.startsWith(`${functionId}Role`)) ?? [];
  const { Statement } = (policy as { Properties: { PolicyDocument: { Statement: Statement[] } } }).Properties
    .PolicyDocument;
  return Statement.flatMap(({ Action, Resource, Condition }) => {
    const condition = Condition === undefined ? '' : ` if ${JSON.stringify(Condition)}`;
    return [Action]
      .flat()
      .flatMap((action) =>
        [Resource].flat().map((resource) => `${action} on ${target(resource)}${condition}`),
      );
  });
};

const BUCKET_ATTRIBUTES =
  '["keyId","revokedAtMs","expiresAtMs","limit","windowSeconds","emissionIntervalMicros","tatMicros","lastUsedAtMs"]';

const TAKE_TOKEN = [
  'dynamodb:GetItem on DatabaseApiKeys',
  `dynamodb:UpdateItem on DatabaseApiKeys if {"ForAllValues:StringEquals":{"dynamodb:Attributes":${BUCKET_ATTRIBUTES}}}`,
];
const FIND_TEST_CART = 'dynamodb:GetItem on DatabaseTestCarts';
const PUT_TEST_CART = 'dynamodb:PutItem on DatabaseTestCarts';
const FIND_CART = ['dynamodb:GetItem on DatabaseCarts', FIND_TEST_CART];
const PUT_CART = ['dynamodb:PutItem on DatabaseCarts', PUT_TEST_CART];
const RECEIVE_PAYMENTS = [
  'ChangeMessageVisibility',
  'DeleteMessage',
  'GetQueueAttributes',
  'GetQueueUrl',
  'ReceiveMessage',
].map((action) => `sqs:${action} on PaymentsQueue`);

/** A table of every function. The compiler reports a missing one. */
type ByFunction = Readonly<Record<HttpFunctionName | keyof typeof EVENT_FUNCTIONS, readonly string[]>>;

/** The rows of a table, with the functions' ids in the template. */
const rowsOf = (table: ByFunction): [string, readonly string[]][] =>
  Object.entries(table).map(([name, row]) => [
    name.replaceAll(/(?:^|-)(\w)/g, (_, first: string) => first.toUpperCase()),
    row,
  ]);

describe('a function', () => {
  const permitted: ByFunction = {
    'get-cart': [...TAKE_TOKEN, ...FIND_CART],
    'create-cart-checkout': [
      ...TAKE_TOKEN,
      'dynamodb:GetItem on DatabaseProducts',
      ...FIND_CART,
      ...PUT_CART,
    ],
    'record-payment': [...RECEIVE_PAYMENTS, ...FIND_CART, ...PUT_CART],
    'sandbox-checkout': [FIND_TEST_CART, PUT_TEST_CART],
    canary: ['dynamodb:GetItem on SyntheticCanaryKey'],
  };

  it.each(rowsOf(permitted))('%s has these permissions, its log and its traces, and no other', (id, own) => {
    const telemetry = [
      `logs:CreateLogStream on ${id}Logs`,
      `logs:PutLogEvents on ${id}Logs`,
      'xray:PutTelemetryRecords on "*"',
      'xray:PutTraceSegments on "*"',
    ];
    expect(permissionsOf(id).toSorted()).toStrictEqual([...own, ...telemetry].toSorted());
  });

  it('is deployed for each folder of functions/', () => {
    const folders = readdirSync('functions', { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const deployed = Object.keys(full.findResources('AWS::Lambda::Function')).map((id) =>
      id
        .replace(/[0-9A-F]{8}$/, '')
        .replaceAll(/(?!^)(?=[A-Z])/g, '-')
        .toLowerCase(),
    );
    expect(deployed.toSorted()).toStrictEqual(folders.map(({ name }) => name).toSorted());
  });

  it('runs on Node.js 24 for longer than the database may take, traced, with a log group of its own', () => {
    const functions = branch.findResources('AWS::Lambda::Function');
    branch.resourcePropertiesCountIs(
      'AWS::Lambda::Function',
      {
        Runtime: 'nodejs24.x',
        Architectures: ['arm64'],
        Timeout: 6,
        MemorySize: 1_024,
        TracingConfig: { Mode: 'Active' },
        LoggingConfig: { LogGroup: Match.anyValue() },
      },
      Object.keys(functions).length,
    );
  });

  const variables: ByFunction = {
    'get-cart': ['API_KEYS_TABLE', 'CARTS_TABLE', 'SOURCE_HASH_KEY', 'STAGE_NAME', 'TEST_CARTS_TABLE'],
    'create-cart-checkout': [
      'API_KEYS_TABLE',
      'CARTS_TABLE',
      'CART_EXPIRY_SECONDS',
      'CART_RETENTION_SECONDS',
      'LIVE_CHECKOUT_URL',
      'PRODUCTS_TABLE',
      'SANDBOX_CHECKOUT_URL',
      'SOURCE_HASH_KEY',
      'STAGE_NAME',
      'TEST_CARTS_TABLE',
    ],
    'record-payment': ['CARTS_TABLE', 'STAGE_NAME', 'TEST_CARTS_TABLE'],
    'sandbox-checkout': ['SOURCE_HASH_KEY', 'STAGE_NAME', 'TEST_CARTS_TABLE'],
    canary: ['CANARY_TABLE', 'PUBLIC_URL', 'STAGE_NAME'],
  };

  it.each(rowsOf(variables))('%s has these environment variables and no other', (id, names) => {
    const functions = Object.entries(full.findResources('AWS::Lambda::Function'));
    const [, resource] = functions.find(([logicalId]) => logicalId.startsWith(id)) ?? [];
    const { Properties } = resource as { Properties: { Environment: { Variables: object } } };
    expect(Object.keys(Properties.Environment.Variables).toSorted()).toStrictEqual(names);
  });
});

describe('the tables', () => {
  const propertiesOf = (table: string): unknown =>
    Object.entries(branch.findResources('AWS::DynamoDB::GlobalTable')).find(([id]) =>
      id.startsWith(`Database${table}`),
    )?.[1];

  const STREAM = { StreamViewType: 'NEW_IMAGE' };
  const TTL = { AttributeName: 'deleteAtSeconds', Enabled: true };
  it.each([
    ['ApiKeys', 'keyId', undefined, undefined],
    ['Products', 'id', undefined, undefined],
    ['Carts', 'id', STREAM, TTL],
    ['TestCarts', 'id', STREAM, TTL],
    ['Secrets', 'id', undefined, undefined],
  ])('%s: on-demand, one string as key; only carts have a stream and a TTL', (table, key, stream, ttl) => {
    const { Properties } = propertiesOf(table) as { Properties: Record<string, unknown> };
    expect(Properties).toMatchObject({
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [{ AttributeName: key, KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: key, AttributeType: 'S' }],
    });
    expect(Properties['StreamSpecification']).toStrictEqual(stream);
    expect(Properties['TimeToLiveSpecification']).toStrictEqual(ttl);
  });
});

describe('after its deletion, a stack leaves', () => {
  const retained = (template: Template): string[] =>
    Object.values(template.toJSON()['Resources'] as Record<string, { Type: string; DeletionPolicy?: string }>)
      .filter(({ DeletionPolicy }) => DeletionPolicy === 'Retain')
      .map(({ Type }) => Type)
      .toSorted();

  it('nothing of a branch', () => {
    expect(retained(branch)).toStrictEqual([]);
    branch.allResourcesProperties('AWS::DynamoDB::GlobalTable', {
      Replicas: [Match.objectLike({ DeletionProtectionEnabled: false })],
    });
  });

  it('every table, log group and queue of production, with point-in-time recovery of the tables', () => {
    const logGroups = Object.keys(production.findResources('AWS::Logs::LogGroup'));
    expect(retained(production)).toStrictEqual([
      ...Array<string>(5).fill('AWS::DynamoDB::GlobalTable'),
      ...Array<string>(logGroups.length).fill('AWS::Logs::LogGroup'),
      ...Array<string>(2).fill('AWS::SQS::Queue'),
    ]);
    production.allResourcesProperties('AWS::DynamoDB::GlobalTable', {
      Replicas: [
        Match.objectLike({
          DeletionProtectionEnabled: true,
          PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
        }),
      ],
    });
  });
});

interface Rule {
  readonly EventBusName: unknown;
  readonly EventPattern: object;
  readonly Targets: { readonly Arn: unknown; readonly DeadLetterConfig: { readonly Arn: unknown } }[];
}

describe('payment events', () => {
  it("go from the stage's bus to the queue; undeliverable ones become dead letters", () => {
    const [rule, ...others] = Object.values(branch.findResources('AWS::Events::Rule'));
    expect(others).toStrictEqual([]);
    const { EventBusName, EventPattern, Targets } = (rule as { Properties: Rule }).Properties;
    expect(target(EventBusName)).toBe('PaymentsEventBus');
    expect(EventPattern).toStrictEqual({ 'detail-type': ['payment.succeeded', 'payment.failed'] });
    const targets = Targets.map(({ Arn, DeadLetterConfig }) => [target(Arn), target(DeadLetterConfig.Arn)]);
    expect(targets).toStrictEqual([['PaymentsQueue', 'PaymentsDeadLetters']]);
  });

  it('get five attempts, each longer than the function may take, and stay for 14 days', () => {
    branch.hasResourceProperties('AWS::SQS::Queue', {
      VisibilityTimeout: 36,
      SqsManagedSseEnabled: true,
      RedrivePolicy: Match.objectLike({ maxReceiveCount: 5 }),
    });
    branch.hasResourceProperties('AWS::SQS::Queue', {
      MessageRetentionPeriod: 14 * 86_400,
      SqsManagedSseEnabled: true,
      RedrivePolicy: Match.absent(),
    });
  });

  it('are recorded one at a time; only failed ones are retried', () => {
    branch.hasResourceProperties('AWS::Lambda::EventSourceMapping', {
      BatchSize: 1,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
    });
  });
});

interface Pipe {
  readonly Source: unknown;
  readonly Target: unknown;
  readonly SourceParameters: object;
  readonly TargetParameters: {
    readonly InputTemplate: string;
    readonly EventBridgeEventBusParameters: object;
  };
}

describe('changes of status', () => {
  it.each([
    ['Pipe', 'DatabaseCarts'],
    ['TestPipe', 'DatabaseTestCarts'],
  ])("go from each table's stream to the bus through a managed pipe: %s", (id, table) => {
    const pipes = Object.entries(branch.findResources('AWS::Pipes::Pipe'));
    expect(pipes).toHaveLength(2);
    const [, pipe] = pipes.find(([logicalId]) => logicalId.startsWith(`StatusEvents${id}`)) ?? [];
    const { Source, Target, SourceParameters, TargetParameters } = (pipe as { Properties: Pipe }).Properties;
    expect([target(Source), target(Target)]).toStrictEqual([table, 'PaymentsEventBus']);
    const pattern = {
      eventName: ['MODIFY'],
      dynamodb: { NewImage: { statusChange: { M: { to: { S: [{ exists: true }] } } } } },
    };
    expect(SourceParameters).toMatchObject({
      FilterCriteria: { Filters: [{ Pattern: JSON.stringify(pattern) }] },
      DynamoDBStreamParameters: { StartingPosition: 'TRIM_HORIZON' },
    });
    expect(TargetParameters.EventBridgeEventBusParameters).toStrictEqual({
      Source: 'cart-checkout',
      DetailType: 'cart.status_changed',
    });
    expect(JSON.parse(TargetParameters.InputTemplate)).toStrictEqual({
      cartId: '<$.dynamodb.NewImage.id.S>',
      storeId: '<$.dynamodb.NewImage.storeId.S>',
      mode: '<$.dynamodb.NewImage.mode.S>',
      from: '<$.dynamodb.NewImage.statusChange.M.from.S>',
      to: '<$.dynamodb.NewImage.statusChange.M.to.S>',
      paymentId: '<$.dynamodb.NewImage.paymentId.S>',
      occurredAt: '<$.dynamodb.NewImage.statusChange.M.occurredAt.S>',
    });
  });
});
