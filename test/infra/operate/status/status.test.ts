import { ACMClient, DescribeCertificateCommand } from '@aws-sdk/client-acm';
import { APIGatewayClient, GetDomainNameCommand } from '@aws-sdk/client-api-gateway';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { CloudWatchClient, DescribeAlarmsCommand, GetMetricDataCommand } from '@aws-sdk/client-cloudwatch';
import { ListSubscriptionsByTopicCommand, SNSClient } from '@aws-sdk/client-sns';
import { GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { UNKNOWN } from '../../../../infra/stage/release.ts';
import { tableOutputOf } from '../../../../infra/stage/tables.ts';
import { TABLE_KINDS } from '../../../../lib/database/tables.ts';
import { NOW_MS } from '../../../support/clock.ts';
import { BUS_AND_QUEUES } from '../../../support/operators/deployed-stage.ts';
import { operate } from '../../../support/operators/operate.ts';

// The stand-ins of AWS know neither alarms, topics nor certificates.
const cloudFormation = mockClient(CloudFormationClient);
const cloudWatch = mockClient(CloudWatchClient);
const topics = mockClient(SNSClient);
const queues = mockClient(SQSClient);
const gateway = mockClient(APIGatewayClient);
const certificates = mockClient(ACMClient);
const MOCKS = [cloudFormation, cloudWatch, topics, queues, gateway, certificates];

afterAll(() => {
  for (const mock of MOCKS) mock.restore();
  vi.unstubAllEnvs();
});

const DAY_MS = 86_400_000;
const CHANGED = new Date(NOW_MS - 3 * DAY_MS);
const TOPIC = 'arn:aws:sns:eu-west-1:123456789012:alarms';

/** With a commit, each command would ask git for its own, to compare them. */
const COMMIT = UNKNOWN;

const OUTPUTS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(TABLE_KINDS.map((kind) => [tableOutputOf(kind), kind])),
  ...BUS_AND_QUEUES,
  AlarmTopicArn: TOPIC,
  BaseUrl: 'https://api.example.com/',
  HasCanary: 'true',
  Release: JSON.stringify({ version: '1.0.0', commit: COMMIT }),
};

const givenStack = (
  StackStatus: string,
  changes: Readonly<Record<string, string | undefined>> = {},
): void => {
  const Outputs = Object.entries({ ...OUTPUTS, ...changes }).flatMap(([OutputKey, OutputValue]) =>
    OutputValue === undefined ? [] : [{ OutputKey, OutputValue }],
  );
  const stack = { StackName: 'CartCheckout-prod', StackStatus, CreationTime: CHANGED, Outputs };
  cloudFormation.on(DescribeStacksCommand).resolves({ Stacks: [stack as never] });
};

const alarm = (section: string, changes: object = {}) => ({
  AlarmName: `CartCheckout-prod-Alarms${section}0C947829-ABC`,
  StateValue: 'OK' as const,
  ActionsEnabled: true,
  StateTransitionedTimestamp: CHANGED,
  ...changes,
});

const givenAlarms = (...MetricAlarms: object[]): void =>
  void cloudWatch
    .on(DescribeAlarmsCommand, { AlarmNamePrefix: 'CartCheckout-prod-Alarms' })
    .resolves({ MetricAlarms });

const givenSubscriptions = (...Subscriptions: object[]): void =>
  void topics.on(ListSubscriptionsByTopicCommand, { TopicArn: TOPIC }).resolves({ Subscriptions });

const EMAIL = { Protocol: 'email', Endpoint: 'on-call@operators.example', SubscriptionArn: `${TOPIC}:1` };

const givenQueue = (QueueUrl: string, [visible, hidden, delayed]: readonly number[]): void =>
  void queues.on(GetQueueAttributesCommand, { QueueUrl }).resolves({
    Attributes: {
      ApproximateNumberOfMessages: String(visible),
      ApproximateNumberOfMessagesNotVisible: String(hidden),
      ApproximateNumberOfMessagesDelayed: String(delayed),
    },
  });

const givenCertificate = (days: number, changes: object = {}): void =>
  void certificates.on(DescribeCertificateCommand, { CertificateArn: 'arn:certificate' }).resolves({
    Certificate: { NotAfter: new Date(NOW_MS + days * DAY_MS), Type: 'AMAZON_ISSUED', ...changes },
  });

const rejection = (name: string, message: string): Error =>
  Object.assign(new Error(message), { name, $fault: 'client', $metadata: { httpStatusCode: 400 } });

const NO_CONNECTION = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });

/** A stage that needs nobody. */
beforeEach(() => {
  for (const mock of MOCKS) mock.reset();
  vi.stubEnv('AWS_REGION', 'eu-west-1');
  givenStack('UPDATE_COMPLETE');
  givenAlarms(alarm('Latency'), alarm('PaymentDeadLetters'));
  givenSubscriptions(EMAIL, { Protocol: 'https', Endpoint: 'https://x/key', SubscriptionArn: `${TOPIC}:2` });
  queues.on(GetQueueAttributesCommand).resolves({ Attributes: {} });
  cloudWatch.on(GetMetricDataCommand).resolves({ MetricDataResults: [{ Values: [] }] });
  gateway
    .on(GetDomainNameCommand, { domainName: 'api.example.com' })
    .resolves({ regionalCertificateArn: 'arn:certificate' });
  givenCertificate(200);
});

const run = (...flags: readonly string[]) =>
  operate(['status', '--stage', 'prod', ...flags], { now: () => NOW_MS });

const rowsOf = async (): Promise<ReadonlyMap<string, string>> => {
  const { checks } = JSON.parse((await run('--json')).stdout) as {
    checks: readonly { check: string; result: string; remark: string }[];
  };
  return new Map(checks.map(({ check, result, remark }) => [check, `${result}: ${remark}`]));
};

/** Expects that one check alone needs a person, and returns its row. */
const expectLook = async (check: string): Promise<string | undefined> => {
  const rows = await rowsOf();
  const open = [...rows].filter(([, row]) => !row.startsWith('ok: ')).map(([name]) => name);
  expect(open).toStrictEqual([check]);
  const stderr = 'The stage prod needs a person: 1 check.\n';
  expect(await run()).toMatchObject({ exitCode: 1, stderr });
  return rows.get(check);
};

describe('status', () => {
  it('ends with 0 if nothing needs a person', async () => {
    const { exitCode, stdout, stderr } = await run();
    expect({ exitCode, stderr }).toStrictEqual({ exitCode: 0, stderr: '' });
    expect(stdout.split('\n')).toStrictEqual([
      'CHECK                         RESULT  REMARK',
      'stack                         ok      It is UPDATE_COMPLETE, since 2026-01-12 12:30 UTC',
      `release                       ok      version 1.0.0, commit ${COMMIT}`,
      'alarms                        ok      None of 2 is on',
      'receivers of alarms           ok      on-call@operators.example, https',
      'certificate                   ok      200 days left for api.example.com',
      'dead letters of payments      ok      None',
      'dead letters of events        ok      None',
      'dead letters of deliveries    ok      None',
      'waiting payments              ok      0 messages. In flight or delayed: 0',
      'waiting live deliveries       ok      0 messages. In flight or delayed: 0',
      'waiting test deliveries       ok      0 messages. In flight or delayed: 0',
      'waiting live slow deliveries  ok      0 messages. In flight or delayed: 0',
      'waiting test slow deliveries  ok      0 messages. In flight or delayed: 0',
      '',
    ]);
  });

  it.each([
    ['UPDATE_ROLLBACK_COMPLETE', 'look'],
    ['UPDATE_ROLLBACK_FAILED', 'look'],
    ['UPDATE_FAILED', 'look'],
    ['DELETE_FAILED', 'look'],
    ['UPDATE_IN_PROGRESS', 'ok'],
    ['UPDATE_COMPLETE_CLEANUP_IN_PROGRESS', 'ok'],
    ['UPDATE_ROLLBACK_IN_PROGRESS', 'look'],
  ])('needs a person after a failed deployment: %s', async (status, result) => {
    givenStack(status);
    expect((await rowsOf()).get('stack')).toMatch(new RegExp(`^${result}: It is ${status}, since`));
  });

  it('names the alarms that are on, and those that notify nobody', async () => {
    const on = { StateValue: 'ALARM', StateTransitionedTimestamp: new Date(NOW_MS) };
    givenAlarms(
      alarm('Latency'),
      alarm('PaymentDeadLetters', on),
      alarm('FeedLag', { ActionsEnabled: false }),
    );
    expect(await expectLook('alarms')).toBe(
      'look: On: PaymentDeadLetters since 2026-01-15 12:30 UTC. See docs/runbook.md. They notify nobody: FeedLag',
    );
    givenAlarms();
    expect(await expectLook('alarms')).toBe('look: There are none: deploy the stage again');
  });

  it('names the subscribers that have not confirmed, without the keys in their addresses', async () => {
    givenSubscriptions(
      { ...EMAIL, SubscriptionArn: 'PendingConfirmation' },
      { Protocol: 'https', Endpoint: 'https://x/key', SubscriptionArn: 'PendingConfirmation' },
    );
    expect(await expectLook('receivers of alarms')).toMatch(
      /^look: Not confirmed: on-call@operators\.example, https\. /,
    );
  });

  it('needs a person if nobody receives the alarms of a stage with a canary', async () => {
    givenSubscriptions();
    expect(await expectLook('receivers of alarms')).toMatch(/^look: Nobody receives the alarms/);
    givenStack('UPDATE_COMPLETE', { HasCanary: undefined });
    expect((await rowsOf()).get('receivers of alarms')).toMatch(/^ok: Nobody receives the alarms/);
  });

  it.each([
    [45, {}, 'ok: 45 days left for api.example.com'],
    [44, {}, 'look: 44 days left for api.example.com: its renewal is not begun. Check its DNS record'],
    [
      59,
      { RenewalSummary: { RenewalStatus: 'PENDING_VALIDATION' } },
      'look: 59 days left for api.example.com: its renewal is PENDING_VALIDATION. Check its DNS record',
    ],
    [
      44,
      { Type: 'IMPORTED' },
      'look: 44 days left for api.example.com: it is imported, so AWS does not renew it',
    ],
    [
      45,
      { Type: 'IMPORTED' },
      'ok: 45 days left for api.example.com: it is imported, so AWS does not renew it',
    ],
  ])('counts the days of the certificate: %s days, %j', async (days, changes, row) => {
    givenCertificate(days, changes);
    expect((await rowsOf()).get('certificate')).toBe(row);
  });

  it('looks for no certificate of a stage without a domain', async () => {
    givenStack('UPDATE_COMPLETE', { BaseUrl: 'https://a1.execute-api.eu-west-1.amazonaws.com/prod/' });
    expect((await rowsOf()).get('certificate')).toBe('ok: The stage has no domain');
  });

  it('counts dead letters, hidden ones too', async () => {
    givenQueue(BUS_AND_QUEUES.PaymentDeadLetterQueueUrl, [0, 3, 0]);
    expect(await expectLook('dead letters of payments')).toBe(
      'look: 3: `dead-letters list --queue payments`. Another command has 3 of them',
    );
  });

  it('says how long the waiting messages take, and how long the oldest waits', async () => {
    givenQueue(BUS_AND_QUEUES.PaymentsQueueUrl, [100_000, 40, 2]);
    cloudWatch
      .on(GetMetricDataCommand)
      .callsFake((input: { MetricDataQueries: [{ MetricStat: object }] }) => {
        const isPayments = JSON.stringify(input.MetricDataQueries[0].MetricStat).includes('"payments"');
        return { MetricDataResults: [{ Values: isPayments ? [65, 20] : [] }] };
      });
    expect((await rowsOf()).get('waiting payments')).toBe(
      'ok: 100,000 messages, which take 1.4 minutes, or 8.4 minutes if they are of one store. In flight or delayed: 42. The oldest waits for 65 seconds',
    );
  });

  it('says what the role may not read, and does not call that healthy', async () => {
    const denied = Object.assign(new Error('no sns:ListSubscriptionsByTopic'), { name: 'AccessDenied' });
    topics.on(ListSubscriptionsByTopicCommand).rejects(denied);
    expect(await expectLook('receivers of alarms')).toBe(
      'unknown: Your role may not read it: no sns:ListSubscriptionsByTopic',
    );
  });

  it.each([
    [
      'unavailable: AWS rejected the call with ResourceNotFoundException: No such certificate',
      rejection('ResourceNotFoundException', 'No such certificate'),
    ],
    [
      'unavailable: AWS throttles the requests: try again in a minute.',
      rejection('Throttling', 'Rate exceeded'),
    ],
    ['unavailable: AWS does not respond: check the network, its proxies and AWS_REGION.', NO_CONNECTION],
  ])('shows the other checks if one fails: %s', async (row, error) => {
    certificates.on(DescribeCertificateCommand).rejects(error);
    expect(await expectLook('certificate')).toBe(row);
  });

  it('shows the other checks if the stack lacks an output', async () => {
    givenStack('UPDATE_COMPLETE', { AlarmTopicArn: undefined });
    expect(await expectLook('receivers of alarms')).toMatch(/^unknown: The stack .* no output AlarmTopicArn/);
  });
});
