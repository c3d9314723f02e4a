import { setTimeout as wait } from 'node:timers/promises';
import { assertLoopback } from './emulator.ts';

const REGION = 'us-east-1';

/** The whole environment of every command. It excludes a developer's own credentials. */
export const awsEnv = (endpoint: string, home: string): Record<string, string> => {
  assertLoopback(endpoint);
  return {
    PATH: process.env['PATH'] ?? '',
    ...(process.env['WEBHOOK_URL'] && { WEBHOOK_URL: process.env['WEBHOOK_URL'] }),
    HOME: home,
    TMPDIR: home,
    NO_COLOR: '1',
    CI: 'true',
    AWS_ENDPOINT_URL: endpoint,
    AWS_REGION: REGION,
    AWS_DEFAULT_REGION: REGION,
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_EC2_METADATA_DISABLED: 'true',
  };
};

/** The emulator reads only the name of the service from a signature. */
const authorization = (service: string): string =>
  `AWS4-HMAC-SHA256 Credential=test/20260101/${REGION}/${service}/aws4_request, SignedHeaders=host, Signature=0`;

interface Call extends RequestInit {
  readonly headers?: Readonly<Record<string, string>>;
}

const call = async (endpoint: string, service: string, path: string, init: Call): Promise<string> => {
  const headers = { ...init.headers, Authorization: authorization(service) };
  const response = await fetch(`${endpoint}${path}`, { ...init, headers });
  const text = await response.text();
  if (!response.ok) throw new Error(`${service} responded ${response.status}: ${text}`);
  return text;
};

/** Calls an operation of AWS's JSON protocol, such as `AWSEvents.PutEvents`. */
export const callJson = (endpoint: string, service: string, target: string, body: object): Promise<string> =>
  call(endpoint, service, '/', {
    method: 'POST',
    headers: { 'X-Amz-Target': target, 'Content-Type': 'application/x-amz-json-1.0' },
    body: JSON.stringify(body),
  });

/** Lets a function run once at a time. */
const limitToOneRun = (endpoint: string, name: string): Promise<string> =>
  call(endpoint, 'lambda', `/2017-10-31/functions/${name}/concurrency`, {
    method: 'PUT',
    body: JSON.stringify({ ReservedConcurrentExecutions: 1 }),
  });

/** Whether Lambda ran a function: it rejects a run beyond the limit with 429. */
const hasRun = async (endpoint: string, name: string): Promise<boolean> => {
  const headers = { Authorization: authorization('lambda') };
  const url = `${endpoint}/2015-03-31/functions/${name}/invocations`;
  const { status } = await fetch(url, { method: 'POST', headers, body: '{}' });
  return status !== 429;
};

/**
 * Stops the scheduled functions of a stack, and waits until none runs. The emulator writes a log after each run. It would
 * make a log group again that was deleted meanwhile.
 */
export const stopScheduledRuns = async (endpoint: string, stack: string): Promise<void> => {
  const list = await callJson(endpoint, 'events', 'AWSEvents.ListRules', { NamePrefix: `${stack}-` });
  const { Rules } = JSON.parse(list) as { Rules: { Name: string; ScheduleExpression?: string }[] };
  const scheduled = Rules.filter(({ ScheduleExpression }) => ScheduleExpression !== undefined);
  if (scheduled.length === 0) throw new Error(`The stack ${stack} has no scheduled rule.`);
  for (const { Name } of scheduled) {
    await callJson(endpoint, 'events', 'AWSEvents.DisableRule', { Name });
    const targets = await callJson(endpoint, 'events', 'AWSEvents.ListTargetsByRule', { Rule: Name });
    for (const { Arn } of (JSON.parse(targets) as { Targets: { Arn: string }[] }).Targets) {
      const name = Arn.split(':')[6]!;
      await limitToOneRun(endpoint, name);
      while (!(await hasRun(endpoint, name))) await wait(100);
    }
  }
};

const callQuery = (endpoint: string, service: string, action: string): Promise<string> =>
  call(endpoint, service, '/', {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: `Action=${action}`,
  });

const LISTS: Readonly<Record<string, (endpoint: string) => Promise<string>>> = {
  tables: (at) => callJson(at, 'dynamodb', 'DynamoDB_20120810.ListTables', {}),
  'log groups': (at) => callJson(at, 'logs', 'Logs_20140328.DescribeLogGroups', {}),
  queues: (at) => callJson(at, 'sqs', 'AmazonSQS.ListQueues', {}),
  'event buses': (at) => callJson(at, 'events', 'AWSEvents.ListEventBuses', {}),
  alarms: (at) => callJson(at, 'monitoring', 'GraniteServiceVersion20100801.DescribeAlarms', {}),
  dashboards: (at) => callJson(at, 'monitoring', 'GraniteServiceVersion20100801.ListDashboards', {}),
  topics: (at) => callQuery(at, 'sns', 'ListTopics'),
  roles: (at) => callQuery(at, 'iam', 'ListRoles'),
  functions: (at) => call(at, 'lambda', '/2015-03-31/functions', {}),
  'event sources': (at) => call(at, 'lambda', '/2015-03-31/event-source-mappings', {}),
  'REST APIs': (at) => call(at, 'apigateway', '/restapis', {}),
  pipes: (at) => call(at, 'pipes', '/v1/pipes', {}),
  secrets: (at) => callJson(at, 'secretsmanager', 'secretsmanager.ListSecrets', {}),
  rules: (at) => callJson(at, 'events', 'AWSEvents.ListRules', {}),
  buckets: (at) => call(at, 's3', '/', {}),
};

/** Everything in the emulator's account that a stage could leave behind: the emulator's lists, by kind. */
export const inventory = async (endpoint: string): Promise<Record<string, string>> =>
  Object.fromEntries(
    await Promise.all(
      Object.entries(LISTS).map(async ([kind, list]) => {
        // A request id differs from call to call.
        const listed = (await list(endpoint)).replaceAll(/<RequestId>[^<]*<\/RequestId>/g, '');
        return [kind, listed];
      }),
    ),
  );
