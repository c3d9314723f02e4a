import { type Command, type CommanderError, InvalidArgumentError, type OutputConfiguration } from 'commander';
import { isBaseUrl } from '../../lib/core/base-url.ts';
import type { Called } from './explain-error.ts';
import { OperatorError } from './operator-error.ts';
import { jsonText, OutputError, printResult, sayLines, type Streams } from './terminal.ts';

/** The exit codes of every command, with their meanings. */
export const EXIT_CODES = {
  0: 'done',
  1: 'failed or rejected',
  2: 'the command line is invalid or lacks --yes, and nothing was changed',
};

export type ExitCode = keyof typeof EXIT_CODES;

/** An invalid command line that Commander cannot detect. The state of the stage does not matter. */
export class UsageError extends OperatorError {}

/** Makes Commander throw instead of exiting, and write through `output`. */
const embed = (command: Command, output: OutputConfiguration): void => {
  command.exitOverride().configureOutput(output);
  for (const subcommand of command.commands) embed(subcommand, output);
};

/** The name that AWS gives the error of a failed command. `undefined` if no service of AWS rejected a call. */
const awsErrorOf = (error: unknown): string | undefined => {
  const source = error instanceof OperatorError ? error.cause : error;
  return source instanceof Error && '$fault' in source ? source.name : undefined;
};

/** Prints why a command failed: one sentence, or one line of JSON. */
const sayFailure = (
  { stderr }: Streams,
  isJson: boolean,
  { exitCode, lines, error }: { exitCode: ExitCode; lines: readonly string[]; error: unknown },
): ExitCode => {
  if (isJson) {
    const message = lines.join('\n').replace(/^error: /, '');
    stderr.write(`${jsonText({ error: { exitCode, awsError: awsErrorOf(error), message } })}\n`);
  } else {
    sayLines(stderr, lines);
  }
  return exitCode;
};

/** By its name: once `test:mutation` is installed, the tools beside it load another copy of Commander. */
const isOfCommander = (error: unknown): error is CommanderError => (error as Error).name === 'CommanderError';

const parse = async (
  program: Command,
  streams: Streams,
  args: readonly string[],
  isJson: boolean,
): Promise<ExitCode> => {
  let help = '';
  const collect = (text: string): void => void (help += text);
  embed(program, { writeOut: collect, writeErr: collect, outputError: () => undefined });
  try {
    await program.parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    if (!isOfCommander(error)) throw error;
    const lines = help.trimEnd().split('\n');
    if (error.exitCode === 0) {
      await printResult(streams.stdout, lines);
      return 0;
    }
    // A suggestion is on a line of its own.
    const reason = error.code === 'commander.help' ? lines : [error.message.replaceAll('\n', ' ')];
    return sayFailure(streams, isJson, { exitCode: 2, lines: reason, error });
  }
};

/**
 * Runs a command line to its end, in any process. A failure is one sentence on standard error, or its JSON, and an exit code.
 *
 * @param args the arguments without the names of Node and the program
 * @param isJson whether a failure is printed as JSON
 */
export const execute = async (
  program: Command,
  streams: Streams,
  args: readonly string[],
  isJson = args.includes('--json'),
): Promise<ExitCode> => {
  // A reader that has gone, or a full disk, ends nothing: `printResult` reports a lost result.
  for (const stream of [streams.stdout, streams.stderr]) stream.on('error', () => undefined);
  let dynamodb: string | undefined;
  let called: Called = 'DynamoDB';
  program.hook('preAction', (_program, command) => {
    ({ dynamodb } = command.opts<{ dynamodb?: string }>());
    // A command without this option works on no stage: it calls other services of AWS.
    if (command.options.every(({ long }) => long !== '--dynamodb')) called = 'AWS';
  });
  try {
    return await parse(program, streams, args, isJson);
  } catch (error) {
    // A reader such as `head` has read enough.
    if (error instanceof OutputError && error.hasNoReader) return 0;
    // Help needs no AWS SDK.
    const explain = async () => (await import('./explain-error.ts')).explainError(error, dynamodb, called);
    const lines = error instanceof OperatorError ? [error.message] : await explain();
    return sayFailure(streams, isJson, { exitCode: error instanceof UsageError ? 2 : 1, lines, error });
  }
};

/** Runs the command line of this process. A failure ends the process, even if a server still listens. */
export const runCommandLine = async (program: Command): Promise<void> => {
  const exitCode = await execute(program, process, process.argv.slice(2));
  if (exitCode !== 0) process.exit(exitCode);
};

/**
 * Reads an option that is an http(s) address, without its trailing slashes.
 *
 * @throws InvalidArgumentError if it is not one, or has a user, a query or a fragment
 */
export const parseHttpUrl = (text: string): string => {
  const address = text.replace(/\/+$/, '');
  if (isBaseUrl(address)) return address;
  throw new InvalidArgumentError('It must be an http(s) address without user, query or fragment.');
};
