import { type Definitions, errorsOf } from './alarm.ts';
import { functionMetric, waitingMessages, type Watched } from './metrics.ts';

/** The alarms on the events, on their way to the bus and the webhooks. */
export const eventAlarms = (watched: Watched): Definitions => ({
  EventDeadLetters: {
    metric: waitingMessages(watched.queues.eventDeadLetter),
    effect: 'Receivers of the bus and the webhooks miss an event: it could not be sent.',
  },
  FeedLag: {
    metric: functionMetric(watched, 'fan-out-events', 'IteratorAge'),
    // A healthy fan-out handles an event within a second or two.
    above: 5 * 60_000,
    effect: 'Receivers of the bus and the webhooks get events late. The feed has them on time.',
  },
  FanOutEventsErrors: errorsOf(
    watched,
    'fan-out-events',
    'Receivers of the bus and the webhooks get events late: FanOutEvents crashes.',
  ),
});
