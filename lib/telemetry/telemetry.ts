import { lazySetting } from '../settings/settings.ts';
import type { Mode } from '../stores/mode.ts';
import {
  type CartMetric,
  METRICS_NAMESPACE,
  type MetricName,
  type StageMetric,
  type WebhookMetric,
} from './metric-names.ts';

const stageName = lazySetting('stageName');

// The first access opens the stream in about a millisecond. It happens here, at cold start, and not in a request.
const { stdout } = process;

type Fields = Readonly<Record<string, unknown>>;

// Not `console`: Lambda wraps its lines, and CloudWatch extracts metrics only from lines with `_aws` at their top level.
const writeLine = (entry: Fields): void => void stdout.write(`${JSON.stringify(entry)}\n`);

/** The X-Ray trace id of the current request, if X-Ray keeps its trace. Only Lambda sets it. */
const sampledTraceId = (): string | undefined => {
  const header = process.env['_X_AMZN_TRACE_ID'];
  return header?.includes('Sampled=1') ? header.match(/Root=([^;]+)/)?.[1] : undefined;
};

const write = (level: 'WARN' | 'ERROR' | undefined, message: string | undefined, fields: Fields): void =>
  writeLine({
    level,
    message,
    // A line with metrics has its time in `_aws`.
    timestamp: '_aws' in fields ? undefined : new Date().toISOString(),
    xray_trace_id: sampledTraceId(),
    ...fields,
  });

/**
 * Writes one JSON line per entry to standard output. Never pass it a whole event, header, body or error. CloudWatch bills
 * each byte: a line without a level is information, and the log group names the service.
 *
 * Powertools' logger and metrics would make every cold start a tenth longer.
 */
export const logger = {
  /** Writes the line of a request, which has no message. */
  request: (fields: Fields): void => write(undefined, undefined, fields),
  info: (message: string, fields: Fields): void => write(undefined, message, fields),
  warn: (message: string, fields: Fields): void => write('WARN', message, fields),
  error: (message: string, fields: Fields): void => write('ERROR', message, fields),
};

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
