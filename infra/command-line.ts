import { DynamoDBServiceException, ResourceNotFoundException } from '@aws-sdk/client-dynamodb';
import { type Command, CommanderError, InvalidArgumentError } from 'commander';
import { isBaseUrl } from '../lib/base-url.ts';
import { isDatabaseUnavailable, isThrottle } from '../lib/dynamodb.ts';
import { printable } from './operate/output.ts';
import { OperatorError } from './operator-error.ts';

/** 0: done; 1: could not be done; 2: the command line itself is wrong. */
const EXIT_CODES = { failed: 1, usage: 2 } as const;

/** The command line itself is wrong, in a way that only the command can tell. */
export class UsageError extends OperatorError {}

/** Whether an error is an answer of an AWS service, whichever it is. */
const isServiceRejection = (error: unknown): error is Error =>
  error instanceof Error && '$fault' in error && '$metadata' in error;

/** What a person reads when a command failed: a sentence, or for a fault of our own the whole stack. */
const explain = (error: unknown): string => {
  // It may repeat what a file or a table holds.
  if (error instanceof OperatorError) return printable(error.message);
  if (isThrottle(error)) return 'DynamoDB is asked for too much at the moment: try again in a minute.';
  if (isDatabaseUnavailable(error)) return 'No DynamoDB answers there: check the address, or the network.';
  if (error instanceof ResourceNotFoundException) {
    return 'The DynamoDB has no tables of this service: start the local stage on it first, or deploy the stage again.';
  }
  // A service, or whatever answers in its place, refused the call.
  if (isServiceRejection(error)) {
    const service = error instanceof DynamoDBServiceException ? 'DynamoDB' : 'AWS';
    return printable(`${service} answered ${error.name}: ${error.message.replaceAll(/\s+/g, ' ')}`);
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
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
    process.exit(error instanceof UsageError ? EXIT_CODES.usage : EXIT_CODES.failed);
  }
};

/**
 * Reads an option that is an http(s) address; slashes at its end are dropped.
 *
 * @throws InvalidArgumentError if it is none, or has a user, a query or a fragment
 */
export const parseHttpUrl = (text: string): string => {
  const address = text.replace(/\/+$/, '');
  if (isBaseUrl(address)) return address;
  throw new InvalidArgumentError('It must be an http(s) address without user, query or fragment.');
};
