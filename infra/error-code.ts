/** Whether an error has a code, such as the `ENOENT` of the system. */
export const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;
