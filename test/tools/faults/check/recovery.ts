import {
  type Exchange,
  type FaultWindow,
  type History,
  isSuccess,
  statusOf,
  type Violation,
} from '../history.ts';

/** How long after a fault a request must succeed, and none fail any more. */
const RECOVERY_TIME_MAX_MS = 5_000;

const RULE = `the service recovers by itself within ${RECOVERY_TIME_MAX_MS} ms`;

const victims = ({ victim }: FaultWindow, stages: number): number[] =>
  victim === 'database' ? Array.from({ length: stages }, (_, stage) => stage) : [victim.stage];

const checkRecovery = (fault: FaultWindow, successes: readonly Exchange[], stages: number): Violation[] =>
  victims(fault, stages).flatMap((stage): Violation[] => {
    const recovered = successes.find(
      (exchange) => exchange.stage === stage && exchange.startedAtMs >= fault.toMs,
    );
    if (recovered && recovered.endedAtMs - fault.toMs <= RECOVERY_TIME_MAX_MS) return [];
    const detail = recovered
      ? `process ${stage} took ${recovered.endedAtMs - fault.toMs} ms`
      : `process ${stage} never succeeded again`;
    return [{ rule: RULE, detail, exchanges: recovered ? [recovered] : [], scenario: fault.scenario }];
  });

/** While one process is down, each other one serves. */
const checkSurvivors = (fault: FaultWindow, successes: readonly Exchange[], stages: number): Violation[] => {
  if (fault.victim === 'database') return [];
  const dead = fault.victim.stage;
  const survivors = Array.from({ length: stages }, (_, stage) => stage).filter((stage) => stage !== dead);
  return survivors.flatMap((survivor): Violation[] =>
    successes.some(
      ({ stage, startedAtMs, endedAtMs }) =>
        stage === survivor && startedAtMs >= fault.fromMs && endedAtMs <= fault.toMs,
    )
      ? []
      : [
          {
            rule: 'a process serves while another is down',
            detail: `process ${survivor} answered nothing`,
            exchanges: [],
            scenario: fault.scenario,
          },
        ],
  );
};

const isFailure = (exchange: Exchange): boolean => {
  const status = statusOf(exchange);
  return status === 'cut' || status >= 500;
};

/** Whether a fault of the database, or of the request's own process, explains a failure. */
const isExplained = ({ stage, startedAtMs, endedAtMs }: Exchange, faults: readonly FaultWindow[]): boolean =>
  faults.some(
    ({ victim, fromMs, toMs }) =>
      (victim === 'database' || victim.stage === stage) &&
      endedAtMs >= fromMs &&
      startedAtMs <= toMs + RECOVERY_TIME_MAX_MS,
  );

/** Checks that the service serves again soon after each fault, and fails at no other time. */
export const checkRecoveries = ({ exchanges, faults, stages }: History): Violation[] => {
  const successes = exchanges.filter(isSuccess).toSorted((a, b) => a.startedAtMs - b.startedAtMs);
  return [
    ...faults.flatMap((fault) => checkRecovery(fault, successes, stages)),
    ...faults.flatMap((fault) => checkSurvivors(fault, successes, stages)),
    ...exchanges
      .filter((exchange) => isFailure(exchange) && !isExplained(exchange, faults))
      .map((exchange) => ({
        rule: 'no request fails without a fault',
        detail: `${statusOf(exchange)}, and nothing was at fault`,
        exchanges: [exchange],
      })),
  ];
};
