import { readEnv } from './env.ts';
import { METRICS_NAMESPACE, type MetricName } from './metric-names.ts';

const { stageName } = readEnv(['stageName'], process.env);

// The first access opens the stream in about a millisecond. It happens here, at cold start, and not in a request.
const { stdout } = process;

type Fields = Readonly<Record<string, unknown>>;

// Not `console`: Lambda adds text to its lines, and CloudWatch extracts metrics only from lines of pure JSON.
const writeLine = (entry: Fields): void => {
  stdout.write(`${JSON.stringify(entry)}\n`);
};

/** The X-Ray trace id of the current request. Only Lambda sets it. */
const traceId = (): string | undefined => process.env['_X_AMZN_TRACE_ID']?.match(/Root=([^;]+)/)?.[1];

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
 * Writes one JSON line per entry to standard output. Never pass it a whole event, header, body or error.
 *
 * Powertools' logger and metrics would make every cold start a tenth longer.
 */
export const logger = { info: log('INFO'), warn: log('WARN'), error: log('ERROR') };

/**
 * Counts one occurrence. It writes a log line in CloudWatch's embedded metric format and makes no network call.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
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
