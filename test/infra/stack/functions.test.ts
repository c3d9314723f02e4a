import { Match, type Template } from 'aws-cdk-lib/assertions';
import { beforeAll, describe, expect, it } from 'vitest';
import { ephemeralTemplate, target } from './template.ts';

let ephemeral: Template;

beforeAll(() => {
  ephemeral = ephemeralTemplate();
});

interface Statement {
  readonly Action: string | string[];
  readonly Resource: unknown;
  readonly Condition?: unknown;
}

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

const TAKE_TOKEN = [
  'dynamodb:GetItem on DatabaseApiKeys',
  'dynamodb:UpdateItem on DatabaseApiKeys if {"ForAllValues:StringEquals":{"dynamodb:Attributes":' +
    '["keyId","revokedAtMs","expiresAtMs","limit","windowSeconds","emissionIntervalMicros","tatMicros","lastUsedAtMs"]}}',
];

describe('a function', () => {
  it('that retrieves a cart may take a token and read a cart, and nothing else', () => {
    expect(permissionsOf('GetCart')).toStrictEqual(
      ['dynamodb:GetItem on DatabaseCarts', ...TAKE_TOKEN, ...telemetryOf('GetCart')].toSorted(),
    );
  });

  it('that creates a cart may take a token, read a product, write a cart and find it again, and nothing else', () => {
    expect(permissionsOf('CreateCartCheckout')).toStrictEqual(
      [
        'dynamodb:GetItem on DatabaseCarts',
        'dynamodb:GetItem on DatabaseProducts',
        'dynamodb:PutItem on DatabaseCarts',
        ...TAKE_TOKEN,
        ...telemetryOf('CreateCartCheckout'),
      ].toSorted(),
    );
  });

  it('that records payments may take messages, read a cart and write it, and nothing else', () => {
    expect(permissionsOf('RecordPayment')).toStrictEqual(
      [
        'dynamodb:GetItem on DatabaseCarts',
        'dynamodb:PutItem on DatabaseCarts',
        'sqs:ChangeMessageVisibility on PaymentsQueue',
        'sqs:DeleteMessage on PaymentsQueue',
        'sqs:GetQueueAttributes on PaymentsQueue',
        'sqs:GetQueueUrl on PaymentsQueue',
        'sqs:ReceiveMessage on PaymentsQueue',
        ...telemetryOf('RecordPayment'),
      ].toSorted(),
    );
  });

  it("that shows test mode's payment page may read a cart and write it, and nothing else", () => {
    expect(permissionsOf('SandboxCheckout')).toStrictEqual(
      [
        'dynamodb:GetItem on DatabaseCarts',
        'dynamodb:PutItem on DatabaseCarts',
        ...telemetryOf('SandboxCheckout'),
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
      Object.keys(ephemeral.findResources('AWS::Lambda::Function')).length,
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
      GetCart: ['API_KEYS_TABLE', 'CARTS_TABLE', 'STAGE_NAME'],
      CreateCartCheckout: [
        'API_KEYS_TABLE',
        'CARTS_TABLE',
        'CART_EXPIRY_SECONDS',
        'CART_RETENTION_SECONDS',
        'LIVE_CHECKOUT_URL',

        'PRODUCTS_TABLE',
        'SANDBOX_CHECKOUT_URL',
        'STAGE_NAME',
      ],
      RecordPayment: ['CARTS_TABLE', 'STAGE_NAME'],
      SandboxCheckout: ['CARTS_TABLE', 'STAGE_NAME'],
    });
  });
});
