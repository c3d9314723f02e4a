import type { DescribeAlarmsCommand, PutMetricAlarmCommand } from '@aws-sdk/client-cloudwatch';
import type { SimulatePrincipalPolicyCommand } from '@aws-sdk/client-iam';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, expect, it, vi } from 'vitest';
import { API_ERRORS, type ApiErrorShape } from '../../../lib/http/errors.ts';
import { IDEMPOTENCY_SECRET_IDS } from '../../../lib/idempotency/idempotency-secret.ts';
import { givenDatabase } from '../../support/database/database.ts';
import { transact } from './account.ts';
import { ALARM_CHECKS } from './alarm-checks.ts';
import type { Account, CheckedStage } from './checked-stage.ts';
import { FUNCTION_CHECKS } from './function-checks.ts';
import { runChecks } from './results.ts';
import { ROLE_CHECKS } from './role-checks.ts';
import { STAGE_CHECKS } from './stage-checks.ts';
import { TRANSACTION_CHECKS } from './transaction-checks.ts';

const response =
  (status: number, body: object, headers = {}) =>
  async () => ({ status, body, bodyText: JSON.stringify(body), headers });

const gatewayError = ({ status, code, message }: ApiErrorShape) =>
  response(status, { code, message }, { 'retry-after': '1' });

const client = {
  createCart: (body: string) =>
    body.length > 1e6 ? gatewayError(API_ERRORS.payloadTooLarge)() : response(201, { cart: { id: 'c' } })(),
  getCart: response(200, { status: 'completed' }, { 'x-ratelimit-limit': '100' }),
  send: (_method: string, path: string) => {
    if (path.length > 1_400) return gatewayError(API_ERRORS.pathTooLong)();
    return gatewayError(path.endsWith('/events') ? API_ERRORS.functionFailed : API_ERRORS.rateLimited)();
  },
};

type Denies = (request: SimulatePrincipalPolicyCommand['input']) => boolean;

const eventOf = (type: string) => ({ type: { S: type } });

/** A stage that behaves as the checks expect, in an account whose policy simulator denies some requests. */
const givenStage = (denies: Denies, changes: object = {}, lambda: object = {}): CheckedStage => {
  let FunctionVersion = 1;
  const simulate = async ({ input }: SimulatePrincipalPolicyCommand) => ({
    EvaluationResults: [{ EvalDecision: denies(input) ? 'implicitDeny' : 'allowed' }],
  });
  const account = {
    iam: { send: simulate },
    cloudWatch: {
      send: async ({ input }: DescribeAlarmsCommand) => ({
        MetricAlarms: (input.AlarmNames ?? []).map(() => ({ StateValue: 'ALARM' })),
      }),
    },
    sqs: { send: async () => ({}) },
    dynamodb: { send: async () => ({ Items: [{}, eventOf('cart.completed'), eventOf('cart.abandoned')] }) },
    lambda: {
      send: async () => ({
        FunctionVersion,
        LastUpdateStatus: 'Successful',
        Payload: Buffer.from(JSON.stringify({ batchItemFailures: [] })),
        Tags: { service: 'cart-checkout', stage: 'check-1' },
        ...lambda,
      }),
    },
    resource: (id) => id,
    arnOf: (service, name) => `${service}:${name}`,
    assumeRole: () => Promise.reject(new Error('not expected')),
    redeploy: async () => (FunctionVersion += 1),
  } as Account;
  const attempt = { status: 404, response: '{"code":"NOT_FOUND"}' };
  const deliveries = [{ status: 'succeeded', attempts: [attempt, attempt, attempt] }];
  const outputs = { CartsTable: 'carts' };
  const operate = async () => ({ deliveries });
  const stage = { outputs, operate, client, account, accept: operate, acceptingEndpointId: 'we', ...changes };
  return stage as unknown as CheckedStage;
};

const ALLOW_ALL: Denies = () => false;

const QUEUES = {
  PaymentDeadLetterQueueUrl: 'a',
  DeliveryDeadLetterQueueUrl: 'b',
  EventDeadLetterQueueUrl: 'c',
};

const outcomesOf = async (stage: CheckedStage, name = '') => {
  const checks = (name === '' ? [...STAGE_CHECKS, ...FUNCTION_CHECKS, ...ALARM_CHECKS] : ROLE_CHECKS).filter(
    (check) => check.name.includes(name),
  );
  const results = await runChecks(checks, stage, new AbortController().signal);
  return results.map(({ outcome, remark }) => `${outcome} ${remark}`.trim());
};

beforeEach(() => void vi.spyOn(console, 'error').mockReturnValue());

it('every check passes on a stage in an account that behaves', async () => {
  const outcomes = await outcomesOf(givenStage(ALLOW_ALL));
  expect(outcomes.filter((outcome) => !outcome.startsWith('passed'))).toStrictEqual([]);
});

it('the check of alarms puts a message into each queue of dead letters, and purges it', async () => {
  const stage = givenStage(ALLOW_ALL, { outputs: QUEUES });
  const send = vi.spyOn(stage.account!.sqs, 'send');
  const alarms = vi.spyOn(stage.account!.cloudWatch, 'send');
  const [result] = await runChecks(ALARM_CHECKS, stage, new AbortController().signal);
  expect(result).toMatchObject({ outcome: 'passed', remark: 'after 0, 0, 0 minutes' });
  const calls = send.mock.calls.map(([{ constructor, input }]) => [
    constructor.name,
    (input as { QueueUrl?: string }).QueueUrl,
  ]);
  const urls = Object.values(QUEUES);
  expect(calls).toStrictEqual([
    ...urls.map((url) => ['SendMessageCommand', url]),
    ...urls.map((url) => ['PurgeQueueCommand', url]),
  ]);
  const [put] = alarms.mock.calls[0] as unknown as [PutMetricAlarmCommand];
  expect(put.input).toMatchObject({ AlarmName: 'a-check', DatapointsToAlarm: 1, EvaluationPeriods: 4 });
  expect(JSON.stringify(put.input)).toMatch(/DIFF\(FILL\(visible,0\)\).*"Name":"QueueName","Value":"a"/);
});

it('the emulator says what it does not check, and a failure does not stop other checks', async () => {
  const accept = () => Promise.reject(new Error('2 tests failed\n1. ...'));
  const changes = { account: undefined, acceptingEndpointId: undefined, accept };
  const notChecked = [...STAGE_CHECKS.slice(4), ...FUNCTION_CHECKS, ...ALARM_CHECKS].map(
    () => 'not checked by the emulator',
  );
  expect(await outcomesOf(givenStage(ALLOW_ALL, changes))).toStrictEqual([
    'FAILED 2 tests failed',
    'passed',
    'passed',
    'skipped: needs --receiver',
    ...notChecked,
  ]);
});

it('no check begins after a signal', async () => {
  expect(await runChecks(STAGE_CHECKS, givenStage(ALLOW_ALL), AbortSignal.abort())).toStrictEqual([]);
});

/** The client, with another response to requests whose path has this start. */
const sendsAt = (start: string, respond: () => unknown) => ({
  send: (method: string, path: string) => (path.startsWith(start) ? respond() : client.send(method, path)),
});

it.each([
  ['no throttle', sendsAt('/nothing', response(404, {})), ['None of 200 requests was throttled']],
  ['another error', sendsAt('/nothing', gatewayError(API_ERRORS.forbidden)), [expect.any(String)]],
  ['no authorisation', sendsAt('/internal', response(200, {})), ['The response has the status 200']],
  ['a 404 for a long path', sendsAt('/xxx', response(404, {})), [expect.any(String)]],
  ['a 500 for a crash', sendsAt('/api', gatewayError(API_ERRORS.internal)), [expect.any(String)]],
  [
    'no limit of bodies',
    { createCart: response(201, { cart: { id: 'c' } }) },
    [expect.any(String), expect.any(String)],
  ],
])('a gateway with %s fails a check', async (_what, changes, remarks) => {
  const stage = givenStage(ALLOW_ALL, { client: { ...client, ...changes } });
  const results = await runChecks(STAGE_CHECKS, stage, new AbortController().signal);
  const failed = results.filter(({ outcome }) => outcome === 'FAILED');
  expect(failed.map(({ remark }) => remark)).toStrictEqual(remarks);
});

it.each([
  [
    'denies a batch of two types',
    { Payload: Buffer.from('{"batchItemFailures":[{"itemIdentifier":"0"}]}') },
    'two types',
  ],
  ['lacks its tags', { Tags: { service: 'cart-checkout' } }, 'tags'],
])('a stage that %s fails the check', async (_what, lambda, name) => {
  const checks = FUNCTION_CHECKS.filter((check) => check.name.includes(name));
  const [result] = await runChecks(checks, givenStage(ALLOW_ALL, {}, lambda), new AbortController().signal);
  expect(result?.outcome).toBe('FAILED');
});

const hasKey =
  (value: string): Denies =>
  ({ ContextEntries = [] }) =>
    ContextEntries.some(({ ContextKeyValues = [] }) => ContextKeyValues.includes(value));

it.each<[string, Denies]>([
  ['deliver-webhooks may not read', hasKey(IDEMPOTENCY_SECRET_IDS.carts)],
  ['fan-out-events may not send', hasKey('payment.succeeded')],
  ['run-timers may not change', hasKey('url')],
  ['sandbox-checkout may not read', ({ ResourceArns = [] }) => ResourceArns.includes('dynamodb:table/carts')],
])('a role passes if AWS denies that call, and permits those that it needs: %s', async (name, denies) => {
  const [passed] = await outcomesOf(givenStage(denies), name);
  expect(passed).toMatch(/^passed [1-9]\d* needed calls are permitted$/);
  expect(await outcomesOf(givenStage(ALLOW_ALL), name)).toStrictEqual(['FAILED It may']);
  expect(
    await outcomesOf(
      givenStage(() => true),
      name,
    ),
  ).toStrictEqual([expect.stringMatching(/^FAILED It lacks /)]);
});

/** A stage whose roles may make a transaction, if `permits` does. */
const givenRoles = (permits: (roleName: string, attributes: readonly string[], log: string) => boolean) => {
  const stage = givenStage(ALLOW_ALL, { outputs: { EventsTable: tableNames.events } });
  const assumeRole: Account['assumeRole'] = async (roleName) => ({
    transact: (TransactItems) => {
      const [put] = TransactItems.flatMap(({ Put }) => (Put?.Item ? [Put.Item] : []));
      return permits(roleName, Object.keys(put ?? {}), String(put?.['log']))
        ? transact(documents, TransactItems)
        : Promise.resolve('denied');
    },
  });
  return { ...stage, account: { ...stage.account!, assumeRole } };
};

/** The attributes that the template lets each role write. */
const OWN_BODIES: Readonly<Record<string, readonly string[]>> = {
  RecordPaymentRole: ['paymentBody'],
  ExpireCartRole: ['abandonmentBody'],
  RunTimersRole: ['abandonmentBody'],
  WebhookEndpointsRole: ['endpointBody'],
  DeliverWebhooksRole: ['endpointBody'],
  SandboxCheckoutRole: ['paymentBody', 'abandonmentBody'],
};

const bodiesIn = (attributes: readonly string[]) => attributes.filter((name) => name.endsWith('Body'));

const { documents, tableNames } = await givenDatabase();

it('each role that writes events makes its own transaction, and no other', async () => {
  const stage = givenRoles(
    (role, attributes, log) =>
      bodiesIn(attributes).every((name) => OWN_BODIES[role]?.includes(name)) &&
      (role !== 'SandboxCheckoutRole' || log.startsWith('test#')),
  );
  const results = await runChecks(TRANSACTION_CHECKS, stage, new AbortController().signal);
  expect(results.map(({ outcome }) => outcome)).toStrictEqual(
    Array(Object.keys(OWN_BODIES).length).fill('passed'),
  );
  // A check writes nothing.
  const { Count } = await documents.send(new ScanCommand({ TableName: tableNames.events }));
  expect(Count).toBe(0);
});

it.each([
  ['more', () => true, /^It may write (?:live|test) events of /],
  ['nothing', () => false, /^It lacks its own/],
])('a role that may write %s fails the check', async (_, permits, remark) => {
  const results = await runChecks(TRANSACTION_CHECKS, givenRoles(permits), new AbortController().signal);
  expect(results.map(({ outcome }) => outcome)).toStrictEqual(
    Array(Object.keys(OWN_BODIES).length).fill('FAILED'),
  );
  for (const result of results) expect(result.remark).toMatch(remark);
});
