import { costsOf, totalOf } from '../../../infra/cost/costs-per-million.ts';
import { SECONDS_PER_MONTH } from '../../../infra/cost/prices.ts';
import { unusedStageCosts, unusedStageTotal } from '../../../infra/cost/unused-stage-costs.ts';
import { synthesise } from '../../../infra/example-stages/synthesise.ts';
import type { StageContext } from '../../../infra/stage/stage-context.ts';
import { alignRows } from '../report.ts';
import type { Check, CheckedStage } from './checked-stage.ts';

export interface Result {
  readonly name: string;
  readonly outcome: 'passed' | 'FAILED' | 'not checked by the emulator' | 'skipped: needs --receiver';
  readonly remark: string;
}

/** Runs a check, and prints its result. The table has the first line of an error. */
export const attempt = async (name: string, run: () => Promise<string | void>): Promise<Result> => {
  try {
    const remark = (await run()) ?? '';
    console.error(`passed: ${name}`);
    return { name, outcome: 'passed', remark };
  } catch (error) {
    const { message } = error as Error;
    console.error(`FAILED: ${name}\n${message}`);
    return { name, outcome: 'FAILED', remark: message.split('\n', 1).join('') };
  }
};

const runCheck = async (
  { name, ...check }: Check,
  { account, acceptingEndpointId, ...stage }: CheckedStage,
): Promise<Result> => {
  if (check.needs === 'aws') {
    return account
      ? attempt(name, () => check.run({ ...stage, account }))
      : { name, outcome: 'not checked by the emulator', remark: '' };
  }
  if (check.needs === 'receiver') {
    return acceptingEndpointId === undefined
      ? { name, outcome: 'skipped: needs --receiver', remark: '' }
      : attempt(name, () => check.run({ ...stage, acceptingEndpointId }));
  }
  return attempt(name, () => check.run(stage));
};

/** Runs the checks in their order, until the signal. */
export const runChecks = async (
  checks: readonly Check[],
  stage: CheckedStage,
  signal: AbortSignal,
): Promise<readonly Result[]> => {
  const results: Result[] = [];
  for (const check of checks) {
    if (signal.aborted) break;
    results.push(await runCheck(check, stage));
  }
  return results;
};

export const resultTable = (results: readonly Result[]): string =>
  alignRows([
    ['check', 'result', 'remark'],
    ...results.map(({ name, outcome, remark }) => [name, outcome, remark]),
  ]).join('\n');

/**
 * Synthesises a stage once, and returns its cost for a time in minutes, at list prices, without its own metrics:
 * `docs/cost.md`.
 */
export const costModelOf = (
  context: StageContext,
  checks: readonly Check[],
): ((minutes: number) => string) => {
  const idleMonth = unusedStageTotal(unusedStageCosts(synthesise(context).template));
  const requests = checks.reduce((sum, { requests: own = 0 }) => sum + own, 0);
  const requestDollars = (totalOf(costsOf('createCartCheckout')) * requests) / 1e6;
  return (minutes) => `$${((idleMonth * minutes * 60) / SECONDS_PER_MONTH + requestDollars).toFixed(2)}`;
};
