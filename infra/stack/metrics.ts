import { Duration } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { Operation } from 'aws-cdk-lib/aws-dynamodb';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { METRICS_NAMESPACE, type MetricName } from '../../lib/metric-names.ts';
import type { Database } from './database.ts';
import type { Payments } from './payments.ts';
import type { ServiceFunction } from './service-function.ts';
import type { StageConfig } from '../stages.ts';
import type { StatusEvents } from './status-events.ts';

/** The resources whose metrics the alarms and the dashboard use. */
export interface Watched extends Pick<StageConfig, 'name'> {
  readonly api: RestApi;
  readonly database: Database;
  readonly payments: Payments;
  readonly statusEvents: StatusEvents;
  readonly functions: readonly ServiceFunction[];
  /** The functions that merchants call with an API key. */
  readonly apiFunctions: readonly ServiceFunction[];
}

const PERIOD = Duration.minutes(5);

/** The sum of one of the service's own counts over five minutes. */
export const serviceMetric = (stage: string, metricName: MetricName): Metric =>
  new Metric({
    namespace: METRICS_NAMESPACE,
    metricName,
    dimensionsMap: { stage },
    statistic: Stats.SUM,
    period: PERIOD,
  });

/** The share of 5xx responses, from 0 to 1. API Gateway counts each request as 0 or 1. */
export const serverErrorRate = (api: RestApi): Metric =>
  api.deploymentStage.metricServerError({ statistic: Stats.AVERAGE, period: PERIOD });

/** The 99th percentile of the latency, in milliseconds. */
export const latencyP99 = (api: RestApi): Metric =>
  api.deploymentStage.metricLatency({ statistic: Stats.p(99), period: PERIOD });

/**
 * Requests that got 429 because DynamoDB throttled writes to their key's item. Reads are excluded: an item takes three times
 * as many reads as writes, and only requests with an empty bucket read.
 */
export const throttledKeys = ({ apiKeys }: Database): Metric =>
  apiKeys.metric('ThrottledRequests', {
    dimensionsMap: { TableName: apiKeys.tableName, Operation: Operation.UPDATE_ITEM },
    statistic: Stats.SUM,
    period: PERIOD,
  });

/** The number of dead letters: payment events that wait for an operator. */
export const deadLetters = ({ deadLetters: queue }: Payments): Metric =>
  queue.metricApproximateNumberOfMessagesVisible({ statistic: Stats.MAXIMUM, period: PERIOD });

/** The age of the oldest message in a queue, in seconds. */
export const oldestMessage = (queue: IQueue): Metric =>
  queue.metricApproximateAgeOfOldestMessage({ statistic: Stats.MAXIMUM, period: PERIOD });

/** Runs of a pipe that failed to send a change of status to the bus. */
export const failedStatusEvents = (pipeName: string): Metric =>
  new Metric({
    namespace: 'AWS/EventBridge/Pipes',
    metricName: 'ExecutionFailed',
    dimensionsMap: { PipeName: pipeName },
    statistic: Stats.SUM,
    period: PERIOD,
  });
