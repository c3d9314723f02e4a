import { Match, type Template } from 'aws-cdk-lib/assertions';
import { beforeAll, describe, expect, it } from 'vitest';
import { productionTemplate, ephemeralTemplate } from './template.ts';

let ephemeral: Template;
let production: Template;

beforeAll(() => {
  ephemeral = ephemeralTemplate();
  production = productionTemplate();
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

  it('tells of its changes only if it holds carts', () => {
    const tables = ephemeral.findResources('AWS::DynamoDB::GlobalTable', {
      Properties: { StreamSpecification: { StreamViewType: 'NEW_IMAGE' } },
    });
    expect(Object.keys(tables)).toStrictEqual([expect.stringMatching(/^DatabaseCarts/)]);
    ephemeral.resourcePropertiesCountIs(
      'AWS::DynamoDB::GlobalTable',
      { StreamSpecification: Match.anyValue() },
      1,
    );
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

  it('is every table, log group and queue in production, where tables cannot be deleted and go back to any second', () => {
    expect(retained(production)).toStrictEqual([
      ...Array<string>(3).fill('AWS::DynamoDB::GlobalTable'),
      ...Array<string>(Object.keys(production.findResources('AWS::Logs::LogGroup')).length).fill(
        'AWS::Logs::LogGroup',
      ),
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
