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
  /** The alarm goes off above this. */
  readonly threshold: number;
  /** For how many periods of five minutes, one after the other. */
  readonly periods: number;
  /** What it means and where to begin, for who is woken by it. */
  readonly description: string;
}

/** A request's share is one or two round trips of some milliseconds; a cold start stays well under a second. */
const LATENCY_MS_MAX = 2_000;

const SERVER_ERROR_RATE_MAX = 0.01;

/** One hot key now and then is its merchant's matter; so many mean that a key needs another limit. */
const THROTTLED_KEYS_MAX = 100;

/** Beyond all retries: nobody takes payment events. */
const OLDEST_PAYMENT_SECONDS_MAX = 15 * 60;

/** Two days before SQS deletes it. */
const OLDEST_DEAD_LETTER_SECONDS_MAX = 12 * 86_400;

const requestAlarms = ({ api, database }: Watched): Record<string, AlarmDefinition> => ({
  ServerErrors: {
    metric: serverErrorRate(api),
    threshold: SERVER_ERROR_RATE_MAX,
    periods: 2,
    description: `More than ${100 * SERVER_ERROR_RATE_MAX} percent of requests are answered 5xx. The functions' logs name each cause.`,
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
      'DynamoDB throttles API keys: one is used faster than an item can be written. See the dashboard.',
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
      'A dead letter is deleted in two days: redrive it, or remove it, with npm run operate -- dead-letters.',
  },
  WaitingPayments: {
    metric: oldestMessage(payments.queue),
    threshold: OLDEST_PAYMENT_SECONDS_MAX,
    periods: 1,
    description:
      'Payment events wait and nobody records them: look at the function RecordPayment and its event source.',
  },
  StatusEvents: {
    metric: failedStatusEvents(statusEvents),
    threshold: 0,
    periods: 1,
    description:
      'A change of status could not be told on the event bus. It is tried for 24 hours, and then lost.',
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

/** What someone would want to be woken by, and the topic that tells them. */
export class Alarms extends Construct {
  readonly topic: Topic;
  readonly all: readonly Alarm[];

  constructor(scope: Construct, id: string, props: AlarmsProps) {
    super(scope, id);
    this.topic = new Topic(this, 'Topic', { enforceSSL: true });
    // A topic with a policy has no other: without this, no alarm could tell anybody.
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
        "Alarms hold the names and values of metrics, no personal data; CloudWatch cannot publish to a topic under AWS's own key.",
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
      // No request, no payment: nothing is wrong.
      treatMissingData: TreatMissingData.NOT_BREACHING,
      alarmDescription: description,
    });
    alarm.addAlarmAction(new SnsAction(this.topic));
    return alarm;
  }
}
