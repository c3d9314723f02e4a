import { type IMetric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { OperationName } from '../../functions/operations.ts';
import type { Canary } from './canary.ts';
import {
  clientErrorRate,
  eventsWithoutFanOut,
  failedAttemptsRate,
  failureRate,
  latencyP99,
  CART_OPERATIONS,
  newDeadLetters,
  oldestMessage,
  serverErrorRate,
  stageMetric,
  throttledKeys,
  waitingMessages,
  type Watched,
} from './metrics.ts';

interface AlarmCondition {
  readonly metric: IMetric;
  /** Consecutive periods of the metric, five minutes unless it states another. */
  readonly periods: number;
  /** The effect on merchants, in one sentence. The runbook has the rest. */
  readonly effect: string;
}

/** The alarm goes off above a value, or below one. Below one, a missing value counts as zero. */
export type AlarmDefinition = AlarmCondition &
  ({ readonly above: number; readonly below?: never } | { readonly below: number; readonly above?: never });

export type Definitions = Readonly<Record<string, AlarmDefinition>>;

/** A request takes one or two round trips of a few milliseconds. A cold start stays under a second. */
const LATENCY_MS_MAX = 2_000;

const SERVER_ERROR_RATE_MAX = 0.01;

/** A few throttled requests concern one merchant. More mean that a key needs another limit. */
const THROTTLED_KEYS_MAX = 100;

/** Longer than all retries together: no function receives payment events. */
const OLDEST_PAYMENT_SECONDS_MAX = 15 * 60;

/** Receivers accept nearly all events. If more than half of the attempts fail, the cause may be the service. */
const FAILED_ATTEMPTS_RATE_MAX = 0.5;

/** With fewer attempts in five minutes, one broken receiver alone would exceed the share. */
const ATTEMPTS_MIN = 20;

/** Two days before SQS deletes the message. */
const OLDEST_DEAD_LETTER_SECONDS_MAX = 12 * 86_400;

/** Merchants poll known carts, so nearly all responses are 2xx. One broken merchant among five is worth a look. */
const CLIENT_ERROR_RATE_MAX = 0.2;

/** With fewer requests in five minutes, one merchant's typing error is a large share. */
const CLIENT_ERROR_REQUESTS_MIN = 20;

/** More failures than this in a period of five runs, so that one slow run notifies nobody. */
export const FAILED_RUNS_MAX = 2;

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
    metric: throttledKeys(watched.database),
    above: THROTTLED_KEYS_MAX,
    periods: 3,
    effect: 'A merchant gets 429 although its bucket has tokens: DynamoDB throttles the item of its key.',
  },
});

/** The alarms on payment events. */
export const paymentAlarms = ({ name, payments, expectsTraffic }: Watched): Definitions => ({
  DeadLetters: {
    // A stage of a branch gets few payments, and the emulator of its tests knows no expressions.
    metric: expectsTraffic ? newDeadLetters(payments.deadLetters) : waitingMessages(payments.deadLetters),
    above: 0,
    periods: 1,
    effect: `A buyer may have paid for a cart that is not completed: a new payment event could not be recorded.`,
  },
  OldDeadLetters: {
    metric: oldestMessage(payments.deadLetters),
    above: OLDEST_DEAD_LETTER_SECONDS_MAX,
    periods: 1,
    effect: `SQS deletes a dead letter in two days, and its payment is then lost.`,
  },
  WaitingPayments: {
    metric: oldestMessage(payments.queue),
    above: OLDEST_PAYMENT_SECONDS_MAX,
    periods: 1,
    effect: 'Merchants still see paid carts as unpaid: payment events wait in the queue.',
  },
  DuplicatePayments: {
    metric: stageMetric(name, 'DuplicatePayments'),
    above: 0,
    periods: 1,
    effect: 'A buyer paid a completed cart once more: the second payment needs a refund.',
  },
  AmountMismatches: {
    metric: stageMetric(name, 'AmountMismatches'),
    above: 0,
    periods: 1,
    effect: `A buyer paid an amount or currency that is not the cart's, so the cart is not completed. Or a refund has another currency.`,
  },
  ExcessRefunds: {
    metric: stageMetric(name, 'ExcessRefunds'),
    above: 0,
    periods: 1,
    effect: 'A buyer got back more than the payment: the refunds of a payment exceed its amount.',
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
    above: 0,
    periods: 1,
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
export const canaryAlarms = ({ lambda }: Canary): Definitions => ({
  CanaryFailures: {
    metric: lambda.metricErrors({ statistic: Stats.SUM }),
    above: FAILED_RUNS_MAX,
    periods: 1,
    effect: 'Merchants probably cannot create or retrieve carts: the canary cannot.',
  },
  CanaryAbsent: {
    metric: lambda.metricInvocations({ statistic: Stats.SUM }),
    below: 1,
    periods: 3,
    effect: 'Nobody would notice an outage at night: the canary does not run.',
  },
});
