import type { Template } from 'aws-cdk-lib/assertions';
import { withoutHash } from '../../stage/stack-template.ts';
import { table } from './markdown.ts';

interface MetricStat {
  readonly Label?: string;
  readonly Period?: number;
  readonly MetricStat?: { readonly Period: number };
}

interface AlarmProperties {
  readonly MetricName?: string;
  readonly ComparisonOperator: string;
  readonly Threshold: number;
  readonly EvaluationPeriods: number;
  readonly DatapointsToAlarm?: number;
  readonly Period?: number;
  readonly Metrics?: readonly MetricStat[];
}

/** The alarms that notify somebody, by their section of the runbook. The others end a roll-out. */
const alarmsOf = (template: Template): ReadonlyMap<string, AlarmProperties> =>
  new Map(
    Object.entries(template.findResources('AWS::CloudWatch::Alarm', {})).flatMap(([id, alarm]) => {
      const [, name] = /^Alarms(.*)$/.exec(withoutHash(id)) ?? [];
      return name === undefined ? [] : [[name, (alarm as { Properties: AlarmProperties }).Properties]];
    }),
  );

const conditionOf = ({
  ComparisonOperator,
  Threshold,
  EvaluationPeriods,
  DatapointsToAlarm = EvaluationPeriods,
  Period,
  Metrics = [],
}: AlarmProperties): string => {
  const seconds = Period ?? Math.max(...Metrics.map((each) => each.Period ?? each.MetricStat?.Period ?? 0));
  const side = ComparisonOperator.startsWith('Less') ? 'below' : 'above';
  const value = `${side} ${Threshold.toLocaleString('en-US')}`;
  if (DatapointsToAlarm === EvaluationPeriods)
    return `${value} for ${(EvaluationPeriods * seconds) / 60} min`;
  return `${value} in ${DatapointsToAlarm} of ${EvaluationPeriods} periods of ${seconds / 60} min`;
};

const metricOf = ({ MetricName, Metrics = [] }: AlarmProperties): string =>
  MetricName ?? Metrics.find(({ Label }) => Label !== undefined)?.Label ?? '';

/** How many metrics of CloudWatch the alarms of a stage compare. */
const metricsOf = (alarms: ReadonlyMap<string, AlarmProperties>): number =>
  [...alarms.values()]
    .map(({ Metrics }) => Metrics?.filter(({ MetricStat }) => MetricStat).length ?? 1)
    .reduce((sum, each) => sum + each, 0);

/** Each alarm with its condition, and the stages that have it by default or by a value. */
export const alarmTable = (production: Template, branch: Template, full: Template): string => {
  const [ofProduction, ofBranch] = [alarmsOf(production), alarmsOf(branch)];
  const all = new Map([...alarmsOf(full), ...ofBranch, ...ofProduction]);
  const rowOf = (name: string, properties: AlarmProperties): readonly string[] => [
    `[${name}](runbook.md#${name.toLowerCase()})`,
    metricOf(properties),
    conditionOf(properties),
  ];
  const rows = [...all].flatMap(([name, properties]) => {
    const row = rowOf(name, properties);
    const other = ofBranch.get(name);
    if (!other) return [[...row, ofProduction.has(name) ? '`prod`' : '`liveRequestsPerHour`']];
    const otherRow = rowOf(name, other);
    if (row.join() === otherRow.join()) return [[...row, 'all']];
    return [
      [...row, '`prod`'],
      [...otherRow, 'another'],
    ];
  });
  const [inProduction, inBranch] = [ofProduction, ofBranch].map(
    (alarms) => `${alarms.size} alarms on ${metricsOf(alarms)} metrics`,
  );
  const totals = `By default, \`prod\` has ${inProduction}, and another stage ${inBranch}.`;
  return `${table([['Alarm', 'Metric', 'Goes off', 'Stages'], ...rows])}\n\n${totals}`;
};
