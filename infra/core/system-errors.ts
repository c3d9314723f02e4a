import { getSystemErrorMessage } from 'node:util';

/** Whether an error has a code, such as the `ENOENT` of the system. */
export const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;

/** Why a call of the system failed, such as "no such file or directory". */
export const systemReason = (error: Error & { readonly errno?: number }): string =>
  error.errno === undefined ? error.message : getSystemErrorMessage(error.errno);
