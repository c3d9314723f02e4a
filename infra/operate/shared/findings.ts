import { isAccessDenied } from '../../../lib/aws/errors.ts';
import { OperatorError } from '../../terminal/operator-error.ts';
import type { Output } from '../../terminal/terminal.ts';
import { type Columns, table } from '../frame/table.ts';

/** The result of a check, for a table. */
export interface Finding<Result extends string = string> {
  readonly result: Result | 'ok' | 'unknown';
  readonly remark: string;
}

/** Why a check has no finding. `undefined` for an error of the program. */
const reasonOf = async (error: unknown): Promise<string | undefined> => {
  if (isAccessDenied(error)) return `Your role may not read it: ${(error as Error).message}`;
  if (error instanceof OperatorError) return error.message;
  const { explainFailure } = await import('../../terminal/explain-error.ts');
  return explainFailure(error, undefined, 'AWS');
};

/** The finding of a check, or why it is unknown: a call of AWS that fails must not hide the other findings. */
export const orUnknown = async <Found extends Finding>(
  finding: Promise<Found>,
): Promise<Found | Finding<never>> => {
  try {
    return await finding;
  } catch (error) {
    const remark = await reasonOf(error);
    if (remark === undefined) throw error;
    return { result: 'unknown', remark };
  }
};

interface CheckRow extends Finding {
  readonly check: string;
}

/** Runs checks at the same time. Returns their findings in the order of the checks. */
export const runChecks = <Check>(
  checks: Readonly<Record<string, Check>>,
  run: (check: Check) => Promise<Finding>,
): Promise<readonly CheckRow[]> =>
  Promise.all(Object.entries(checks).map(async ([check, each]) => ({ check, ...(await run(each)) })));

const COLUMNS: Columns<CheckRow> = {
  CHECK: ({ check }) => check,
  RESULT: ({ result }) => result,
  REMARK: ({ remark }) => remark,
};

export const checkTable = (stdout: Output, rows: readonly CheckRow[]): string[] =>
  table(stdout, COLUMNS, rows, '');
