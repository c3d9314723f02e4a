/** The metrics that the functions and AWS's services send, as CloudWatch stores them. */

/** A value at a time, in minutes, and how often it was sent. */
interface Sample {
  readonly value: number;
  readonly count: number;
}

/** The samples of a metric, by the minute. */
interface Samples {
  readonly minutes: Map<number, Sample[]>;
  /** How late CloudWatch has a sample of this minute. Absent: it has every sample at once. */
  readonly lateMinutes: ((minute: number) => number) | undefined;
}

/** A metric's name with its dimensions, such as `AWS/Lambda Errors FunctionName=RunTimers`. */
export const metricKey = (
  namespace: string,
  name: string,
  dimensions: Readonly<Record<string, string>>,
): string => {
  const parts = Object.entries(dimensions).map(([key, value]) => `${key}=${value}`);
  return [namespace, name, ...(parts.length > 1 ? parts.toSorted() : parts)].join(' ');
};

/** The metrics that a stage has sent. */
export class Metrics {
  readonly #series = new Map<string, Samples>();

  /** Adds a sample. `lateMinutes`: how late CloudWatch has the samples of a minute, for the whole metric. */
  put(key: string, minute: number, value: number, count = 1, lateMinutes?: Samples['lateMinutes']): void {
    const series = this.#series.get(key) ?? { minutes: new Map<number, Sample[]>(), lateMinutes };
    this.#series.set(key, series);
    const samples = series.minutes.get(minute);
    if (samples) samples.push({ value, count });
    else series.minutes.set(minute, [{ value, count }]);
  }

  /** Whether CloudWatch has every sample of a metric at once. */
  isPunctual(key: string): boolean {
    return this.#series.get(key)?.lateMinutes === undefined;
  }

  /** The value of a statistic over the minutes from `from` to before `to`, as far as it is there at `now`. */
  statistic(key: string, stat: string, from: number, to: number, now: number): number | undefined {
    const series = this.#series.get(key);
    if (!series) return undefined;
    let [count, sum, maximum] = [0, 0, -Infinity];
    const samples: Sample[] = [];
    for (let minute = from; minute < to; minute += 1) {
      if (minute + (series.lateMinutes?.(minute) ?? 0) >= now) continue;
      for (const sample of series.minutes.get(minute) ?? []) {
        samples.push(sample);
        count += sample.count;
        sum += sample.value * sample.count;
        maximum = Math.max(maximum, sample.value);
      }
    }
    if (samples.length === 0) return undefined;
    switch (stat) {
      case 'Sum':
        return sum;
      case 'SampleCount':
        return count;
      case 'Average':
        return sum / count;
      case 'Maximum':
        return maximum;
      case 'p99': {
        let left = 0.99 * count;
        return samples.toSorted((a, b) => a.value - b.value).find((each) => (left -= each.count) <= 0)?.value;
      }
      default:
        throw new Error(`The evaluator knows no statistic ${stat}`);
    }
  }
}

interface MetricLine {
  readonly _aws: {
    readonly CloudWatchMetrics: readonly {
      readonly Namespace: string;
      readonly Dimensions: readonly (readonly string[])[];
      readonly Metrics: readonly { readonly Name: string }[];
    }[];
  };
  readonly [field: string]: unknown;
}

/** A parsed log line. */
export type LogLine = Readonly<Record<string, unknown>>;

const hasMetrics = (line: LogLine): line is MetricLine => '_aws' in line;

/** The metrics of a line with their values. */
const valuesIn = (line: LogLine, stage: string): readonly (readonly [key: string, value: number])[] => {
  if (!hasMetrics(line)) return [];
  return line['_aws'].CloudWatchMetrics.flatMap(({ Namespace, Dimensions, Metrics: all }) =>
    Dimensions.flatMap((names) => {
      const dimensions = Object.fromEntries(
        names.map((name) => [name, name === 'stage' ? stage : String(line[name])]),
      );
      return all.map(({ Name }) => [metricKey(Namespace, Name, dimensions), Number(line[Name])] as const);
    }),
  );
};

/** {@link valuesIn} of lines that many minutes have, by their stage. */
const valuesOfLines = new WeakMap<LogLine, Map<string, ReturnType<typeof valuesIn>>>();

const valuesOf = (line: LogLine, stage: string): ReturnType<typeof valuesIn> => {
  const byStage = valuesOfLines.get(line) ?? new Map<string, ReturnType<typeof valuesIn>>();
  valuesOfLines.set(line, byStage);
  const values = byStage.get(stage) ?? valuesIn(line, stage);
  byStage.set(stage, values);
  return values;
};

/**
 * Adds the metrics of log lines in the embedded metric format.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 *
 * @param stage replaces the stage of the lines, which a test's functions wrote
 * @param times how often the lines were written in this minute
 */
export const putLines = (
  metrics: Metrics,
  minute: number,
  lines: readonly LogLine[],
  { stage, times = 1 }: { readonly stage: string; readonly times?: number },
): void => {
  for (const line of lines)
    for (const [key, value] of valuesOf(line, stage)) metrics.put(key, minute, value, times);
};

type InvocationMetric = 'Invocations' | 'Errors' | 'Throttles';

const INVOCATION_KEYS = new Map<string, Readonly<Record<InvocationMetric, string>>>();

/** The metrics of a function's invocations. A day has thousands of each. */
const invocationKeys = (FunctionName: string, more: Readonly<Record<string, string>>) => {
  const id = [FunctionName, ...Object.values(more)].join(' ');
  const known = INVOCATION_KEYS.get(id);
  if (known) return known;
  const keyOf = (name: InvocationMetric) => metricKey('AWS/Lambda', name, { FunctionName, ...more });
  const keys = {
    Invocations: keyOf('Invocations'),
    Errors: keyOf('Errors'),
    Throttles: keyOf('Throttles'),
  };
  INVOCATION_KEYS.set(id, keys);
  return keys;
};

/** The invocations of a function in a minute. Each of them is a sample of `Errors`. */
export const putInvocations = (
  metrics: Metrics,
  minute: number,
  FunctionName: string,
  { invocations = 0, errors = 0 }: { readonly invocations?: number; readonly errors?: number },
  more: Readonly<Record<string, string>> = {},
): void => {
  const keys = invocationKeys(FunctionName, more);
  const put = (name: keyof typeof keys, value: number, count: number): void => {
    if (count > 0) metrics.put(keys[name], minute, value, count);
  };
  put('Invocations', 1, invocations);
  put('Errors', 1, errors);
  put('Errors', 0, invocations - errors);
  put('Throttles', 0, invocations);
};

/** The metrics of queues that alarms watch. */
type QueueMetric = 'ApproximateNumberOfMessagesVisible' | 'ApproximateAgeOfOldestMessage';

/**
 * A value of a queue in a minute. SQS publishes nothing about a queue that was idle for six hours. Its metrics may then be 15
 * minutes late.
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-monitoring-using-cloudwatch.html
 *
 * @param activeFrom the minute in which the queue became active. Absent if it was never idle
 */
export const putQueue = (
  metrics: Metrics,
  minute: number,
  QueueName: string,
  values: Readonly<Partial<Record<QueueMetric, number>>>,
  activeFrom?: number,
): void => {
  const lateMinutes =
    activeFrom === undefined ? undefined : (at: number) => Math.max(0, activeFrom + 15 - at);
  for (const [name, value] of Object.entries(values)) {
    const key = metricKey('AWS/SQS', name, { QueueName });
    metrics.put(key, minute, value, 1, lateMinutes);
  }
};
