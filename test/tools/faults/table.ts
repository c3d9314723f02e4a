import { alignRows } from '../bench/support/report.ts';
import { type Exchange, type FaultWindow, type History, isUnderFault, type Violation } from './history.ts';

const EXCHANGES_SHOWN = 5;

const countStatuses = (exchanges: readonly Exchange[]): string =>
  [...Map.groupBy(exchanges, ({ status }) => String(status))]
    .map(([status, { length }]) => `${status}:${length}`)
    .toSorted()
    .join(' ');

const slowestMs = (exchanges: readonly Exchange[]): number =>
  exchanges.reduce((slowest, { durationMs }) => Math.max(slowest, durationMs), 0);

const scenarioOf = ({ exchanges, scenario }: Violation): string => exchanges[0]?.scenario ?? scenario ?? '';

const rowOf = (
  name: string,
  exchanges: readonly Exchange[],
  faults: readonly FaultWindow[],
  violations: readonly Violation[],
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

export const summarize = ({ exchanges, faults }: History, violations: readonly Violation[]): string =>
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
    `    #${number} ${requestId} process ${stage}, ${request.operation}, ${status},` +
    ` ${new Date(startedAtMs).toISOString()}, ${Math.round(durationMs)} ms`
  );
};

export const describeViolation = (violation: Violation): string =>
  [
    `${scenarioOf(violation)}: ${violation.rule}: ${violation.detail}`,
    ...violation.exchanges.slice(0, EXCHANGES_SHOWN).map(describeExchange),
    ...(violation.exchanges.length > EXCHANGES_SHOWN
      ? [`    and ${violation.exchanges.length - EXCHANGES_SHOWN} more`]
      : []),
  ].join('\n');
