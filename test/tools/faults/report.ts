import { alignRows } from '../report.ts';
import type { BrokenRule } from './broken-rule.ts';
import { type Exchange, type FaultWindow, type History, isUnderFault } from './requests/history.ts';

const EXCHANGES_SHOWN = 5;
const SHOWN_PER_RULE = 5;

const countStatuses = (exchanges: readonly Exchange[]): string =>
  [...Map.groupBy(exchanges, ({ status }) => String(status))]
    .map(([status, { length }]) => `${status}:${length}`)
    .toSorted()
    .join(' ');

const slowestMs = (exchanges: readonly Exchange[]): number =>
  exchanges.reduce((slowest, { durationMs }) => Math.max(slowest, durationMs), 0);

const scenarioOf = ({ exchanges, scenario }: BrokenRule): string =>
  exchanges?.[0]?.scenario ?? scenario ?? '';

const rowOf = (
  name: string,
  exchanges: readonly Exchange[],
  faults: readonly FaultWindow[],
  violations: readonly BrokenRule[],
): string[] => {
  const underFault = exchanges.filter((exchange) => isUnderFault(exchange, faults));
  const figures = [
    faults.length,
    exchanges.length,
    underFault.length,
    Math.round(slowestMs(exchanges)),
    violations.length,
  ];
  return [name, ...figures.map(String), countStatuses(exchanges)];
};

export const summarize = ({ exchanges, faults }: History, violations: readonly BrokenRule[]): string =>
  alignRows([
    ['scenario', 'times', 'requests', 'in faults', 'slowest ms', 'violations', 'statuses'],
    ...[...Map.groupBy(exchanges, ({ scenario }) => scenario)].map(([name, own]) =>
      rowOf(
        name,
        own,
        faults.filter(({ scenario }) => scenario === name),
        violations.filter((violation) => scenarioOf(violation) === name),
      ),
    ),
    rowOf('all', exchanges, faults, violations),
  ]).join('\n');

const describeExchange = (exchange: Exchange): string => {
  const { number, stage, request, status, response, startedAtMs, durationMs } = exchange;
  const requestId = response?.headers['x-request-id'] ?? 'no response';
  return (
    `        #${number} ${requestId} process ${stage}, ${request.operation}, ${status},` +
    ` ${new Date(startedAtMs).toISOString()}, ${Math.round(durationMs)} ms`
  );
};

const describeBroken = (broken: BrokenRule): string[] => {
  const { detail, exchanges = [] } = broken;
  const name = scenarioOf(broken);
  return [
    `    ${name === '' ? '' : `${name}: `}${detail}`,
    ...exchanges.slice(0, EXCHANGES_SHOWN).map(describeExchange),
    ...(exchanges.length > EXCHANGES_SHOWN ? [`        and ${exchanges.length - EXCHANGES_SHOWN} more`] : []),
  ];
};

/** The broken rules, each with its first examples. */
export const reportBroken = (broken: readonly BrokenRule[]): string[] =>
  [...Map.groupBy(broken, ({ rule }) => rule)].flatMap(([rule, own]) => [
    `${rule}: broken ${own.length} times`,
    ...own.slice(0, SHOWN_PER_RULE).flatMap(describeBroken),
  ]);
