import { lazySetting } from '../settings/settings.ts';
import type { Mode } from '../stores/mode.ts';
import { type Fields, writeLine } from './logger.ts';
import {
  type CartMetric,
  METRICS_NAMESPACE,
  type MetricName,
  type StageMetric,
  type WebhookMetric,
} from './metric-names.ts';

const stageName = lazySetting('stageName');

const directive = (dimensions: object, metrics: readonly string[]) => ({
  Namespace: METRICS_NAMESPACE,
  Dimensions: [['stage', ...Object.keys(dimensions)]],
  Metrics: metrics.map((Name) => ({ Name })),
});

type Dimensions = Readonly<Record<string, string>>;

/**
 * Metrics in CloudWatch's embedded metric format: fields of a log line, from which CloudWatch extracts them. They need no
 * network call. CloudWatch keeps a value for each minute.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 *
 * @param dimensions the dimensions besides the stage
 * @param values the value of each metric
 * @param further one of the metrics that also counts by other dimensions
 */
export const embeddedMetrics = (
  dimensions: Dimensions,
  values: Readonly<Partial<Record<MetricName, number>>>,
  further?: { readonly metric: MetricName; readonly dimensions: Dimensions },
): Fields => ({
  _aws: {
    Timestamp: Date.now(),
    CloudWatchMetrics: [
      directive(dimensions, Object.keys(values)),
      ...(further ? [directive(further.dimensions, [further.metric])] : []),
    ],
  },
  stage: stageName(),
  ...dimensions,
  ...further?.dimensions,
  ...values,
});

/** Writes a value of a metric of the stage, in a log line of its own. Default: 1 */
export const recordStageMetric = (metric: StageMetric, value = 1): void =>
  writeLine(embeddedMetrics({}, { [metric]: value }));

/** Counts changes of carts of this mode, in a line of its own. Default: 1 */
export const recordCartMetric = (mode: Mode, metric: CartMetric, value = 1): void =>
  writeLine(embeddedMetrics({ mode }, { [metric]: value }));

/** Writes values of metrics of the webhooks of this mode, in a line of its own. */
export const recordWebhookMetrics = (
  mode: Mode,
  values: Readonly<Partial<Record<WebhookMetric, number>>>,
): void => writeLine(embeddedMetrics({ mode }, values));
