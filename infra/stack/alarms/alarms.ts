import { Stack, Validations } from 'aws-cdk-lib';
import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import type { StageConfig } from '../../stage/stage-config.ts';
import { absenceAlarms } from './absence-alarms.ts';
import { addAlarm } from './alarm.ts';
import { canaryAlarms } from './canary-alarms.ts';
import { eventAlarms } from './event-alarms.ts';
import type { Watched } from './metrics.ts';
import { paymentAlarms } from './payment-alarms.ts';
import { requestAlarms } from './request-alarms.ts';
import { timerAlarms } from './timer-alarms.ts';
import { trafficAlarms } from './traffic-alarms.ts';
import { webhookAlarms } from './webhook-alarms.ts';

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
      ...timerAlarms(props),
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
