import { isAccessDenied } from '../../../lib/core/aws-errors.ts';

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
