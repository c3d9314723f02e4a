import { Stack, Validations } from 'aws-cdk-lib';
import { Alarm, type AlarmProps, ComparisonOperator, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import type { StageConfig } from '../../stage/stage-config.ts';
import { absenceAlarms } from './absence-alarms.ts';
import {
  type AlarmDefinition,
  canaryAlarms,
  eventAlarms,
  requestAlarms,
  trafficAlarms,
  webhookAlarms,
} from './alarm-definitions.ts';
import type { Watched } from './metrics.ts';
import { paymentAlarms } from './payment-alarms.ts';

/**
 * Adds an alarm. Its description has its effect, and its section of `docs/runbook.md` in the repository. It does not use
 * `-c docsUrl`, because the runbook is not for merchants.
 *
 * @param section the heading of the section
 * @param more further properties
 */
export const addAlarm = (
  scope: Construct,
  id: string,
  { metric, above = 0, below, periods = 1, ofPeriods, effect }: AlarmDefinition,
  section = id,
  more: Partial<AlarmProps> = {},
): Alarm =>
  new Alarm(scope, id, {
    metric,
    threshold: below ?? above,
    evaluationPeriods: periods,
    ...(ofPeriods !== undefined && { datapointsToAlarm: ofPeriods }),
    comparisonOperator:
      below === undefined
        ? ComparisonOperator.GREATER_THAN_THRESHOLD
        : ComparisonOperator.LESS_THAN_THRESHOLD,
    // A stage or a version without requests is healthy, unless the alarm is about their absence.
    treatMissingData: below === undefined ? TreatMissingData.NOT_BREACHING : TreatMissingData.BREACHING,
    alarmDescription: `${effect} Runbook: docs/runbook.md#${section.toLowerCase()}`,
    ...more,
  });

interface AlarmsProps extends Watched, Pick<StageConfig, 'alarmEmail' | 'liveRequestsPerHour'> {}

/** The alarms of a stage and the topic that they notify. */
export class Alarms extends Construct {
  readonly topic: Topic;
  readonly all: readonly Alarm[];

  constructor(scope: Construct, id: string, props: AlarmsProps) {
    super(scope, id);
    this.topic = new Topic(this, 'Topic', { enforceSSL: true });
    // A custom policy replaces the default one, so it must allow CloudWatch.
    // https://docs.aws.amazon.com/cost-management/latest/userguide/budgets-sns-policy.html
    this.topic.addToResourcePolicy(
      new PolicyStatement({
        principals: ['budgets', 'cloudwatch'].map((name) => new ServicePrincipal(`${name}.amazonaws.com`)),
        actions: ['sns:Publish'],
        resources: [this.topic.topicArn],
        conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } },
      }),
    );
    Validations.of(this.topic).acknowledge({
      id: 'AwsSolutions::AwsSolutions-SNS2',
      reason:
        'Alarms and budgets hold names and values of metrics and costs, no personal data. Neither service can publish to a topic encrypted with an AWS managed key.',
    });
    if (props.alarmEmail !== undefined) this.topic.addSubscription(new EmailSubscription(props.alarmEmail));
    const { name, liveRequestsPerHour } = props;
    const definitions = {
      ...requestAlarms(props),
      ...paymentAlarms(props),
      ...eventAlarms(props),
      ...webhookAlarms(props),
      ...(props.expectsTraffic && trafficAlarms(props)),
      ...(liveRequestsPerHour !== undefined && absenceAlarms(name, liveRequestsPerHour)),
      ...(props.canary && canaryAlarms(props.canary)),
    };
    this.all = Object.entries(definitions).map(([alarm, definition]) => addAlarm(this, alarm, definition));
    const notify = new SnsAction(this.topic);
    for (const alarm of this.all) {
      alarm.addAlarmAction(notify);
      // The same topic: an incident resolves itself only where it was opened. It costs nothing but the notification.
      alarm.addOkAction(notify);
    }
  }
}
