import { Stack, Validations } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import {
  deadLetters,
  failedStatusEvents,
  latencyP99,
  oldestMessage,
  serverErrorRate,
  serviceMetric,
  throttledKeys,
  type Watched,
} from './metrics.ts';
import type { StageConfig } from '../stages.ts';

interface AlarmDefinition {
  readonly metric: IMetric;
  /** The alarm goes off above this value. */
  readonly threshold: number;
  /** Consecutive periods of five minutes above the threshold. */
  readonly periods: number;
  /** The meaning of the alarm, and where to look first. */
  readonly description: string;
}

/** A request takes one or two round trips of a few milliseconds. A cold start stays under a second. */
const LATENCY_MS_MAX = 2_000;

const SERVER_ERROR_RATE_MAX = 0.01;

/** A few throttled requests concern one merchant. More mean that a key needs another limit. */
const THROTTLED_KEYS_MAX = 100;

/** Longer than all retries together: no function receives payment events. */
const OLDEST_PAYMENT_SECONDS_MAX = 15 * 60;

/** Two days before SQS deletes the message. */
const OLDEST_DEAD_LETTER_SECONDS_MAX = 12 * 86_400;

const requestAlarms = ({ api, database }: Watched): Record<string, AlarmDefinition> => ({
  ServerErrors: {
    metric: serverErrorRate(api),
    threshold: SERVER_ERROR_RATE_MAX,
    periods: 2,
    description: `More than ${100 * SERVER_ERROR_RATE_MAX} percent of the responses are 5xx. The functions' logs name each cause.`,
  },
  Latency: {
    metric: latencyP99(api),
    threshold: LATENCY_MS_MAX,
    periods: 3,
    description: `One request in a hundred takes longer than ${LATENCY_MS_MAX} ms. Compare with DynamoDB's latency.`,
  },
  ThrottledKeys: {
    metric: throttledKeys(database),
    threshold: THROTTLED_KEYS_MAX,
    periods: 3,
    description:
      'DynamoDB throttles the item of an API key: the key sends requests faster than DynamoDB writes one item. See the dashboard.',
  },
});

const paymentAlarms = ({ name, payments, statusEvents }: Watched): Record<string, AlarmDefinition> => ({
  DeadLetters: {
    metric: deadLetters(payments),
    threshold: 0,
    periods: 1,
    description: 'A payment event could not be recorded. See npm run operate -- dead-letters.',
  },
  OldDeadLetters: {
    metric: oldestMessage(payments.deadLetters),
    threshold: OLDEST_DEAD_LETTER_SECONDS_MAX,
    periods: 1,
    description:
      'SQS deletes a dead letter in two days. Redrive or remove it with npm run operate -- dead-letters.',
  },
  WaitingPayments: {
    metric: oldestMessage(payments.queue),
    threshold: OLDEST_PAYMENT_SECONDS_MAX,
    periods: 1,
    description: 'Payment events wait in the queue. Check the function RecordPayment and its event source.',
  },
  StatusEvents: {
    metric: failedStatusEvents(statusEvents.pipeName),
    threshold: 0,
    periods: 1,
    description:
      'A change of status did not reach the event bus. The pipe retries for 24 hours, then the event is lost.',
  },
  TestStatusEvents: {
    metric: failedStatusEvents(statusEvents.testPipeName),
    threshold: 0,
    periods: 1,
    description:
      "A test cart's change of status did not reach the event bus. The pipe retries for 24 hours, then the event is lost.",
  },
  AmountMismatches: {
    metric: serviceMetric(name, 'AmountMismatches'),
    threshold: 0,
    periods: 1,
    description:
      "A payment succeeded with an amount or currency that is not its cart's. The event is a dead letter.",
  },
});

export interface AlarmsProps extends Watched, Pick<StageConfig, 'alarmEmail'> {}

/** The alarms of a stage and the topic that they notify. */
export class Alarms extends Construct {
  readonly topic: Topic;
  readonly all: readonly Alarm[];

  constructor(scope: Construct, id: string, props: AlarmsProps) {
    super(scope, id);
    this.topic = new Topic(this, 'Topic', { enforceSSL: true });
    // A custom policy replaces the default one, so it must allow CloudWatch.
    this.topic.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [this.topic.topicArn],
        conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } },
      }),
    );
    Validations.of(this.topic).acknowledge({
      id: 'AwsSolutions::AwsSolutions-SNS2',
      reason:
        'Alarms hold names and values of metrics, no personal data. CloudWatch cannot publish to a topic encrypted with an AWS managed key.',
    });
    if (props.alarmEmail !== undefined) this.topic.addSubscription(new EmailSubscription(props.alarmEmail));
    this.all = Object.entries({ ...requestAlarms(props), ...paymentAlarms(props) }).map(
      ([name, definition]) => this.#alarm(name, definition),
    );
  }

  #alarm(id: string, { metric, threshold, periods, description }: AlarmDefinition): Alarm {
    const alarm = new Alarm(this, id, {
      metric,
      threshold,
      evaluationPeriods: periods,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      // A stage without requests or payments is healthy.
      treatMissingData: TreatMissingData.NOT_BREACHING,
      alarmDescription: description,
    });
    alarm.addAlarmAction(new SnsAction(this.topic));
    return alarm;
  }
}
