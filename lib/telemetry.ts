import { readEnv } from './env.ts';
import { METRICS_NAMESPACE, type MetricName } from './metric-names.ts';

const { stageName } = readEnv(['stageName'], process.env);

// The stream opens when it is first asked for, which takes a millisecond: at cold start rather than in a request.
const { stdout } = process;

type Fields = Readonly<Record<string, unknown>>;

// Not the console: Lambda puts text before its lines, and CloudWatch extracts metrics only from a line of pure JSON.
const writeLine = (entry: Fields): void => {
  stdout.write(`${JSON.stringify(entry)}\n`);
};

/** The trace of the request that is running, by which a log line is found from X-Ray; Lambda sets it, if anybody does. */
const traceId = (): string | undefined => /Root=([^;]+)/.exec(process.env['_X_AMZN_TRACE_ID'] ?? '')?.[1];

const log =
  (level: 'INFO' | 'WARN' | 'ERROR') =>
  (message: string, fields: Fields): void =>
    writeLine({
      level,
      message,
      timestamp: new Date().toISOString(),
      service: 'cart-checkout',
      xray_trace_id: traceId(),
      ...fields,
    });

/**
 * One JSON line per entry on standard output. Never pass it an event, a header, a body or an error as it is.
 *
 * Our own, because Powertools' logger and metrics would lengthen every cold start by a tenth of it.
 */
export const logger = { info: log('INFO'), warn: log('WARN'), error: log('ERROR') };

/**
 * Counts one occurrence, with the stage as the metric's dimension: a log line in CloudWatch's embedded metric format,
 * so no network call. https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */
export const count = (metric: MetricName): void =>
  writeLine({
    _aws: {
      Timestamp: Date.now(),
      CloudWatchMetrics: [
        {
          Namespace: METRICS_NAMESPACE,
          Dimensions: [['stage']],
          Metrics: [{ Name: metric, Unit: 'Count' }],
        },
      ],
    },
    stage: stageName,
    [metric]: 1,
  });
