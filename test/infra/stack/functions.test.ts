import { readdirSync } from 'node:fs';
import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import {
  type EVENT_FUNCTIONS,
  HTTP_FUNCTION_NAMES,
  type HttpFunctionName,
} from '../../../functions/operations.ts';
import { productionStage, target } from './template.ts';

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

const FIND_TEST_CART = 'dynamodb:GetItem on DatabaseTestCarts';
const FIND_CART = ['dynamodb:GetItem on DatabaseCarts', FIND_TEST_CART];
const FIND_STORE = 'dynamodb:GetItem on DatabaseStores';
/** A permission on items with these partition keys alone. */
const onKeys = (permission: string, keys: string): string =>
  `${permission} if {"ForAllValues:StringLike":{"dynamodb:LeadingKeys":["${keys}"]},"Null":{"dynamodb:LeadingKeys":"false"}}`;
/** A permission on items with these attributes alone, and of these partition keys if they are given. */
const onAttributes = (permission: string, names: readonly string[], keys?: string): string =>
  `${permission} if ${JSON.stringify({
    'ForAllValues:StringEquals': { 'dynamodb:Attributes': names },
    ...(keys !== undefined && { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [keys] } }),
    Null: {
      'dynamodb:Attributes': 'false',
      ...(keys !== undefined && { 'dynamodb:LeadingKeys': 'false' }),
    },
  })}`;
/** The attributes of every event but its body, of which each family has its own. */
const EVENT = 'log sequence id type cartId recordedAtMs oldUntil deleteAtSeconds schemaVersion'.split(' ');
/** Events with these bodies, and the counter of their log. */
const appendEvents = (bodies: readonly string[], keys?: string): string[] => [
  ...on('DatabaseEvents', 'dynamodb', 'GetItem', 'Query').map((permission) =>
    keys === undefined ? permission : onKeys(permission, keys),
  ),
  onAttributes('dynamodb:PutItem on DatabaseEvents', [...EVENT, ...bodies], keys),
  onAttributes(
    'dynamodb:UpdateItem on DatabaseEvents',
    ['log', 'sequence', 'last', 'lastRecordedAtMs'],
    keys,
  ),
];
const CART_IDS = '????????-????-????-????-????????????';
/** A permission on the carts of either mode. */
const onCarts = (action: string): string[] =>
  ['Carts', 'TestCarts'].map((table) => `dynamodb:${action} on Database${table}`);
const RECEIVE = [
  'ChangeMessageVisibility',
  'DeleteMessage',
  'GetQueueAttributes',
  'GetQueueUrl',
  'ReceiveMessage',
] as const;
const DELIVERY_QUEUES = ['WebhooksQueue', 'WebhooksTestQueue', 'WebhooksSlowQueue', 'WebhooksSlowTestQueue'];
const SEND_DELIVERIES = DELIVERY_QUEUES.map((queue) => `sqs:SendMessage on ${queue}`);
/** Excludes payments, which have another source, and the events of other functions. */
const putEvents = (...types: readonly string[]): string =>
  `events:PutEvents on PaymentsEventBus if {"ForAllValues:StringEquals":{"events:source":"cart-checkout"},"ForAllValues:StringLike":{"events:detail-type":${JSON.stringify(types)}},"Null":{"events:source":"false","events:detail-type":"false"}}`;
const TIMER = ['timer', 'timerAtMs'] as const;
const LEASES = ['lease0UntilMs', 'lease0Owner', 'lease1UntilMs', 'lease1Owner'];
const STATE =
  'failures failingSinceMs probeAtMs isQuick lastSuccessAtMs disabled isUnreported addressVersion removedAtMs'.split(
    ' ',
  );
const PARKS = [...TIMER, 'parks', 'drainedParks'];
const UPDATE_ENDPOINT = 'dynamodb:UpdateItem on DatabaseWebhookEndpoints';
const BUCKET = 'keyId limit windowSeconds emissionIntervalMicros tatMicros busySinceMs lastUsedAtMs'.split(
  ' ',
);
const TAKE_TOKEN = [
  'dynamodb:GetItem on DatabaseApiKeys',
  onAttributes('dynamodb:UpdateItem on DatabaseApiKeys', BUCKET),
];

/** A table of every function. The compiler reports a missing one. */
type ByFunction<Row = readonly string[]> = Readonly<
  Record<HttpFunctionName | keyof typeof EVENT_FUNCTIONS, Row>
>;

const idOf = (functionName: string): string =>
  functionName.replaceAll(/(?:^|-)(\w)/g, (_, first: string) => first.toUpperCase());

/** The rows of a table, with the functions' ids in the template. */
const rowsOf = <Row>(table: ByFunction<Row>): [string, Row][] =>
  Object.entries(table).map(([name, row]) => [idOf(name), row]);

const isHttp = (id: string): boolean => HTTP_FUNCTION_NAMES.some((name) => idOf(name) === id);

describe('a function', () => {
  const permitted: ByFunction = {
    'get-cart': [...TAKE_TOKEN, ...FIND_CART, FIND_STORE],
    'create-cart-checkout': [
      ...TAKE_TOKEN,
      'dynamodb:GetItem on DatabaseProducts',
      ...on('DatabaseSecrets', 'dynamodb', 'GetItem', 'PutItem').map((permission) =>
        onKeys(permission, 'idempotent-cart-ids'),
      ),
      ...FIND_CART,
      // Not the claims of payments.
      ...onCarts('PutItem').map((permission) => onKeys(permission, CART_IDS)),
    ],
    'expire-cart': [
      ...TAKE_TOKEN,
      ...FIND_CART,
      ...onCarts('UpdateItem').map((permission) => onKeys(permission, CART_IDS)),
      ...appendEvents(['abandonmentBody']),
    ],
    'list-events': [...TAKE_TOKEN, 'dynamodb:Query on DatabaseEvents'],
    'webhook-endpoints': [
      ...TAKE_TOKEN,
      onAttributes('dynamodb:UpdateItem on DatabaseApiKeys', ['keyId', 'addressCheckUntilMs']),
      ...on('DatabaseSecrets', 'dynamodb', 'GetItem', 'PutItem').map((permission) =>
        onKeys(permission, 'idempotent-endpoint-ids'),
      ),
      ...on('DatabaseSecrets', 'dynamodb', 'DeleteItem', 'GetItem', 'PutItem').map((permission) =>
        onKeys(permission, 'we_*'),
      ),
      ...on(
        'DatabaseWebhookEndpoints',
        'dynamodb',
        'DeleteItem',
        'GetItem',
        'PutItem',
        'Query',
        'UpdateItem',
      ),
      ...on('DatabaseDeliveries', 'dynamodb', 'GetItem', 'Query'),
      ...appendEvents(['endpointBody']),
      ...SEND_DELIVERIES,
    ],
    'record-payment': [
      ...on('PaymentsQueue', 'sqs', ...RECEIVE),
      ...FIND_CART,
      ...onCarts('PutItem'),
      // The claims of payments alone.
      ...onCarts('ConditionCheckItem').map((permission) => onKeys(permission, 'payment#*')),
      ...appendEvents(['paymentBody']),
    ],
    'sandbox-checkout': [
      FIND_TEST_CART,
      'dynamodb:PutItem on DatabaseTestCarts',
      // The limit of a cart's actions, and its expiry.
      onKeys('dynamodb:UpdateItem on DatabaseTestCarts', 'actions#*'),
      onKeys('dynamodb:UpdateItem on DatabaseTestCarts', CART_IDS),
      FIND_STORE,
      // Nothing of live mode: the sandbox is public.
      ...appendEvents(['paymentBody', 'abandonmentBody'], 'test#*'),
    ],
    canary: [onKeys('dynamodb:GetItem on DatabaseSecrets', 'canary')],
    'fan-out-events': [
      // One stream of the audit log, which operators do not write.
      'logs:PutLogEvents on AuditLogs',
      ...on('DatabaseEvents', 'dynamodb', 'DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'),
      FIND_STORE,
      'dynamodb:Query on DatabaseWebhookEndpoints',
      putEvents('cart.*', 'webhook_endpoint.*'),
      ...SEND_DELIVERIES,
      'sqs:SendMessage on FanOutSetAside',
    ],
    'run-due': [
      // Queries read the indexes of timers alone.
      ...['Carts', 'TestCarts', 'WebhookEndpoints', 'Deliveries'].map(
        (table) => `dynamodb:Query on Database${table} index timers`,
      ),
      // Carts that are abandoned, with their events, and completed carts whose personal data is erased.
      ...onCarts('BatchGetItem'),
      ...onCarts('UpdateItem').map((permission) => onKeys(permission, CART_IDS)),
      ...appendEvents(['abandonmentBody']),
      // Endpoints that are probed, and deliveries that go into the queue.
      onAttributes(UPDATE_ENDPOINT, ['log', 'id', ...PARKS]),
      'dynamodb:BatchGetItem on DatabaseDeliveries',
      onAttributes('dynamodb:UpdateItem on DatabaseDeliveries', ['endpointId', 'id', ...TIMER]),
      ...SEND_DELIVERIES,
    ],
    'deliver-webhooks': [
      ...DELIVERY_QUEUES.flatMap((queue) => on(queue, 'sqs', ...RECEIVE)),
      ...SEND_DELIVERIES,
      onKeys('dynamodb:GetItem on DatabaseSecrets', 'we_*'),
      // Not the address.
      onAttributes(UPDATE_ENDPOINT, ['log', 'id', ...LEASES, ...STATE, ...PARKS]),
      'dynamodb:GetItem on DatabaseEvents',
      ...on('DatabaseDeliveries', 'dynamodb', 'GetItem', 'UpdateItem'),
      // Parked deliveries alone.
      ...on('DatabaseDeliveries', 'dynamodb', 'BatchWriteItem', 'DeleteItem', 'Query').map((permission) =>
        onKeys(permission, 'parked#*'),
      ),
      FIND_STORE,
      putEvents('webhook.disabled'),
    ],
  };

  it.each(rowsOf(permitted))('%s has these permissions, its log and its traces, and no other', (id, own) => {
    const traces = on('"*"', 'xray', 'PutTelemetryRecords', 'PutTraceSegments');
    const telemetry = [
      ...on(`${id}Logs`, 'logs', 'CreateLogStream', 'PutLogEvents'),
      ...(isHttp(id) ? traces : []),
    ];
    expect(permissionsOf(id).toSorted()).toStrictEqual([...own, ...telemetry].toSorted());
  });

  it('reads the secrets of webhooks only to deliver, or to change them', () => {
    const readers = rowsOf(permitted).flatMap(([id]) =>
      permissionsOf(id).some((permission) => permission.includes('we_*')) ? [id] : [],
    );
    expect(readers).toStrictEqual(['WebhookEndpoints', 'DeliverWebhooks']);
  });

  it('that writes a live event of a payment is the one that records payments', () => {
    const writers = rowsOf(permitted).flatMap(([id]) =>
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
      id
        .replace(/[0-9A-F]{8}$/, '')
        .replaceAll(/(?!^)(?=[A-Z])/g, '-')
        .toLowerCase(),
    );
    expect(deployed.toSorted()).toStrictEqual(folders.map(({ name }) => name).toSorted());
  });

  /** The megabytes and the seconds of each function. Those of HTTP requests run for longer than the database may take. */
  const limits: ByFunction<readonly [memoryMb: number, timeoutSeconds: number]> = {
    'get-cart': [1_024, 6],
    'create-cart-checkout': [1_024, 6],
    'list-events': [1_024, 6],
    'webhook-endpoints': [1_024, 6],
    'sandbox-checkout': [1_024, 6],
    'expire-cart': [1_024, 6],
    'record-payment': [1_024, 6],
    canary: [1_024, 6],
    'fan-out-events': [256, 30],
    'run-due': [512, 55],
    'deliver-webhooks': [192, 30],
  };

  it('is stopped by Lambda in a recursive loop, except for the deliveries', () => {
    const allowed = Object.entries(production.findResources('AWS::Lambda::Function')).filter(
      ([, { Properties }]) => (Properties as { RecursiveLoop?: string }).RecursiveLoop === 'Allow',
    );
    expect(allowed.map(([id]) => id)).toStrictEqual([expect.stringMatching(/^DeliverWebhooks[0-9A-F]{8}$/)]);
  });

  it.each(rowsOf(limits))('%s runs on Node.js 24 with %j, and has a log group of its own', (id, row) => {
    const [MemorySize, Timeout] = row;
    const common = { Runtime: 'nodejs24.x', Architectures: ['arm64'], MemorySize, Timeout };
    const LogGroup = { Ref: Match.stringLikeRegexp(`^${id}Logs`) };
    production.hasResourceProperties('AWS::Lambda::Function', {
      ...common,
      TracingConfig: isHttp(id) ? { Mode: 'Active' } : Match.absent(),
      // Lambda itself logs only failed executions. A level of the application would drop lines of requests.
      LoggingConfig: { LogGroup, LogFormat: 'JSON', SystemLogLevel: 'WARN' },
    });
  });
});
