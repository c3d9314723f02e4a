import { metricKey, type Metrics } from './stored-metrics.ts';

/** Alarms of CloudWatch, evaluated as AWS documents it. `test/support/cloudwatch/cloudwatch.test.ts` checks it by AWS's tables. */

interface MetricIdentity {
  readonly Namespace: string;
  readonly MetricName: string;
  readonly Dimensions?: readonly { readonly Name: string; readonly Value: unknown }[];
}

/** The properties of an alarm in a template. */
export interface AlarmProperties extends Partial<MetricIdentity> {
  readonly Metrics?: readonly {
    readonly Id: string;
    readonly Expression?: string;
    readonly MetricStat?: { readonly Metric: MetricIdentity; readonly Period: number; readonly Stat: string };
  }[];
  readonly Statistic?: string;
  readonly ExtendedStatistic?: string;
  readonly Period?: number;
  readonly Threshold: number;
  readonly ComparisonOperator: string;
  readonly EvaluationPeriods: number;
  readonly DatapointsToAlarm?: number;
  readonly TreatMissingData: string;
}

export type AlarmState = 'OK' | 'ALARM' | 'INSUFFICIENT_DATA';

/** The values of the periods of an evaluation, the oldest first. A missing value is `undefined`. */
type Series = readonly (number | undefined)[];
type Operand = number | Series;

const isEmpty = (series: Series): boolean => series.every((value) => value === undefined);

/** A missing value counts as 0 if the other series has one. With a number, it stays missing. */
const combine = (a: Operand, b: Operand, operate: (a: number, b: number) => number): Operand => {
  if (typeof a === 'number' && typeof b === 'number') return operate(a, b);
  const length = typeof a === 'number' ? (b as Series).length : a.length;
  const isOfNumber = typeof a === 'number' || typeof b === 'number';
  const result: (number | undefined)[] = [];
  for (let index = 0; index < length; index += 1) {
    const left = typeof a === 'number' ? a : a[index];
    const right = typeof b === 'number' ? b : b[index];
    const missing = Number(left === undefined) + Number(right === undefined);
    const value = missing > (isOfNumber ? 0 : 1) ? Number.NaN : operate(left ?? 0, right ?? 0);
    // A division by zero has no value.
    result.push(Number.isFinite(value) ? value : undefined);
  }
  return result;
};

const OPERATORS: Readonly<Record<string, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '>': (a, b) => Number(a > b),
  '>=': (a, b) => Number(a >= b),
};

const PRECEDENCE = [
  ['>', '>='],
  ['+', '-'],
  ['*', '/'],
] as const;

const FUNCTIONS: Readonly<Record<string, (args: readonly Operand[]) => Operand>> = {
  // A metric without any value is absent, even if it is filled.
  FILL: ([series, filler]) =>
    isEmpty(series as Series) ? series! : (series as Series).map((value) => value ?? (filler as number)),
  DIFF: ([series]) => {
    let before: number | undefined;
    return (series as Series).map((value) => {
      const difference = value === undefined || before === undefined ? undefined : value - before;
      before = value ?? before;
      return difference;
    });
  },
  IF: ([condition, then, otherwise]) =>
    (condition as Series).map((value, index) => {
      if (value === undefined) return undefined;
      const chosen = (value === 0 ? otherwise : then)!;
      if (typeof chosen === 'number') return chosen;
      return chosen[index] ?? (value === 0 ? undefined : 0);
    }),
};

/** Finds the series of a metric of an alarm. */
type SeriesOf = (id: string) => Series | undefined;
type Compiled = (series: SeriesOf) => Operand;

/**
 * Parses an expression of metric math, which an alarm evaluates thousands of times. Returns what finds its value.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/using-metric-math.html
 */
const compile = (expression: string): ((series: SeriesOf) => Series) => {
  const tokens = expression.match(/>=|[-+*/>(),]|\d+(?:\.\d+)?|\w+/g) ?? [];
  const list = (): Compiled[] => {
    const items = [binary(0)];
    while (tokens[0] === ',') {
      tokens.shift();
      items.push(binary(0));
    }
    if (tokens.shift() !== ')') throw new Error(`The expression needs ): ${expression}`);
    return items;
  };
  const primary = (): Compiled => {
    const token = tokens.shift() ?? '';
    if (token === '(') return list()[0]!;
    if (/^\d/.test(token)) return () => Number(token);
    const call = FUNCTIONS[token];
    if (call && tokens.shift() === '(') {
      const args = list();
      return (series) => call(args.map((arg) => arg(series)));
    }
    return (series) => {
      const value = series(token);
      if (!value) throw new Error(`The evaluator knows no ${token}`);
      return value;
    };
  };
  const binary = (level: number): Compiled => {
    const operators: readonly string[] | undefined = PRECEDENCE[level];
    if (!operators) return primary();
    let left = binary(level + 1);
    while (operators.includes(tokens[0] ?? '')) {
      const operate = OPERATORS[tokens.shift()!]!;
      const [first, second] = [left, binary(level + 1)];
      left = (series) => combine(first(series), second(series), operate);
    }
    return left;
  };
  const valueOf = binary(0);
  return (series) => {
    const value = valueOf(series);
    if (typeof value === 'number' || tokens.length > 0) throw new Error(`It is no series: ${expression}`);
    return value;
  };
};

/** The value of an expression of metric math. */
export const evaluate = (expression: string, series: Readonly<Record<string, Series>>): Series =>
  compile(expression)((id) => series[id]);

/** CloudWatch retrieves more periods than it evaluates: in AWS's tables, five for three. */
const EXTRA_PERIODS = 2;

/**
 * The next state of an alarm.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarms-and-missing-data.html
 *
 * @param points whether each period of the evaluation range breaches, the oldest first. `undefined`: it has no value
 */
export const nextState = (
  points: readonly (boolean | undefined)[],
  {
    EvaluationPeriods,
    DatapointsToAlarm = EvaluationPeriods,
    TreatMissingData,
  }: Pick<AlarmProperties, 'EvaluationPeriods' | 'DatapointsToAlarm' | 'TreatMissingData'>,
  state: AlarmState,
): AlarmState => {
  const real = points.filter((point) => point !== undefined);
  const breaching = real.slice(-EvaluationPeriods).filter(Boolean).length;
  const filled = Math.max(0, EvaluationPeriods - real.length);
  const isOver = (count: number): AlarmState => (count >= DatapointsToAlarm ? 'ALARM' : 'OK');
  if (filled === 0 || TreatMissingData === 'notBreaching') return isOver(breaching);
  if (TreatMissingData === 'breaching') return isOver(breaching + filled);
  const isUndecided = breaching < DatapointsToAlarm && breaching === real.length;
  if (!isUndecided) return isOver(breaching);
  if (TreatMissingData === 'ignore') return state;
  if (real.length === 0) return 'INSUFFICIENT_DATA';
  // "Premature": the breaching point is old enough that a later one would have contradicted it.
  return points.length - points.indexOf(true) >= DatapointsToAlarm ? 'ALARM' : state;
};

/** Finds the text of a dimension's value, which may be a reference to a resource of the template. */
type Resolve = (value: unknown) => string;

/** One of the metrics of an alarm. */
interface Input {
  readonly id: string;
  readonly key: string;
  readonly stat: string;
  /** The values of the windows that no later sample changes, by their ends. */
  readonly known: Map<number, number | undefined>;
}

/** The period of an alarm, in minutes: the longest of its metrics. */
export const periodMinutesOf = ({ Period = 0, Metrics = [] }: AlarmProperties): number =>
  Math.max(Period, ...Metrics.map(({ MetricStat }) => MetricStat?.Period ?? 0)) / 60;

/** An alarm of a template, on metrics whose samples are all there before the first evaluation. */
export class Alarm {
  readonly #properties: AlarmProperties;
  readonly #rules: Parameters<typeof nextState>[1];
  readonly #metrics: Metrics;
  readonly #inputs: readonly Input[];
  readonly #evaluate: (series: SeriesOf) => Series;
  readonly periodMinutes: number;
  state: AlarmState = 'OK';

  constructor(properties: AlarmProperties, metrics: Metrics, resolve: Resolve) {
    this.#properties = properties;
    this.#metrics = metrics;
    const { Metrics: all = [], Statistic, ExtendedStatistic, ...single } = properties;
    const keyOf = ({ Namespace, MetricName, Dimensions = [] }: MetricIdentity): string => {
      const dimensions = Dimensions.map(({ Name, Value }) => [Name, resolve(Value)] as const);
      return metricKey(Namespace, MetricName, Object.fromEntries(dimensions));
    };
    this.#inputs =
      all.length === 0
        ? [
            {
              id: 'm',
              key: keyOf(single as MetricIdentity),
              stat: Statistic ?? ExtendedStatistic ?? '',
              known: new Map(),
            },
          ]
        : all.flatMap(({ Id: id, MetricStat }) =>
            MetricStat
              ? [{ id, key: keyOf(MetricStat.Metric), stat: MetricStat.Stat, known: new Map() }]
              : [],
          );
    this.#evaluate = compile(all.find(({ Expression }) => Expression)?.Expression ?? 'm');
    // Alarms on metrics of DynamoDB ignore missing data, whatever they say.
    const isOfDynamoDb = this.#inputs.some(({ key }) => key.startsWith('AWS/DynamoDB'));
    this.#rules = isOfDynamoDb ? { ...properties, TreatMissingData: 'ignore' } : properties;
    this.periodMinutes = periodMinutesOf(properties);
  }

  /** The value of the window that ends at `to`. Each window belongs to several evaluations. */
  #valueOf({ key, stat, known }: Input, to: number, now: number): number | undefined {
    const before = known.get(to);
    if (before !== undefined || known.has(to)) return before;
    const value = this.#metrics.statistic(key, stat, to - this.periodMinutes, to, now);
    if (this.#metrics.isPunctual(key)) known.set(to, value);
    return value;
  }

  #seriesOf(input: Input, now: number): Series {
    const series: (number | undefined)[] = [];
    for (let back = this.#properties.EvaluationPeriods + EXTRA_PERIODS - 1; back >= 0; back -= 1)
      series.push(this.#valueOf(input, now - back * this.periodMinutes, now));
    return series;
  }

  /** Evaluates the alarm at the end of a minute. The windows end there. */
  evaluateAt(now: number): AlarmState {
    const { Threshold, ComparisonOperator } = this.#properties;
    const isAbove = ComparisonOperator === 'GreaterThanThreshold';
    const seriesOf: SeriesOf = (id) => {
      const input = this.#inputs.find((each) => each.id === id);
      return input && this.#seriesOf(input, now);
    };
    const points = this.#evaluate(seriesOf).map((value) => {
      if (value === undefined) return undefined;
      return isAbove ? value > Threshold : value < Threshold;
    });
    this.state = nextState(points, this.#rules, this.state);
    return this.state;
  }
}
