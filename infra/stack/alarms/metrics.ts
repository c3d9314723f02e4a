import { Duration } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { type IMetric, MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { FunctionName } from '../../../functions/function-needs.ts';
import { OPERATIONS, type OperationName } from '../../../functions/operations.ts';
import type { Mode } from '../../../lib/stores/mode.ts';
import {
  type CartMetric,
  METRICS_NAMESPACE,
  type MetricName,
  type RequestMetric,
  type StageMetric,
  type WebhookMetric,
} from '../../../lib/telemetry/metric-names.ts';
import type { QueueName } from '../../stage/queues.ts';
import type { StageConfig } from '../../stage/stage-config.ts';

/** The resources whose metrics the alarms and the dashboard use. */
export interface Watched extends Pick<StageConfig, 'name' | 'expectsTraffic'> {
  readonly api: RestApi;
  readonly database: { readonly tables: { readonly events: TableV2 } };
  readonly queues: Readonly<Record<QueueName, IQueue>>;
  readonly canary: IFunction | undefined;
  readonly functions: ReadonlyMap<FunctionName, IFunction>;
}

/** The operations that have alarms, because buyers wait for them. An alarm costs $0.10 a month for each metric. */
export const ALARMED_OPERATIONS = [
  'createCartCheckout',
  'getCart',
] as const satisfies readonly OperationName[];

/** The period of nearly all metrics. */
export const PERIOD = Duration.minutes(5);

const ownMetric = (
  metricName: MetricName,
  dimensionsMap: Readonly<Record<string, string>>,
  statistic: string = Stats.SUM,
  period = PERIOD,
): Metric => new Metric({ namespace: METRICS_NAMESPACE, metricName, dimensionsMap, statistic, period });

/** The number of payments, events or timers that need an operator. */
export const stageMetric = (
  stage: string,
  metricName: StageMetric,
  statistic?: string,
  period?: Duration,
): Metric => ownMetric(metricName, { stage }, statistic, period);

/** The number of payments or abandonments of live carts, of deliveries to webhooks of live mode, or of their endpoints. */
export const liveMetric = (
  stage: string,
  metricName: CartMetric | WebhookMetric,
  statistic?: string,
): Metric => ownMetric(metricName, { stage, mode: 'live' }, statistic);

interface RequestDimensions {
  /** The name of an operation, or the common name of several. */
  readonly operation: string;
  /** `none` is the mode of requests without a well-formed key. */
  readonly mode?: Mode | 'none';
  /** The version of the function. */
  readonly version?: string;
}

/** A metric in the log lines of requests. CloudWatch has it by operation and mode, and by operation and version. */
export const requestMetric = (
  stage: string,
  metricName: RequestMetric,
  dimensions: RequestDimensions,
  statistic?: string,
  period?: Duration,
): Metric => ownMetric(metricName, { stage, ...dimensions }, statistic, period);

/** A metric of requests: one line for each operation and mode. Only dashboards accept it. */
export const allRequests = (stage: string, metricName: RequestMetric, statistic: string): MathExpression =>
  new MathExpression({
    expression: `SEARCH('{${METRICS_NAMESPACE},stage,operation,mode} MetricName="${metricName}" stage="${stage}"', '${statistic}', ${PERIOD.toSeconds()})`,
    label: '',
    usingMetrics: {},
    period: PERIOD,
  });

type Metrics = Readonly<Record<string, IMetric>>;

/** Names metrics for an expression: the prefix and a number. */
const numbered = (prefix: string, metrics: readonly IMetric[]): Metrics =>
  Object.fromEntries(metrics.map((metric, index) => [`${prefix}${index}`, metric]));

/** The sum of metrics, some of which may have no data. */
const sumOf = (metrics: Metrics): string =>
  Object.keys(metrics)
    .map((name) => `FILL(${name},0)`)
    .join('+');

const expressionOf = (expression: string, usingMetrics: Metrics, label: string): MathExpression =>
  new MathExpression({ expression, usingMetrics: { ...usingMetrics }, label, period: PERIOD });

/**
 * The share of an operation's requests that failed, from 0 to 1. A function that crashes or does not start writes no log
 * line, so the errors and the throttles of the function count too.
 */
export const failureRate = ({ name, functions }: Watched, operation: OperationName): MathExpression => {
  const lambda = functions.get(OPERATIONS[operation].functionName);
  const of = (metricName: RequestMetric, statistic: string): IMetric[] =>
    (['live', 'test', 'none'] as const).map((mode) =>
      requestMetric(name, metricName, { operation, mode }, statistic),
    );
  const lost = numbered('lost', lambda ? [lambda.metricErrors(), lambda.metricThrottles()] : []);
  const failed = numbered('failed', of('ServerErrors', Stats.SUM));
  // Only failures have ServerErrors. Every request has ClientErrors.
  const logged = numbered('logged', of('ClientErrors', Stats.SAMPLE_COUNT));
  return expressionOf(
    `(${sumOf({ ...failed, ...lost })})/(${sumOf({ ...logged, ...lost })})`,
    { ...failed, ...logged, ...lost },
    `Share of failed ${operation}`,
  );
};

const ofLiveRequests = (stage: string, statistic: string): IMetric[] =>
  ALARMED_OPERATIONS.map((operation) =>
    requestMetric(stage, 'ClientErrors', { operation, mode: 'live' }, statistic),
  );

/** The number of live requests for carts. */
export const liveRequests = (stage: string): MathExpression => {
  const counts = numbered('count', ofLiveRequests(stage, Stats.SAMPLE_COUNT));
  return expressionOf(sumOf(counts), counts, 'Live requests');
};

/**
 * The share of live requests with a 4xx response, from 0 to 1. It is 0 if there are fewer requests than a share needs.
 *
 * @param requestsMin the fewest requests in five minutes for which a share is meaningful
 */
export const clientErrorRate = (stage: string, requestsMin: number): MathExpression => {
  const errors = numbered('errors', ofLiveRequests(stage, Stats.SUM));
  const counts = numbered('count', ofLiveRequests(stage, Stats.SAMPLE_COUNT));
  return expressionOf(
    `IF(${sumOf(counts)}>=${requestsMin},(${sumOf(errors)})/(${sumOf(counts)}),0)`,
    { ...errors, ...counts },
    'Share of 4xx responses',
  );
};

/**
 * The share of attempts to deliver live events that failed, from 0 to 1. It is 0 if there are fewer attempts than a share
 * needs.
 *
 * @param attemptsMin the fewest attempts in five minutes for which a share is meaningful
 */
export const failedAttemptsRate = (stage: string, attemptsMin: number): MathExpression => {
  const failed = { failed: liveMetric(stage, 'DeliveryAttemptsFailed') };
  const attempts = { ...failed, succeeded: liveMetric(stage, 'DeliveriesSucceeded') };
  return expressionOf(
    `IF(${sumOf(attempts)}>=${attemptsMin},(${sumOf(failed)})/(${sumOf(attempts)}),0)`,
    attempts,
    'Share of failed attempts',
  );
};

/** More than DynamoDB writes to a table in a period. */
const MANY = 1_000_000_000;

/**
 * Whether events that were written five to ten minutes ago met no invocation of the fan-out since: 1 or 0. The table
 * consumes write units for each event, whichever function writes it, and in both modes.
 *
 * `x-DIFF(x)` is the value of the period before. An event of the present period may still be on its way, and so may the
 * count of its invocation. A metric without any value is absent, even if it is filled: a comparison of two metrics takes
 * it as 0, but one with a number has no result. Hence the product.
 *
 * An alarm on metrics of DynamoDB ignores missing values, and would stay on. `RunTimers` runs every minute, so the sum with its
 * invocations always has a value.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarms-and-missing-data.html
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/using-metric-math.html
 */
export const eventsWithoutFanOut = (watched: Watched): MathExpression =>
  expressionOf(
    `((FILL(written,0)-DIFF(FILL(written,0)))>(${MANY}*(2*FILL(invoked,0)-DIFF(FILL(invoked,0)))))+0*run`,
    {
      written: watched.database.tables.events.metricConsumedWriteCapacityUnits({
        statistic: Stats.SUM,
        period: PERIOD,
      }),
      invoked: functionMetric(watched, 'fan-out-events', 'Invocations'),
      run: functionMetric(watched, 'run-timers', 'Invocations'),
    },
    'Events without fan-out',
  );

/** The number of live carts that were created. */
export const createdLiveCarts = (stage: string): Metric =>
  requestMetric(stage, 'CartsCreated', { operation: 'createCartCheckout', mode: 'live' });

/** The share of 5xx responses, from 0 to 1. API Gateway counts each request as 0 or 1, the canary's included. */
export const serverErrorRate = (api: RestApi): Metric =>
  api.deploymentStage.metricServerError({ statistic: Stats.AVERAGE, period: PERIOD });

/** The 99th percentile of the latency, in milliseconds. */
export const latencyP99 = (api: RestApi): Metric =>
  api.deploymentStage.metricLatency({ statistic: Stats.p(99), period: PERIOD });

/** Requests that got 429 because DynamoDB throttled their key's item. */
export const throttledKeys = (stage: string): Metric => ownMetric('KeysThrottled', { stage });

/** The number of messages that wait in a queue, the largest of a period. */
export const waitingMessages = (queue: IQueue, period = PERIOD): Metric =>
  queue.metricApproximateNumberOfMessagesVisible({ statistic: Stats.MAXIMUM, period });

/**
 * The dead letters that a queue got in five minutes. The SQS metric of sent messages excludes messages that SQS moves there.
 * SQS publishes nothing about a queue that stayed empty for six hours, and is then up to 15 minutes late.
 */
export const newDeadLetters = (queue: IQueue): MathExpression =>
  expressionOf('DIFF(FILL(visible,0))', { visible: waitingMessages(queue) }, 'New dead letters');

/**
 * The age of the oldest message in a queue, in seconds. It shows that nobody receives. SQS leaves out a message that was received
 * three times, so a queue whose function fails looks young.
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-available-cloudwatch-metrics.html
 */
export const oldestMessage = (queue: IQueue): Metric =>
  queue.metricApproximateAgeOfOldestMessage({ statistic: Stats.MAXIMUM, period: PERIOD });

/** A metric that Lambda publishes about a function. It costs nothing. */
export const functionMetric = (
  { functions }: Pick<Watched, 'functions'>,
  functionName: FunctionName,
  metricName: 'Errors' | 'Invocations' | 'IteratorAge',
): IMetric => {
  const lambda = functions.get(functionName);
  if (!lambda) throw new Error(`The stage has no function ${functionName}`);
  // The age of the oldest record of a stream that the function has not handled, in milliseconds.
  const statistic = metricName === 'IteratorAge' ? Stats.MAXIMUM : Stats.SUM;
  return lambda.metric(metricName, { statistic, period: PERIOD });
};
