import { isAccessDenied } from '../../../lib/aws/errors.ts';
import type { Output } from '../../terminal/terminal.ts';
import { type Columns, table } from '../frame/table.ts';

/** The result of a check, for a table. */
export interface Finding<Result extends string = string> {
  readonly result: Result | 'ok' | 'unknown';
  readonly remark: string;
}

/** A finding, or that the operator's role may not read it. */
export const orUnknown = <Found extends Finding>(finding: Promise<Found>): Promise<Found | Finding<never>> =>
  finding.catch((error: unknown) => {
    if (!isAccessDenied(error)) throw error;
    return { result: 'unknown', remark: `Your role may not read it: ${(error as Error).message}` };
  });

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
