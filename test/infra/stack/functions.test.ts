import { readdirSync } from 'node:fs';
import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { type FunctionName, FUNCTIONS, isHttpFunction } from '../../../functions/function-needs.ts';
import { type Permission, PERMISSIONS } from '../../../infra/stack/database/permissions.ts';
import { BUS_TYPES } from '../../../infra/stack/events/bus-types.ts';
import { limitsOf } from '../../../infra/stage/function-limits.ts';
import { withoutHash } from '../../../infra/stage/stack-template.ts';
import { tableIdOf } from '../../../infra/stage/tables.ts';
import { pascalCase } from '../../../lib/core/letter-case.ts';
import { COMMIT_VARIABLE, type Setting, variableOf } from '../../../lib/settings/settings.ts';
import { productionStage, target } from '../../support/stack/template.ts';

const production = productionStage().template;

interface Statement {
  readonly Action: string | string[];
  readonly Resource: unknown;
  readonly Condition?: unknown;
}

/** The index that a resource is, such as ` index timers`. */
const indexOf = (resource: unknown): string => {
  const [, name] = /\/index\/([^"]+)/.exec(JSON.stringify(resource)) ?? [];
  return name === undefined ? '' : ` index ${name}`;
};

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
        [Resource]
          .flat()
          .map((resource) => `${action} on ${target(resource)}${indexOf(resource)}${condition}`),
      );
  });
};

/** Permissions on a table, or a queue. */
const on = (resource: string, service: string, ...actions: readonly string[]): string[] =>
  actions.map((action) => `${service}:${action} on ${resource}`);

/** The statement of a permission, as IAM evaluates it. */
const statementOf = ({ table, action, index, attributes, partitionKeys }: Permission): string => {
  const resource = `dynamodb:${action} on Database${tableIdOf(table)}${index ? ` index ${index}` : ''}`;
  if (!attributes && partitionKeys === undefined) return resource;
  return `${resource} if ${JSON.stringify({
    ...(attributes && { 'ForAllValues:StringEquals': { 'dynamodb:Attributes': attributes } }),
    ...(partitionKeys !== undefined && {
      'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [partitionKeys] },
    }),
    Null: {
      ...(attributes && { 'dynamodb:Attributes': 'false' }),
      ...(partitionKeys !== undefined && { 'dynamodb:LeadingKeys': 'false' }),
    },
  })}`;
};

const RECEIVE = [
  'ChangeMessageVisibility',
  'DeleteMessage',
  'GetQueueAttributes',
  'GetQueueUrl',
  'ReceiveMessage',
] as const;
const DELIVERY_QUEUES = ['WebhooksQueue', 'WebhooksTestQueue', 'WebhooksSlowQueue', 'WebhooksSlowTestQueue'];
/** Excludes payments, which have another source, and the events of other functions. */
const putEvents = (...types: readonly string[]): string =>
  `events:PutEvents on PaymentsEventBus if {"ForAllValues:StringEquals":{"events:source":"cart-checkout"},"ForAllValues:StringLike":{"events:detail-type":${JSON.stringify(types)}},"Null":{"events:source":"false","events:detail-type":"false"}}`;

/** The properties of a function. */
const propertiesOf = (name: FunctionName): unknown => {
  const functions = Object.entries(production.findResources('AWS::Lambda::Function'));
  const [, resource] = functions.find(([id]) => withoutHash(id) === pascalCase(name)) ?? [];
  return (resource as { Properties: unknown }).Properties;
};

const NAMES = Object.keys(FUNCTIONS) as FunctionName[];

/** The permissions that come with the address of a queue, a bus or a log. */
const OF_SETTINGS: Readonly<Partial<Record<Setting, (name: FunctionName) => string>>> = {
  deliveryQueueUrl: () => 'sqs:SendMessage on WebhooksQueue',
  testDeliveryQueueUrl: () => 'sqs:SendMessage on WebhooksTestQueue',
  slowDeliveryQueueUrl: () => 'sqs:SendMessage on WebhooksSlowQueue',
  slowTestDeliveryQueueUrl: () => 'sqs:SendMessage on WebhooksSlowTestQueue',
  eventDeadLetterQueueUrl: () => 'sqs:SendMessage on FanOutDeadLetters',
  eventBusName: (name) => putEvents(...BUS_TYPES[name as keyof typeof BUS_TYPES]),
  // One stream of the audit log, which operators do not write.
  auditLogGroup: () => 'logs:PutLogEvents on AuditLogs',
};

/** The permissions that come with the source of a function's events. */
const OF_SOURCES: Readonly<Partial<Record<FunctionName, readonly string[]>>> = {
  'record-payment': on('PaymentsQueue', 'sqs', ...RECEIVE),
  'deliver-webhooks': DELIVERY_QUEUES.flatMap((queue) => on(queue, 'sqs', ...RECEIVE)),
  'fan-out-events': on(
    'DatabaseEvents',
    'dynamodb',
    'DescribeStream',
    'GetRecords',
    'GetShardIterator',
    'ListStreams',
  ),
};

describe('a function', () => {
  it.each(NAMES)(
    '%s has the permissions of its access, settings and events, its log and traces, and no other',
    (name) => {
      const { access, settings } = FUNCTIONS[name];
      const id = pascalCase(name);
      const expected = [
        ...access.flatMap((each) => PERMISSIONS[each].map(statementOf)),
        ...settings.flatMap((setting) => OF_SETTINGS[setting]?.(name) ?? []),
        ...(OF_SOURCES[name] ?? []),
        ...on(`${id}Logs`, 'logs', 'CreateLogStream', 'PutLogEvents'),
        ...(isHttpFunction(name) ? on('"*"', 'xray', 'PutTelemetryRecords', 'PutTraceSegments') : []),
      ];
      expect(permissionsOf(id).toSorted()).toStrictEqual([...new Set(expected)].toSorted());
    },
  );

  it.each(NAMES)('%s has the variables of its settings and tables, and no other', (name) => {
    const { access, settings } = FUNCTIONS[name];
    const tables = access.flatMap((each) => PERMISSIONS[each].map(({ table }) => `${table}Table` as const));
    // Only a stage on an emulator lets webhooks go to loopback addresses.
    const given = [...settings.filter((setting) => setting !== 'webhookLoopback'), ...tables].map(variableOf);
    const expected = [...new Set(given), ...(isHttpFunction(name) ? [COMMIT_VARIABLE] : [])];
    const { Environment } = propertiesOf(name) as { Environment: { Variables: object } };
    expect(Object.keys(Environment.Variables).toSorted()).toStrictEqual(expected.toSorted());
  });

  it('reads the secrets of webhooks only to deliver, or to change them', () => {
    const readers = NAMES.map(pascalCase).flatMap((id) =>
      permissionsOf(id).some((permission) => permission.includes('we_*')) ? [id] : [],
    );
    expect(readers).toStrictEqual(['WebhookEndpoints', 'DeliverWebhooks']);
  });

  it('that writes a live event of a payment is the one that records payments', () => {
    const writers = NAMES.map(pascalCase).flatMap((id) =>
      permissionsOf(id).some(
        (permission) =>
          permission.startsWith('dynamodb:PutItem on DatabaseEvents') &&
          !/"test#\*"|"(?:abandonment|endpoint)Body"\]/.test(permission),
      )
        ? [id]
        : [],
    );
    expect(writers).toStrictEqual(['RecordPayment']);
  });

  it('is deployed for each folder of functions/', () => {
    const folders = readdirSync('functions', { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const deployed = Object.keys(production.findResources('AWS::Lambda::Function')).map((id) =>
      withoutHash(id)
        .replaceAll(/(?!^)(?=[A-Z])/g, '-')
        .toLowerCase(),
    );
    expect(deployed.toSorted()).toStrictEqual(folders.map(({ name }) => name).toSorted());
  });

  it.each(NAMES)(
    '%s may continue a recursive loop exactly if it may send to a queue that invokes it',
    (name) => {
      const permissions = permissionsOf(pascalCase(name));
      const sendsToItself = permissions
        .filter((permission) => permission.startsWith('sqs:SendMessage '))
        .some((permission) => permissions.includes(permission.replace('Send', 'Receive')));
      // Lambda would drop the messages of any other loop after about 16 invocations.
      const { RecursiveLoop } = propertiesOf(name) as { RecursiveLoop?: string };
      expect(RecursiveLoop).toBe(sendsToItself ? 'Allow' : undefined);
    },
  );

  it.each(NAMES)('%s runs on Node.js 24 within its limits, and has a log group of its own', (name) => {
    const { memoryMb: MemorySize, timeoutSeconds: Timeout } = limitsOf(name);
    const id = pascalCase(name);
    const common = { Runtime: 'nodejs24.x', Architectures: ['arm64'], MemorySize, Timeout };
    const LogGroup = { Ref: Match.stringLikeRegexp(`^${id}Logs`) };
    production.hasResourceProperties('AWS::Lambda::Function', {
      ...common,
      TracingConfig: isHttpFunction(name) ? { Mode: 'Active' } : Match.absent(),
      // Lambda itself logs only failed executions. A level of the application would drop lines of requests.
      LoggingConfig: { LogGroup, LogFormat: 'JSON', SystemLogLevel: 'WARN' },
    });
  });
});
