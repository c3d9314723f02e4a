/** Something the operator can mend; printed as one sentence, without a stack trace. */
export class OperatorError extends Error {}

/** Exit codes: 0 done, 1 could not be done, 2 the command line itself is wrong. */
export const EXIT_CODES = { failed: 1, usage: 2 } as const;

/** What an operator reads when a command failed. */
export const explain = (error: unknown): string => {
  if (error instanceof OperatorError) return error.message;
  const name = error instanceof Error ? error.name : '';
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (name === 'ResourceNotFoundException') {
    return 'The DynamoDB has no tables of this service: start the local stage on it first.';
  }
  if (['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EHOSTUNREACH'].includes(code) || name === 'TimeoutError') {
    return 'No DynamoDB answers at that address: is the stage running?';
  }
  return `The command failed: ${error instanceof Error ? error.message : String(error)}`;
};
