import { ERASURE_LAG_HOURS_MAX } from '../../lib/core/metric-names.ts';
import { type Definitions, FAILED_RUNS_MAX } from './alarm-definitions.ts';
import {
  dueLagSeconds,
  erasureLagHours,
  functionMetric,
  liveWebhooks,
  oldestMessage,
  waitingMessages,
  type Watched,
} from './metrics.ts';

/** A healthy fan-out handles an event within a second or two. */
const FEED_LAG_MS_MAX = 5 * 60_000;

/** A healthy stage handles what is due within two minutes. */
const DUE_LAG_SECONDS_MAX = 10 * 60;

/** A healthy stage takes a message within seconds. Attempts after more than 15 minutes wait in their table instead. */
const OLDEST_DELIVERY_SECONDS_MAX = 30 * 60;

/** The alarms on the events about carts, on their way to the bus and the webhooks. */
export const eventAlarms = (watched: Watched): Definitions => ({
  SetAsideRecords: {
    metric: waitingMessages(watched.fanOut.setAside),
    above: 0,
    periods: 1,
    effect: 'Receivers of the bus and the webhooks miss an event: it could not be sent.',
  },
  FeedLag: {
    metric: functionMetric(watched, 'fan-out-events', 'IteratorAge'),
    above: FEED_LAG_MS_MAX,
    periods: 1,
    effect: 'Receivers of the bus and the webhooks get events late. The feed has them on time.',
  },
  DueWorkFailures: {
    metric: functionMetric(watched, 'run-due', 'Errors'),
    above: FAILED_RUNS_MAX,
    periods: 1,
    effect:
      'Merchants learn late of abandoned carts, and failed deliveries are not retried: runs of RunDue fail.',
  },
  DueWorkLag: {
    metric: dueLagSeconds(watched.name),
    above: DUE_LAG_SECONDS_MAX,
    periods: 1,
    effect:
      'Merchants learn late of abandoned carts, and failed deliveries are retried late: runs of RunDue do not keep up, or items fail.',
  },
  DueWorkAbsent: {
    metric: functionMetric(watched, 'run-due', 'Invocations'),
    below: 1,
    periods: 3,
    effect:
      'Merchants learn late of abandoned carts, and failed deliveries are not retried: RunDue does not run.',
  },
  ErasureLag: {
    metric: erasureLagHours(watched.name),
    above: ERASURE_LAG_HOURS_MAX,
    periods: 1,
    effect:
      "The stage keeps buyers' data more than a day longer than it promises: erasures of completed carts fail, or do not keep up. Merchants notice nothing.",
  },
});

/** The alarms on deliveries to webhooks. */
export const webhookAlarms = ({ name, webhooks }: Watched): Definitions => ({
  DisabledEndpoints: {
    metric: liveWebhooks(name, 'EndpointsDisabled'),
    above: 0,
    periods: 1,
    effect:
      'A merchant gets no more events: the service disabled its webhook endpoint, after five days of nothing but failures or a response with 410.',
  },
  WaitingDeliveries: {
    metric: oldestMessage(webhooks.queue),
    above: OLDEST_DELIVERY_SECONDS_MAX,
    periods: 1,
    effect: 'Merchants get webhooks late: deliveries wait in the queue.',
  },
  DeliveryDeadLetters: {
    metric: waitingMessages(webhooks.deadLetters),
    above: 0,
    periods: 1,
    effect:
      'A merchant misses a webhook: DeliverWebhooks could not handle its message, so no attempt is recorded. The feed has the event.',
  },
});
