import { capitalised } from '../../../lib/core/letter-case.ts';
import { type Definitions, SERVER_ERROR_RATE_MAX } from './alarm.ts';
import {
  ALARMED_OPERATIONS,
  clientErrorRate,
  eventsWithoutFanOut,
  failedAttemptsRate,
  failureRate,
  type Watched,
} from './metrics.ts';

/** The alarms on each operation. A common alarm would hide an outage of creations among the many retrievals. */
const operationAlarms = (watched: Watched): Definitions =>
  Object.fromEntries(
    ALARMED_OPERATIONS.map((operation) => [
      `${capitalised(operation)}Failures`,
      {
        metric: failureRate(watched, operation),
        above: SERVER_ERROR_RATE_MAX,
        periods: 2,
        effect: `Merchants get 5xx for more than ${100 * SERVER_ERROR_RATE_MAX} percent of their ${operation} requests.`,
      },
    ]),
  );

/**
 * The alarms of a stage with live traffic. Those on 4xx and on webhooks count live mode alone. The alarms on operations
 * ignore the canary's requests, unless the function crashed or did not start.
 */
export const trafficAlarms = (watched: Watched): Definitions => ({
  ...operationAlarms(watched),
  ClientErrors: {
    // With fewer requests in five minutes, one merchant's typing error is a large share.
    metric: clientErrorRate(watched.name, 20),
    // Merchants poll known carts, so nearly all responses are 2xx. One broken merchant among five is worth a look.
    above: 0.2,
    periods: 3,
    effect: 'Merchants get 4xx for more than 20 percent of their live requests.',
  },
  // An idle event source has no age of records, so `FeedLag` misses a fan-out that does not run.
  FanOutAbsent: {
    metric: eventsWithoutFanOut(watched),
    effect:
      'Receivers of the bus and the webhooks get no events: FanOutEvents does not run. The feed has them.',
  },
  FailingDeliveries: {
    // With fewer attempts in five minutes, one broken receiver alone would exceed the share.
    metric: failedAttemptsRate(watched.name, 20),
    // Receivers accept nearly all events. If more than half of the attempts fail, the cause may be the service.
    above: 0.5,
    periods: 3,
    effect: 'Merchants miss webhooks: more than 50 percent of the attempts fail.',
  },
});
