import { Logger } from '@aws-lambda-powertools/logger';
import { Metrics } from '@aws-lambda-powertools/metrics';

const SERVICE_NAME = 'cart-checkout';

/** One JSON line per entry on standard output. Never pass it an event, a header, a body or an error as it is. */
export const logger = new Logger({ serviceName: SERVICE_NAME });

const metrics = new Metrics({ serviceName: SERVICE_NAME, namespace: 'CartCheckout' });

/** The metrics of this service; each is a count. */
export type MetricName = 'CartsCreated' | 'CartsReplayed' | 'RequestsLimited' | 'DatabaseUnavailable';

/** Counts one occurrence, as a CloudWatch metric in a log line: no network call. */
export const count = (metric: MetricName): void => {
  metrics.singleMetric().addMetric(metric, 'Count', 1);
};
