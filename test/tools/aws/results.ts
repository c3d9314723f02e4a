import type { StageContext } from '../../../infra/stage-context.ts';
import { synthesise } from '../../infra/stack/template.ts';
import { alignRows } from '../bench/support/report.ts';
import { idleCosts, idleTotal } from '../scale/idle-costs.ts';
import { SECONDS_PER_MONTH } from '../scale/model.ts';
import { costsOf, totalOf } from '../scale/request-costs.ts';
import type { Account, Check, CheckedStage } from './checks.ts';

export interface Result {
  readonly name: string;
  readonly outcome: 'passed' | 'FAILED' | 'not checked by the emulator' | 'skipped: needs --receiver';
  readonly remark: string;
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Runs a check. The full message of a failure goes to standard error, its first line into the table. */
export const attempt = async (name: string, run: () => Promise<string | void>): Promise<Result> => {
  try {
    const remark = (await run()) ?? '';
    console.error(`passed: ${name}`);
    return { name, outcome: 'passed', remark };
  } catch (error) {
    console.error(`FAILED: ${name}\n${messageOf(error)}`);
    return { name, outcome: 'FAILED', remark: messageOf(error).split('\n', 1).join('') };
  }
};

/**
 * Runs the checks in their order, until the signal.
 *
 * @param account absent on the emulator
 */
export const runChecks = async (
  checks: readonly Check[],
  stage: CheckedStage,
  account: Account | undefined,
  signal: AbortSignal,
): Promise<readonly Result[]> => {
  const results: Result[] = [];
  for (const check of checks) {
    if (signal.aborted) return results;
    const { name, needsReceiver } = check;
    if (needsReceiver && stage.acceptingEndpointId === undefined) {
      results.push({ name, outcome: 'skipped: needs --receiver', remark: '' });
    } else if ('run' in check) {
      results.push(await attempt(name, () => check.run(stage)));
    } else if (account) {
      results.push(await attempt(name, () => check.runOnAws(stage, account)));
    } else {
      results.push({ name, outcome: 'not checked by the emulator', remark: '' });
    }
  }
  return results;
};

export const resultTable = (results: readonly Result[]): string =>
  alignRows([
    ['check', 'result', 'remark'],
    ...results.map(({ name, outcome, remark }) => [name, outcome, remark]),
  ]).join('\n');

/** The cost of a stage that exists for this time, at list prices, without its own metrics: `docs/cost.md`. */
export const costOf = (context: StageContext, minutes: number, checks: readonly Check[]): string => {
  const idleMonth = idleTotal(idleCosts(synthesise(context).template));
  const requests = checks.reduce((sum, { requests: own = 0 }) => sum + own, 0);
  const millionRequests = totalOf(costsOf('createCartCheckout'));
  return `$${((idleMonth * minutes * 60) / SECONDS_PER_MONTH + (millionRequests * requests) / 1e6).toFixed(2)}`;
};
