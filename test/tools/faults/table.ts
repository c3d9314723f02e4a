import {
  responseOf,
  type Exchange,
  type FaultWindow,
  groupBy,
  type History,
  isUnderFault,
  statusOf,
  type Violation,
} from './history.ts';

const countStatuses = (exchanges: readonly Exchange[]): string =>
  [...groupBy(exchanges, statusOf)]
    .map(([status, { length }]) => [String(status), length] as const)
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([status, count]) => `${status}:${count}`)
    .join(' ');

const slowestMs = (exchanges: readonly Exchange[]): number =>
  exchanges.reduce((slowest, { durationMs }) => Math.max(slowest, durationMs), 0);

const scenarioOf = ({ exchanges, scenario }: Violation): string => exchanges[0]?.scenario ?? scenario ?? '';

const row = (name: string, figures: readonly (string | number)[], statuses: string): string =>
  `${name.padEnd(30)}${figures.map((figure) => String(figure).padStart(12)).join('')}  ${statuses}`.trimEnd();

/** The run in a table: one row a scenario, and one for all. */
export const summarize = (history: History, violations: readonly Violation[]): string => {
  const { exchanges, faults } = history;
  const broken = groupBy(violations, scenarioOf);
  const rowOf = (name: string, part: readonly Exchange[], windows: readonly FaultWindow[], guilty: number) =>
    row(
      name,
      [
        windows.length,
        part.length,
        part.filter((exchange) => isUnderFault(exchange, windows)).length,
        Math.round(slowestMs(part)),
        guilty,
      ],
      countStatuses(part),
    );
  return [
    row('scenario', ['times', 'requests', 'in faults', 'slowest ms', 'violations'], 'statuses'),
    ...[...groupBy(exchanges, ({ scenario }) => scenario)].map(([scenario, part]) =>
      rowOf(
        scenario,
        part,
        faults.filter((fault) => fault.scenario === scenario),
        broken.get(scenario)?.length ?? 0,
      ),
    ),
    rowOf('all', exchanges, faults, violations.length),
  ].join('\n');
};

const EXCHANGES_SHOWN = 5;

const describeExchange = (exchange: Exchange): string => {
  const { number, stage, request, startedAtMs, durationMs } = exchange;
  const requestId = responseOf(exchange)?.headers['x-request-id'] ?? 'no answer';
  return (
    `    #${number} ${requestId} process ${stage}, ${request.operation}, ${statusOf(exchange)},` +
    ` ${new Date(startedAtMs).toISOString()}, ${Math.round(durationMs)} ms`
  );
};

/** A violation, and the requests that show it. */
export const describeViolation = (violation: Violation): string =>
  [
    `${scenarioOf(violation)}: ${violation.rule}: ${violation.detail}`,
    ...violation.exchanges.slice(0, EXCHANGES_SHOWN).map(describeExchange),
    ...(violation.exchanges.length > EXCHANGES_SHOWN
      ? [`    and ${violation.exchanges.length - EXCHANGES_SHOWN} more`]
      : []),
  ].join('\n');
