import { type Command, CommanderError, InvalidArgumentError } from 'commander';

/** Something that who runs the command can mend; printed as one sentence, without a stack trace. */
export class OperatorError extends Error {}

/** 0: done; 1: could not be done; 2: the command line itself is wrong. */
const EXIT_CODES = { failed: 1, usage: 2 } as const;

const NETWORK_FAULTS = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH']);

/** What a person reads when a command failed. */
const explain = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'ResourceNotFoundException') {
    return 'The DynamoDB has no tables of this service: start the local stage on it first.';
  }
  const isUnreachable = 'code' in error && NETWORK_FAULTS.has(String(error.code));
  if (isUnreachable || error.name === 'TimeoutError') return 'No DynamoDB answers at that address.';
  return error.message;
};

/** Commander throws instead of exiting, so that the exit code is decided in one place. */
const throwOnExit = (command: Command): void => {
  command.exitOverride();
  command.commands.forEach(throwOnExit);
};

/** Runs a command line to its end; a failure is told in one sentence on standard error and by the exit code. */
export const runCommandLine = async (program: Command): Promise<void> => {
  throwOnExit(program);
  try {
    await program.parseAsync();
  } catch (error) {
    // Commander has printed the help, or what is wrong, already.
    if (error instanceof CommanderError) process.exit(error.exitCode === 0 ? 0 : EXIT_CODES.usage);
    process.stderr.write(`${explain(error)}\n`);
    process.exit(EXIT_CODES.failed);
  }
};

/**
 * Reads an option that is an http(s) address; slashes at its end are dropped.
 *
 * @throws InvalidArgumentError if it is none, or has a user, a query or a fragment
 */
export const parseHttpUrl = (text: string): string => {
  if (!/^https?:\/\/[^\s/?#@]+(\/[^\s?#]*)?$/i.test(text) || !URL.canParse(text)) {
    throw new InvalidArgumentError('It must be an http(s) address without user, query or fragment.');
  }
  return text.replace(/\/+$/, '');
};
