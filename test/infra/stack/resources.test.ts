import { Match, type Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { PRODUCTION_CONTEXT } from '../../../infra/example-stages/contexts.ts';
import { synthesise } from '../../../infra/example-stages/synthesise.ts';
import { AUDIT_STREAM } from '../../../infra/stage/audit-log-stream.ts';
import { type TableDefinition, tableIdOf, TABLES } from '../../../infra/stage/tables.ts';
import { TABLE_KINDS } from '../../../lib/database/tables.ts';
import { branchStage, productionStage } from '../../support/stack/template.ts';

const branch = branchStage().template;
const production = productionStage().template;

describe('the tables', () => {
  const propertiesOf = (table: string): unknown =>
    Object.entries(branch.findResources('AWS::DynamoDB::GlobalTable')).find(([id]) =>
      id.startsWith(`Database${table}`),
    )?.[1];

  it.each(TABLE_KINDS)(
    '%s: on-demand, with its key, and a stream, a TTL or an index only where needed',
    (kind) => {
      const { ttlAttribute, hasStream, indexes = [], ...definition }: TableDefinition = TABLES[kind];
      const { Properties } = propertiesOf(tableIdOf(kind)) as { Properties: Record<string, unknown> };
      const keysOf = ({ partitionKey, sortKey }: Pick<TableDefinition, 'partitionKey' | 'sortKey'>) => [
        { AttributeName: partitionKey, KeyType: 'HASH' },
        ...(sortKey ? [{ AttributeName: sortKey.name, KeyType: 'RANGE' }] : []),
      ];
      const types = [definition, ...indexes].flatMap(({ partitionKey, sortKey }) => [
        { AttributeName: partitionKey, AttributeType: 'S' },
        ...(sortKey
          ? [{ AttributeName: sortKey.name, AttributeType: sortKey.type === 'number' ? 'N' : 'S' }]
          : []),
      ]);
      expect(Properties).toMatchObject({
        BillingMode: 'PAY_PER_REQUEST',
        KeySchema: keysOf(definition),
        AttributeDefinitions: expect.arrayContaining(types),
      });
      expect(Properties['StreamSpecification']).toStrictEqual(hasStream && { StreamViewType: 'NEW_IMAGE' });
      expect(Properties['TimeToLiveSpecification']).toStrictEqual(
        ttlAttribute === undefined ? undefined : { AttributeName: ttlAttribute, Enabled: true },
      );
      expect(Properties['GlobalSecondaryIndexes']).toStrictEqual(
        indexes.length === 0
          ? undefined
          : indexes.map((index) => ({
              IndexName: index.name,
              KeySchema: keysOf(index),
              Projection: { ProjectionType: index.hasAttributes ? 'ALL' : 'KEYS_ONLY' },
            })),
      );
    },
  );
});

type Policies = Record<string, { Type: string; DeletionPolicy?: string; UpdateReplacePolicy?: string }>;

describe('after its deletion, a stack leaves', () => {
  const retained = (template: Template): string[] =>
    Object.values(template.toJSON()['Resources'] as Policies)
      .filter(({ DeletionPolicy }) => DeletionPolicy?.startsWith('Retain'))
      .map(({ Type }) => Type)
      .toSorted();

  it('nothing of a branch', () => {
    expect(retained(branch)).toStrictEqual([]);
    branch.allResourcesProperties('AWS::DynamoDB::GlobalTable', {
      Replicas: [Match.objectLike({ DeletionProtectionEnabled: false })],
    });
  });

  it('every table, log group, stream of the audit log, and queue of production, with point-in-time recovery of the tables', () => {
    const logGroups = Object.keys(production.findResources('AWS::Logs::LogGroup'));
    expect(retained(production)).toStrictEqual([
      ...Array<string>(Object.keys(TABLES).length).fill('AWS::DynamoDB::GlobalTable'),
      ...Array<string>(logGroups.length).fill('AWS::Logs::LogGroup'),
      // The records of operators and of merchants would end with them.
      ...Array<string>(2).fill('AWS::Logs::LogStream'),
      ...Array<string>(8).fill('AWS::SQS::Queue'),
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

describe('the first deployment of production', () => {
  const unprotected = synthesise({ ...PRODUCTION_CONTEXT, protected: 'false' });
  const first = unprotected.template;
  const STORED = {
    Type: 'AWS::SSM::Parameter::Value<String>',
    Default: '/cart-checkout/prod/first-deployment-done',
  };

  it('can be rolled back: a deletion of the stack or of what it created meets no protection', () => {
    expect(unprotected.stack.terminationProtection).toBe(false);
    first.allResourcesProperties('AWS::DynamoDB::GlobalTable', {
      Replicas: [
        Match.objectLike({
          DeletionProtectionEnabled: false,
          PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
        }),
      ],
    });
    for (const template of [first, production]) {
      const policies = Object.values(template.toJSON()['Resources'] as Policies);
      const kept = policies.filter(({ DeletionPolicy = 'Delete' }) => DeletionPolicy !== 'Delete');
      expect(new Set(kept.map(({ DeletionPolicy }) => DeletionPolicy))).toStrictEqual(
        new Set(['RetainExceptOnCreate']),
      );
      expect(new Set(kept.map((each) => each.UpdateReplacePolicy))).toStrictEqual(new Set(['Retain']));
    }
  });

  it('stores that it is done. CloudFormation rejects a protected deployment until then', () => {
    for (const template of [first, production]) {
      template.hasResource('AWS::SSM::Parameter', {
        Properties: { Name: STORED.Default, Value: 'true' },
        // It ends with a first deployment that fails, and with the stack.
        DeletionPolicy: Match.absent(),
      });
    }
    expect(Object.values(production.findParameters('*', STORED))).toHaveLength(1);
    expect(first.findParameters('*', STORED)).toStrictEqual({});
    const [id] = Object.keys(production.findParameters('*', STORED));
    production.hasOutput('Protected', { Value: { Ref: id } });
    first.hasOutput('Protected', { Value: 'false' });
  });

  it('is not a matter of other stages', () => {
    branch.resourceCountIs('AWS::SSM::Parameter', 0);
    expect(branch.findOutputs('Protected')).toStrictEqual({});
  });
});

describe('the audit log', () => {
  it.each([
    ['two years in production', () => production, 731],
    ['a month elsewhere', () => branch, 30],
  ])('keeps records for %s, and has the stream that commands write', (_time, templateOf, RetentionInDays) => {
    const template = templateOf();
    const found = Object.entries(
      template.findResources('AWS::Logs::LogGroup', { Properties: { RetentionInDays } }),
    );
    const logGroup = found.map(([id]) => id).find((id) => id.startsWith('AuditLogs'));
    expect(logGroup).toBeDefined();
    template.hasOutput('AuditLogGroup', { Value: { Ref: logGroup } });
    template.hasResourceProperties('AWS::Logs::LogStream', {
      LogGroupName: { Ref: logGroup },
      LogStreamName: AUDIT_STREAM,
    });
  });

  it('is written by one role of the stack, in the stream of merchants alone', () => {
    for (const template of [branch, production]) {
      const policies = Object.entries(template.findResources('AWS::IAM::Policy'));
      const writers = policies.filter(([, policy]) => JSON.stringify(policy).includes('AuditLogs'));
      expect(writers.map(([id]) => id.replace(/Role.*/, ''))).toStrictEqual(['FanOutEvents']);
      expect(JSON.stringify(writers)).toMatch(/AuditLogs[^}]*\},":log-stream:merchants"/);
      expect(JSON.stringify(policies)).not.toMatch(/"logs:PutLogEvents"[^}]*"Resource":"\*"/);
    }
  });
});
