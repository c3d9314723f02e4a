import type { BrokenRule } from '../../broken-rule.ts';
import { type Exchange, type FaultWindow, type History, isUnderFault } from '../history.ts';

/** How soon after a fault a request must succeed, and from when on none may fail. */
const RECOVERY_TIME_MAX_MS = 5_000;

const RECOVERY_RULE = `the service recovers by itself within ${RECOVERY_TIME_MAX_MS} ms`;

const isSuccess = ({ status }: Exchange): boolean => status === 200 || status === 201;

const isFailure = ({ status }: Exchange): boolean => status === 'cut' || status >= 500;

const checkRecovery = (
  { toMs, scenario }: FaultWindow,
  stage: number,
  successes: readonly Exchange[],
): BrokenRule[] => {
  const recovered = successes.find(({ startedAtMs }) => startedAtMs >= toMs);
  if (recovered && recovered.endedAtMs - toMs <= RECOVERY_TIME_MAX_MS) return [];
  const detail = recovered
    ? `process ${stage} took ${recovered.endedAtMs - toMs} ms`
    : `process ${stage} never succeeded again`;
  return [{ rule: RECOVERY_RULE, detail, ...(recovered && { exchanges: [recovered] }), scenario }];
};

const checkSurvival = (
  { fromMs, toMs, scenario }: FaultWindow,
  stage: number,
  successes: readonly Exchange[],
): BrokenRule[] => {
  if (successes.some(({ startedAtMs, endedAtMs }) => startedAtMs >= fromMs && endedAtMs <= toMs)) return [];
  const rule = 'a process serves while another is down';
  return [{ rule, detail: `process ${stage} had no success`, scenario }];
};

/** Checks that the service serves soon after each fault, and fails at no other time. */
export const checkRecoveries = ({ exchanges, faults, stages }: History): BrokenRule[] => {
  const successes = exchanges.filter(isSuccess).toSorted((a, b) => a.startedAtMs - b.startedAtMs);
  const byStage = Array.from({ length: stages }, (_, own) => successes.filter(({ stage }) => stage === own));
  return [
    ...faults.flatMap((fault) =>
      byStage.flatMap((own, stage) =>
        fault.target === 'database' || fault.target.stage === stage
          ? checkRecovery(fault, stage, own)
          : checkSurvival(fault, stage, own),
      ),
    ),
    ...exchanges
      .filter((exchange) => isFailure(exchange) && !isUnderFault(exchange, faults, RECOVERY_TIME_MAX_MS))
      .map((exchange) => ({
        rule: 'no request fails without a fault',
        detail: `${exchange.status} without a fault`,
        exchanges: [exchange],
      })),
  ];
};
