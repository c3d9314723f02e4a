import { TABLES } from '../../../infra/tables.ts';
import { readdirSync, readFileSync } from 'node:fs';
import { Match, type Template } from 'aws-cdk-lib/assertions';
import { beforeAll, describe, expect, it } from 'vitest';
import type { EVENT_FUNCTIONS, HttpFunctionName } from '../../../functions/operations.ts';
import { rowsOf as rowsOfTable, sectionsOf } from '../../frame/markdown.ts';
import { branchStage, productionStage, target } from './template.ts';

let branch: Template;
let production: Template;
/** A stage with the canary. */

beforeAll(() => {
  branch = branchStage().template;
  production = productionStage().template;
});

interface Statement {
  readonly Action: string | string[];
  readonly Resource: unknown;
  readonly Condition?: unknown;
}

/** Every permission of a function as `action on resource`, with its condition if there is one. */
const permissionsOf = (functionId: string): string[] => {
  const policies = Object.entries(production.findResources('AWS::IAM::Policy'));
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
  '["keyId","limit","windowSeconds","emissionIntervalMicros","tatMicros","busySinceMs","lastUsedAtMs"]';

const TAKE_TOKEN = [
  'dynamodb:GetItem on DatabaseApiKeys',
  `dynamodb:UpdateItem on DatabaseApiKeys if {"ForAllValues:StringEquals":{"dynamodb:Attributes":${BUCKET_ATTRIBUTES}},"Null":{"dynamodb:Attributes":"false"}}`,
];
const FIND_TEST_CART = 'dynamodb:GetItem on DatabaseTestCarts';
const FIND_STORE = 'dynamodb:GetItem on DatabaseStores';
const PUT_TEST_CART = 'dynamodb:PutItem on DatabaseTestCarts';
const FIND_CART = ['dynamodb:GetItem on DatabaseCarts', FIND_TEST_CART];
const PUT_CART = ['dynamodb:PutItem on DatabaseCarts', PUT_TEST_CART];
/** The permissions to append to every log, or under a condition. */
const appendEvents = (condition = ''): string[] =>
  ['ConditionCheckItem', 'PutItem', 'Query'].map(
    (action) => `dynamodb:${action} on DatabaseEvents${condition}`,
  );
/** The sandbox is public, so it reaches no log of live mode. */
const IN_TEST_MODE =
  ' if {"ForAllValues:StringLike":{"dynamodb:LeadingKeys":["test#*"]},"Null":{"dynamodb:LeadingKeys":"false"}}';
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
    'get-payment-cart': [...FIND_CART, FIND_STORE],
    'create-cart-checkout': [
      ...TAKE_TOKEN,
      'dynamodb:GetItem on DatabaseProducts',
      'dynamodb:GetItem on DatabaseSecrets',
      'dynamodb:PutItem on DatabaseSecrets',
      ...FIND_CART,
      ...PUT_CART,
    ],
    'list-events': [...TAKE_TOKEN, 'dynamodb:Query on DatabaseEvents'],
    'record-payment': [...RECEIVE_PAYMENTS, ...FIND_CART, ...PUT_CART, ...appendEvents()],
    'sandbox-checkout': [FIND_TEST_CART, PUT_TEST_CART, ...appendEvents(IN_TEST_MODE), FIND_STORE],
    canary: ['dynamodb:GetItem on SyntheticCanaryKey'],
    'fan-out-events': [],
    'schedule-expiries': [],
    'deliver-webhooks': [],
    'run-due': [],
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
    const deployed = Object.keys(production.findResources('AWS::Lambda::Function')).map((id) =>
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
    'get-payment-cart': ['CARTS_TABLE', 'SOURCE_HASH_KEY', 'STAGE_NAME', 'STORES_TABLE', 'TEST_CARTS_TABLE'],
    'create-cart-checkout': [
      'API_KEYS_TABLE',
      'CARTS_TABLE',
      'CART_EXPIRY_SECONDS',
      'CART_RETENTION_SECONDS',
      'LIVE_CHECKOUT_URL',
      'PRODUCTS_TABLE',
      'SANDBOX_CHECKOUT_URL',
      'SECRETS_TABLE',
      'SOURCE_HASH_KEY',
      'STAGE_NAME',
      'TEST_CARTS_TABLE',
    ],
    'list-events': ['API_KEYS_TABLE', 'EVENTS_TABLE', 'SOURCE_HASH_KEY', 'STAGE_NAME'],
    'record-payment': ['CARTS_TABLE', 'EVENTS_TABLE', 'STAGE_NAME', 'TEST_CARTS_TABLE'],
    'sandbox-checkout': ['EVENTS_TABLE', 'SOURCE_HASH_KEY', 'STAGE_NAME', 'STORES_TABLE', 'TEST_CARTS_TABLE'],
    canary: ['CANARY_TABLE', 'PUBLIC_URL', 'STAGE_NAME'],
    'fan-out-events': [
      'DELIVERY_QUEUE_URL',
      'EVENT_BUS_NAME',
      'SET_ASIDE_QUEUE_URL',
      'STAGE_NAME',
      'STORES_TABLE',
      'WEBHOOK_ENDPOINTS_TABLE',
    ],
    'schedule-expiries': ['DUE_TABLE', 'SET_ASIDE_QUEUE_URL', 'STAGE_NAME'],
    'deliver-webhooks': [],
    'run-due': [],
  };

  it.each(rowsOf(variables))('%s has these environment variables and no other', (id, names) => {
    const functions = Object.entries(production.findResources('AWS::Lambda::Function'));
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
      ...Array<string>(Object.keys(TABLES).length).fill('AWS::DynamoDB::GlobalTable'),
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

it('docs/security.md has a row for each role of a stage', () => {
  const section = sectionsOf(readFileSync('docs/security.md', 'utf8')).get('What each role can touch');
  const documented = new Set(rowsOfTable(section).map(([role]) => role));
  const roles = [branch, production].flatMap((template) =>
    Object.keys(template.findResources('AWS::IAM::Role')),
  );
  expect(roles).not.toStrictEqual([]);
  expect(roles.map((id) => id.slice(0, -8)).filter((role) => !documented.has(role))).toStrictEqual([]);
});
