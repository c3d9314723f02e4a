import { Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { type Definitions, errorsOf, LASTING_PERIODS } from './alarm.ts';
import { liveMetric, oldestMessage, waitingMessages, type Watched } from './metrics.ts';

/** A message may be delayed by 15 minutes. */
const OLDEST_DELIVERY_SECONDS_MAX = 30 * 60;

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
    // A healthy stage takes a message within seconds.
    above: 10 * 60,
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
