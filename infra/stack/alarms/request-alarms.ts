import { type Definitions, SERVER_ERROR_RATE_MAX } from './alarm.ts';
import { latencyP99, serverErrorRate, throttledKeys, type Watched } from './metrics.ts';

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
    // A request takes one or two round trips of a few milliseconds. A cold start stays under a second.
    above: 2_000,
    periods: 3,
    effect: 'Merchants wait longer than 2000 ms for one response in a hundred.',
  },
  ThrottledKeys: {
    metric: throttledKeys(watched.name),
    // More throttled requests in five minutes mean that a key needs another limit.
    above: 100,
    periods: 3,
    effect: 'A merchant gets 429 although its bucket has tokens: DynamoDB throttles the item of its key.',
  },
});
