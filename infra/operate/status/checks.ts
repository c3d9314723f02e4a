import { ACMClient, DescribeCertificateCommand } from '@aws-sdk/client-acm';
import { APIGatewayClient, GetDomainNameCommand } from '@aws-sdk/client-api-gateway';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { CloudWatchClient, paginateDescribeAlarms } from '@aws-sdk/client-cloudwatch';
import { paginateListSubscriptionsByTopic, SNSClient } from '@aws-sdk/client-sns';
import { DAY_MS } from '../../../lib/core/durations.ts';
import { stackNameOf } from '../../stage/stage-name.ts';
import { counted } from '../../terminal/counted.ts';
import type { Context } from '../frame/context.ts';
import { minuteOf } from '../frame/output.ts';
import type { Finding } from '../shared/findings.ts';
import { SERVICE_CONNECTIONS } from '../target/connections.ts';
import { outputOf } from '../target/stage.ts';

/** The state of a part of a stage. `look`: a person must look at it. */
export type State = Finding<'look'>;

/** A check of a stage, which only reads. */
export type Check = (context: Pick<Context, 'stage' | 'now'>) => Promise<State>;

export const ok = (remark: string): State => ({ result: 'ok', remark });
export const look = (remark: string): State => ({ result: 'look', remark });

const utc = (time: Date | undefined): string => `${minuteOf(time?.getTime(), 'an unknown time')} UTC`;

const stack: Check = async ({ stage }) => {
  const { Stacks: [found] = [] } = await new CloudFormationClient({
    requestHandler: SERVICE_CONNECTIONS,
  }).send(new DescribeStacksCommand({ StackName: stackNameOf(stage.name) }));
  const { StackStatus: status = '', CreationTime, LastUpdatedTime = CreationTime } = found ?? {};
  const text = `It is ${status}, since ${utc(LastUpdatedTime)}`;
  return /^(?:CREATE|UPDATE|IMPORT)_(?:COMPLETE|(?:COMPLETE_CLEANUP_)?IN_PROGRESS)$/.test(status)
    ? ok(text)
    : look(`${text}: docs/upgrade.md, "If a deployment fails"`);
};

/** The output `Release` is JSON, in its order. */
const release: Check = async ({ stage }) => {
  const text = stage.outputs['Release'];
  if (text === undefined) return ok('The stack does not state it');
  const fields = Object.entries(JSON.parse(text) as Readonly<Record<string, string>>);
  return ok(fields.map(([name, value]) => `${name} ${value}`).join(', '));
};

/** The section of the runbook in the name of an alarm. */
const sectionOf = (alarmName = ''): string => /-Alarms(.+?)[0-9A-F]{8}-/.exec(alarmName)?.[1] ?? alarmName;

const alarms: Check = async ({ stage }) => {
  const client = new CloudWatchClient({ requestHandler: SERVICE_CONNECTIONS });
  // Not those of a stage whose name begins with this one's: stages have lower-case names.
  const AlarmNamePrefix = `${stackNameOf(stage.name)}-Alarms`;
  const all = [];
  for await (const { MetricAlarms = [] } of paginateDescribeAlarms({ client }, { AlarmNamePrefix }))
    all.push(...MetricAlarms);
  if (all.length === 0) return look('There are none: deploy the stage again');
  const on = all
    .filter(({ StateValue }) => StateValue === 'ALARM')
    .map((each) => `${sectionOf(each.AlarmName)} since ${utc(each.StateTransitionedTimestamp)}`);
  const muted = all.filter((each) => each.ActionsEnabled === false).map((each) => sectionOf(each.AlarmName));
  const remarks = [
    ...(on.length === 0 ? [] : [`On: ${on.join(', ')}. See docs/runbook.md`]),
    ...(muted.length === 0 ? [] : [`They notify nobody: ${muted.join(', ')}`]),
  ];
  return remarks.length === 0 ? ok(`None of ${all.length} is on`) : look(remarks.join('. '));
};

/** Endpoints other than addresses may have a key in them. */
const subscriberOf = ({ Protocol = '', Endpoint = '' }): string =>
  Protocol === 'email' ? Endpoint : Protocol;

const receivers: Check = async ({ stage }) => {
  const client = new SNSClient({});
  const [confirmed, pending]: [string[], string[]] = [[], []];
  const topic = { TopicArn: outputOf(stage, 'AlarmTopicArn') };
  for await (const { Subscriptions = [] } of paginateListSubscriptionsByTopic({ client }, topic))
    for (const { SubscriptionArn = '', ...each } of Subscriptions)
      (SubscriptionArn.startsWith('arn:') ? confirmed : pending).push(subscriberOf(each));
  if (pending.length > 0)
    return look(
      `Not confirmed: ${pending.join(', ')}. Open the link in the e-mail of AWS, or subscribe again`,
    );
  if (confirmed.length > 0) return ok(confirmed.join(', '));
  const nobody = 'Nobody receives the alarms: docs/operate.md, "Who gets the alarms"';
  // A stage of a branch has none by default. The canary is for a stage whose failures matter.
  return stage.outputs['HasCanary'] === undefined ? ok(nobody) : look(nobody);
};

/** ACM begins to renew 60 days before the end. https://docs.aws.amazon.com/acm/latest/userguide/managed-renewal.html */
const CERTIFICATE_DAYS_MIN = 45;

const certificate: Check = async ({ stage, now }) => {
  const { hostname: domainName } = new URL(outputOf(stage, 'BaseUrl'));
  if (/\.execute-api\./.test(domainName)) return ok('The stage has no domain');
  const { regionalCertificateArn: CertificateArn } = await new APIGatewayClient({}).send(
    new GetDomainNameCommand({ domainName }),
  );
  const { Certificate: { NotAfter, RenewalSummary, Type } = {} } = await new ACMClient({}).send(
    new DescribeCertificateCommand({ CertificateArn }),
  );
  const days = Math.floor(((NotAfter?.getTime() ?? 0) - now()) / DAY_MS);
  const text = `${counted(days, 'day')} left for ${domainName}`;
  const renewal = RenewalSummary?.RenewalStatus;
  if (Type === 'IMPORTED') {
    const imported = `${text}: it is imported, so AWS does not renew it`;
    return days < CERTIFICATE_DAYS_MIN ? look(imported) : ok(imported);
  }
  const isStuck = renewal === 'FAILED' || renewal === 'PENDING_VALIDATION' || days < CERTIFICATE_DAYS_MIN;
  return isStuck ? look(`${text}: its renewal is ${renewal ?? 'not begun'}. Check its DNS record`) : ok(text);
};

/** The checks that only a deployed stage has. */
export const DEPLOYED_CHECKS: Readonly<Record<string, Check>> = {
  stack,
  release,
  alarms,
  'receivers of alarms': receivers,
  certificate,
};
