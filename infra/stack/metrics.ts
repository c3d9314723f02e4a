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

/** What alarms and dashboard watch. */
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

/** A count of the service's own, over five minutes. */
export const serviceMetric = (stage: string, metricName: MetricName): Metric =>
  new Metric({
    namespace: METRICS_NAMESPACE,
    metricName,
    dimensionsMap: { stage },
    statistic: Stats.SUM,
    period: PERIOD,
  });

/** The share of requests that are answered 5xx, from 0 to 1: API Gateway counts each request as 0 or 1. */
export const serverErrorRate = (api: RestApi): Metric =>
  api.deploymentStage.metricServerError({ statistic: Stats.AVERAGE, period: PERIOD });

/** The time that all but one of a hundred requests stay under, in milliseconds. */
export const latencyP99 = (api: RestApi): Metric =>
  api.deploymentStage.metricLatency({ statistic: Stats.p(99), period: PERIOD });

/**
 * Requests that were answered 429 because DynamoDB would not write their key's item so fast. Reads of a key are no part: an
 * item takes three times as many, and only those of an empty bucket read.
 */
export const throttledKeys = ({ apiKeys }: Database): Metric =>
  apiKeys.metric('ThrottledRequests', {
    dimensionsMap: { TableName: apiKeys.tableName, Operation: Operation.UPDATE_ITEM },
    statistic: Stats.SUM,
    period: PERIOD,
  });

/** Payment events that wait for an operator. */
export const deadLetters = ({ deadLetters: queue }: Payments): Metric =>
  queue.metricApproximateNumberOfMessagesVisible({ statistic: Stats.MAXIMUM, period: PERIOD });

/** How long the oldest message of a queue has waited, in seconds. */
export const oldestMessage = (queue: IQueue): Metric =>
  queue.metricApproximateAgeOfOldestMessage({ statistic: Stats.MAXIMUM, period: PERIOD });

/** Runs of the pipe that did not bring a change of status to the bus. */
export const failedStatusEvents = ({ pipeName }: StatusEvents): Metric =>
  new Metric({
    namespace: 'AWS/EventBridge/Pipes',
    metricName: 'ExecutionFailed',
    dimensionsMap: { PipeName: pipeName },
    statistic: Stats.SUM,
    period: PERIOD,
  });
