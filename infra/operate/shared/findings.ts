import { isAccessDenied } from '../../../lib/aws/errors.ts';
import { OperatorError } from '../../terminal/operator-error.ts';
import type { Output } from '../../terminal/terminal.ts';
import { type Columns, table } from '../frame/table.ts';

/** The result of a check, for a table. `unknown`: it cannot be known here. `unavailable`: a call of AWS failed. */
export interface Finding<Result extends string = string> {
  readonly result: Result | 'ok' | 'unknown' | 'unavailable';
  readonly remark: string;
}

/** The finding of a check whose call of AWS failed: it must not hide the other findings. `undefined`: an error of the program. */
const findingOf = async (error: unknown): Promise<Finding<never> | undefined> => {
  if (isAccessDenied(error))
    return { result: 'unknown', remark: `Your role may not read it: ${(error as Error).message}` };
  if (error instanceof OperatorError) return { result: 'unknown', remark: error.message };
  const { explainFailure } = await import('../../terminal/explain-error.ts');
  const remark = await explainFailure(error, undefined, 'AWS');
  return remark === undefined ? undefined : { result: 'unavailable', remark };
};

/** The finding of a check, or why it has none. */
export const orReason = async <Found extends Finding>(
  finding: Promise<Found>,
): Promise<Found | Finding<never>> => {
  try {
    return await finding;
  } catch (error) {
    const found = await findingOf(error);
    if (found) return found;
    throw error;
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
