import {
  DynamoDBServiceException,
  InternalServerError,
  ResourceNotFoundException,
} from '@aws-sdk/client-dynamodb';
import { type Command, CommanderError, InvalidArgumentError, type OutputConfiguration } from 'commander';
import { isBaseUrl } from '../lib/core/base-url.ts';
import { isThrottle, isUnavailable } from '../lib/core/errors.ts';
import { UnreadableItemError } from '../lib/core/unreadable-item.ts';
import { OperatorError } from './operator-error.ts';

/** The streams of a command line: those of the process or of a test. */
export interface Streams {
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly stdout: NodeJS.WritableStream & { readonly isTTY?: boolean };
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean };
}

/** 0: done. 1: failed or rejected. 2: the command line is invalid, or lacks --yes: nothing was changed. */
export type ExitCode = 0 | 1 | 2;

/** An invalid command line that Commander cannot detect. The state of the stage does not matter. */
export class UsageError extends OperatorError {}

/** Standard output does not accept a text. */
class OutputError extends OperatorError {
  readonly hasNoReader: boolean;

  constructor(code: string | undefined) {
    super(`Standard output cannot be written (${code}): the result is lost.`);
    this.hasNoReader = code === 'EPIPE';
  }
}

/**
 * Writes a text and waits until the stream has accepted it.
 *
 * @throws OperatorError if the stream does not accept it
 */
export const write = (stream: NodeJS.WritableStream, text: string): Promise<void> =>
  new Promise((settle, reject) => {
    stream.write(text, (error?: NodeJS.ErrnoException | null) => {
      if (!error) return settle();
      // The stream emits the same error next. Without a listener it would end the process.
      stream.once('error', () => undefined);
      return reject(new OutputError(error.code));
    });
  });

/** Control characters, format characters and line separators, which a terminal would interpret. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Replaces control characters and direction marks, which a terminal would interpret. */
export const printable = (text: string): string => text.replaceAll(UNPRINTABLE, '?');

const escaped = (codeUnit: number): string => `\\u${codeUnit.toString(16).padStart(4, '0')}`;

/** A value as one line of JSON. It escapes what {@link printable} replaces: the line parses to the same value. */
export const printableJson = (value: object): string =>
  JSON.stringify(value).replaceAll(UNPRINTABLE, (character) =>
    Array.from({ length: character.length }, (_, index) => escaped(character.charCodeAt(index))).join(''),
  );

/** Whether an AWS service, or a server in its place, rejected a call. */
const isServiceRejection = (error: unknown): error is Error =>
  error instanceof Error && '$fault' in error && '$metadata' in error;

/** Whether a TLS handshake failed, as with a server that speaks plain HTTP. */
const isTlsFailure = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error &&
  'code' in error &&
  /^(?:EPROTO$|ERR_SSL_|ERR_TLS_|.*CERT)/.test(String(error.code));

/**
 * The message for the operator: one sentence, or the stack of an unexpected error.
 *
 * @param dynamodb the address that the command line names, if any
 */
const explain = (error: unknown, dynamodb: string | undefined): string => {
  // The message may repeat text from a file or a table.
  if (error instanceof OperatorError) return printable(error.message);
  if (error instanceof UnreadableItemError) return printable(`${error.message}.`);
  if (isThrottle(error)) return 'DynamoDB throttles the requests: try again in a minute.';
  const at = dynamodb === undefined ? '' : ` at ${dynamodb}`;
  if (isTlsFailure(error)) {
    const remedy =
      dynamodb === undefined ? 'the network and its proxies' : 'the address, or begin it with http://';
    const reason = error.code === 'EPROTO' ? '' : ` (${error.code})`;
    return `No TLS connection is possible to DynamoDB${at}${reason}: check ${remedy}.`;
  }
  if (error instanceof InternalServerError) {
    return printable(`DynamoDB failed${at} with ${error.name}: ${error.message.replaceAll(/\s+/g, ' ')}`);
  }
  if (isUnavailable(error)) return `DynamoDB does not respond${at}: check the address and the network.`;
  if (error instanceof ResourceNotFoundException) {
    return 'This DynamoDB has no tables of Cart Checkout: start the local stage on it, or deploy the stage again.';
  }
  if (isServiceRejection(error)) {
    const service = error instanceof DynamoDBServiceException ? 'DynamoDB' : 'AWS';
    return printable(
      `${service} rejected the call with ${error.name}: ${error.message.replaceAll(/\s+/g, ' ')}`,
    );
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
};

/** Makes Commander throw instead of exiting, and write through `output`. */
const embed = (command: Command, output: OutputConfiguration): void => {
  command.exitOverride().configureOutput(output);
  for (const subcommand of command.commands) embed(subcommand, output);
};

const parse = async (
  program: Command,
  { stdout, stderr }: Streams,
  args: readonly string[],
): Promise<ExitCode> => {
  let help = '';
  embed(program, {
    writeOut: (text) => {
      help += text;
    },
    writeErr: (text) => void stderr.write(text),
  });
  try {
    await program.parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (help !== '') await write(stdout, help);
    return error.exitCode === 0 ? 0 : 2;
  }
};

/**
 * Runs a command line to its end, in any process. A failure is one sentence on standard error and an exit code.
 *
 * @param args the arguments without the names of Node and the program
 */
export const execute = async (
  program: Command,
  streams: Streams,
  args: readonly string[],
): Promise<ExitCode> => {
  let dynamodb: string | undefined;
  program.hook('preAction', (_program, command) => {
    ({ dynamodb } = command.opts<{ dynamodb?: string }>());
  });
  try {
    return await parse(program, streams, args);
  } catch (error) {
    // A reader such as `head` has read enough.
    if (error instanceof OutputError && error.hasNoReader) return 0;
    streams.stderr.write(`${explain(error, dynamodb)}\n`);
    return error instanceof UsageError ? 2 : 1;
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
