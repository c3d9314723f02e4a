import { Duration } from 'aws-cdk-lib';
import { type IMetric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { FunctionName } from '../../../functions/function-needs.ts';
import type { OperationName } from '../../../functions/operations.ts';
import { ERASURE_LAG_HOURS_MAX } from '../../../lib/timers/report-run.ts';
import {
  clientErrorRate,
  eventsWithoutFanOut,
  failedAttemptsRate,
  failureRate,
  functionMetric,
  latencyP99,
  liveMetric,
  CART_OPERATIONS,
  oldestMessage,
  serverErrorRate,
  stageMetric,
  throttledKeys,
  waitingMessages,
  type Watched,
} from './metrics.ts';

export interface AlarmDefinition {
  readonly metric: IMetric;
  /** The alarm goes off above this value. Default: 0 */
  readonly above?: number;
  /** The alarm goes off below this value instead. A missing value then counts as zero. */
  readonly below?: number;
  /** The last periods of the metric, five minutes unless it states another. Default: 1 */
  readonly periods?: number;
  /** How many of these must be above or below the value. Default: all */
  readonly ofPeriods?: number;
  /** The effect on merchants, in one sentence. The runbook has the rest. */
  readonly effect: string;
}

export type Definitions = Readonly<Record<string, AlarmDefinition>>;

/** A request takes one or two round trips of a few milliseconds. A cold start stays under a second. */
const LATENCY_MS_MAX = 2_000;

/** A healthy operation, and a healthy new version, fails far less. */
export const SERVER_ERROR_RATE_MAX = 0.01;

/** More requests in five minutes mean that a key needs another limit. */
const THROTTLED_KEYS_MAX = 100;

/** Receivers accept nearly all events. If more than half of the attempts fail, the cause may be the service. */
const FAILED_ATTEMPTS_RATE_MAX = 0.5;

/** With fewer attempts in five minutes, one broken receiver alone would exceed the share. */
const ATTEMPTS_MIN = 20;

/** A healthy fan-out handles an event within a second or two. */
const FEED_LAG_MS_MAX = 5 * 60_000;

/** A healthy stage handles what is due within two minutes. */
const DUE_LAG_SECONDS_MAX = 10 * 60;

/** A message may be delayed by 15 minutes. */
const OLDEST_DELIVERY_SECONDS_MAX = 30 * 60;

/** A healthy stage takes a message within seconds. */
const DELIVERY_LAG_SECONDS_MAX = 10 * 60;

/** A short disturbance at the border of two periods counts in both. One that lasts counts in all three. */
export const LASTING_PERIODS = 3;

/** Merchants poll known carts, so nearly all responses are 2xx. One broken merchant among five is worth a look. */
const CLIENT_ERROR_RATE_MAX = 0.2;

/** With fewer requests in five minutes, one merchant's typing error is a large share. */
const CLIENT_ERROR_REQUESTS_MIN = 20;

/**
 * An item that fails is tried again after 15 or 16 minutes, so each half an hour has a failure. Three of these have more than a
 * single failure and its repetition: those happen on healthy days.
 */
const FAILING_ITEM = { period: Duration.minutes(30), periods: 3 } as const;

/** More failures than this in a period of five runs, so that one slow run notifies nobody. */
const FAILED_RUNS_MAX = 2;

/** The alarms on each operation. A common alarm would hide an outage of creations among the many retrievals. */
const operationAlarms = (watched: Watched): Definitions => {
  const nameOf = (operation: OperationName): string =>
    operation.replace(/^./, (first) => first.toUpperCase());
  return Object.fromEntries(
    CART_OPERATIONS.map((operation) => [
      `${nameOf(operation)}Failures`,
      {
        metric: failureRate(watched, operation),
        above: SERVER_ERROR_RATE_MAX,
        periods: 2,
        effect: `Merchants get 5xx for more than ${100 * SERVER_ERROR_RATE_MAX} percent of their ${operation} requests.`,
      },
    ]),
  );
};

/** The alarms on the responses of the gateway and the functions. */
export const requestAlarms = (watched: Watched): Definitions => ({
  ServerErrors: {
    metric: serverErrorRate(watched.api),
    above: SERVER_ERROR_RATE_MAX,
    periods: 2,
    effect: `Merchants and buyers get 5xx for more than ${100 * SERVER_ERROR_RATE_MAX} percent of all requests.`,
  },
  Latency: {
    metric: latencyP99(watched.api),
    above: LATENCY_MS_MAX,
    periods: 3,
    effect: `Merchants wait longer than ${LATENCY_MS_MAX} ms for one response in a hundred.`,
  },
  ThrottledKeys: {
    metric: throttledKeys(watched.name),
    above: THROTTLED_KEYS_MAX,
    periods: 3,
    effect: 'A merchant gets 429 although its bucket has tokens: DynamoDB throttles the item of its key.',
  },
});

/** The alarm on crashes, time limits and lacks of memory of a function, whose log lines then show nothing. */
export const errorsOf = (watched: Watched, functionName: FunctionName, effect: string): AlarmDefinition => ({
  metric: functionMetric(watched, functionName, 'Errors'),
  periods: LASTING_PERIODS,
  effect,
});

/** The alarms on the events about carts, on their way to the bus and the webhooks. */
export const eventAlarms = (watched: Watched): Definitions => ({
  EventDeadLetters: {
    metric: waitingMessages(watched.queues.eventDeadLetter),
    effect: 'Receivers of the bus and the webhooks miss an event: it could not be sent.',
  },
  FeedLag: {
    metric: functionMetric(watched, 'fan-out-events', 'IteratorAge'),
    above: FEED_LAG_MS_MAX,
    effect: 'Receivers of the bus and the webhooks get events late. The feed has them on time.',
  },
  FanOutEventsErrors: errorsOf(
    watched,
    'fan-out-events',
    'Receivers of the bus and the webhooks get events late: FanOutEvents crashes.',
  ),
  DueWorkFailures: {
    metric: functionMetric(watched, 'run-timers', 'Errors'),
    above: FAILED_RUNS_MAX,
    effect:
      'Merchants learn late of abandoned carts, and failed deliveries are not retried: runs of RunTimers fail.',
  },
  DueWorkLag: {
    metric: stageMetric(watched.name, 'DueLagSeconds', Stats.MAXIMUM),
    above: DUE_LAG_SECONDS_MAX,
    effect:
      'Merchants learn late of abandoned carts, and failed deliveries are retried late: runs of RunTimers do not keep up, or items fail.',
  },
  DueWorkAbsent: {
    metric: functionMetric(watched, 'run-timers', 'Invocations'),
    below: 1,
    periods: 3,
    effect:
      'Merchants learn late of abandoned carts, and failed deliveries are not retried: RunTimers does not run.',
  },
  DueItemsFailing: {
    metric: stageMetric(watched.name, 'DueItemsFailed', Stats.SUM, FAILING_ITEM.period),
    periods: FAILING_ITEM.periods,
    effect:
      'An abandonment, a repeated delivery or an erasure does not happen: items of RunTimers have failed again and again, for an hour.',
  },
  ErasureLag: {
    metric: stageMetric(watched.name, 'ErasureLagHours', Stats.MAXIMUM),
    above: ERASURE_LAG_HOURS_MAX,
    effect:
      "The stage keeps buyers' data more than a day longer than it promises: erasures of completed carts fail, or do not keep up. Merchants notice nothing.",
  },
});

/** The alarms on deliveries to webhooks. */
export const webhookAlarms = (watched: Watched): Definitions => ({
  DisabledEndpoints: {
    metric: liveMetric(watched.name, 'EndpointsDisabled'),
    effect:
      'A merchant gets no more events: the service disabled its webhook endpoint, after five days of nothing but failures or a response with 410.',
  },
  // Late deliveries of test mode need no alarm.
  WaitingDeliveries: {
    metric: oldestMessage(watched.queues.delivery),
    above: OLDEST_DELIVERY_SECONDS_MAX,
    effect: 'Merchants get no live webhooks: no function receives the deliveries to quick endpoints.',
  },
  WaitingSlowDeliveries: {
    metric: oldestMessage(watched.queues.slowDelivery),
    above: OLDEST_DELIVERY_SECONDS_MAX,
    effect:
      'Merchants get no live webhooks: no function receives the deliveries to endpoints that are new, slow or failing.',
  },
  LateDeliveries: {
    metric: liveMetric(watched.name, 'DeliveryLagSeconds', Stats.MAXIMUM),
    above: DELIVERY_LAG_SECONDS_MAX,
    effect: 'Merchants get live webhooks late: DeliverWebhooks does not keep up.',
  },
  InterruptedDeliveries: {
    metric: liveMetric(watched.name, 'DeliveriesInterrupted'),
    periods: LASTING_PERIODS,
    effect:
      'Merchants get live webhooks late: DeliverWebhooks cannot handle messages, or send parked deliveries.',
  },
  DeliverWebhooksErrors: errorsOf(
    watched,
    'deliver-webhooks',
    'Merchants get webhooks late: DeliverWebhooks crashes.',
  ),
  DeliveryDeadLetters: {
    metric: waitingMessages(watched.queues.deliveryDeadLetter),
    effect:
      'A merchant misses a webhook: DeliverWebhooks could not handle its message, so no attempt is recorded. The feed has the event.',
  },
});

const liveAlarms = (watched: Watched): Definitions => ({
  ClientErrors: {
    metric: clientErrorRate(watched.name, CLIENT_ERROR_REQUESTS_MIN),
    above: CLIENT_ERROR_RATE_MAX,
    periods: 3,
    effect: `Merchants get 4xx for more than ${100 * CLIENT_ERROR_RATE_MAX} percent of their live requests.`,
  },
  // An idle event source has no age of records, so `FeedLag` misses a fan-out that does not run.
  FanOutAbsent: {
    metric: eventsWithoutFanOut(watched),
    effect:
      'Receivers of the bus and the webhooks get no events: FanOutEvents does not run. The feed has them.',
  },
  FailingDeliveries: {
    metric: failedAttemptsRate(watched.name, ATTEMPTS_MIN),
    above: FAILED_ATTEMPTS_RATE_MAX,
    periods: 3,
    effect: `Merchants miss webhooks: more than ${100 * FAILED_ATTEMPTS_RATE_MAX} percent of the attempts fail.`,
  },
});

/**
 * The alarms of a stage with live traffic. Those on 4xx and on webhooks count live mode alone. The alarms on operations
 * ignore the canary's requests, unless the function crashed or did not start.
 */
export const trafficAlarms = (watched: Watched): Definitions => ({
  ...operationAlarms(watched),
  ...liveAlarms(watched),
});

/** The alarms on the canary. */
export const canaryAlarms = (canary: IFunction): Definitions => ({
  CanaryFailures: {
    metric: canary.metricErrors({ statistic: Stats.SUM }),
    above: FAILED_RUNS_MAX,
    effect: 'Merchants probably cannot create or retrieve carts: the canary cannot.',
  },
  CanaryAbsent: {
    metric: canary.metricInvocations({ statistic: Stats.SUM }),
    below: 1,
    periods: 3,
    effect: 'Nobody would notice an outage at night: the canary does not run.',
  },
});
