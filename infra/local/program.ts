import { Command, InvalidArgumentError, Option } from 'commander';
import { IS_PACKAGE } from '../core/project.ts';
import {
  DEFAULT_DATA_FILE,
  IN_MEMORY,
  removeRunningStage,
  writeRunningStage,
} from '../local-access/running-stage.ts';
import { PLACEHOLDER_CHECKOUT_URL } from '../stage/stage-config.ts';
import { callersPath } from '../terminal/callers-path.ts';
import { parseHttpUrl } from '../terminal/command-line.ts';
import { OperatorError } from '../terminal/operator-error.ts';
import { escapeJson, lineText, sayLines } from '../terminal/terminal.ts';
import { typedCommand } from '../terminal/typed-command.ts';
import type { LocalStage, LocalStageOptions } from './local-stage.ts';
import { onParentEnd } from './parent-process.ts';
import { readableLog, requestLine } from './readable-log.ts';
import type { LoggedRequest } from './requests/request-log.ts';

const parseData = (text: string): string => {
  if (text === IN_MEMORY || text === '') return text;
  if (/^:?memory:?$/i.test(text)) throw new InvalidArgumentError(`Did you mean ${IN_MEMORY}?`);
  // A shell expands it only at the beginning of a word.
  if (/^~(?:\/|$)/.test(text)) throw new InvalidArgumentError('Write --data ~/FILE, without "=".');
  return callersPath(text, 'start');
};

interface Flags extends LocalStageOptions {
  readonly json: boolean;
}

const parsePort = (text: string): number => {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535)
    throw new InvalidArgumentError('It must be a number from 0 to 65535.');
  return port;
};

/**
 * Sends the logs of functions and events to standard error. They stay JSON, or become readable, with a line for each
 * request.
 */
const divertLogs = (isReadable: boolean) => {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  const writeLog = stderr.write.bind(stderr);
  stdout.write = (log: string | Uint8Array): boolean => {
    const text = Buffer.from(log).toString();
    if (isReadable) return sayLines(stderr, readableLog(text));
    return writeLog(escapeJson(text));
  };
  return {
    /** Prints on standard output, which has nothing else. The stage runs on if that is lost. */
    print: (lines: readonly string[]): void =>
      void write(lines.map((line) => `${lineText(line, stdout)}\n`).join(''), (error) => {
        if (error) sayLines(stderr, [`Standard output cannot be written: ${error.message}`]);
      }),
    onRequest: (request: LoggedRequest): void => {
      if (isReadable) sayLines(stderr, [requestLine(request)]);
    },
  };
};

/**
 * Ends the stage on the signals of a terminal or a supervisor. A stage that still starts ends at once.
 *
 * @param withParent whether the stage ends with the program that started it
 * @returns a function that checks whether the stage is ending
 */
const endOnSignals = (starting: Promise<LocalStage>, data: string, withParent: boolean): (() => boolean) => {
  let stage: LocalStage | undefined;
  let isEnding = false;
  const end = async (): Promise<void> => {
    if (isEnding) return;
    isEnding = true;
    removeRunningStage(data);
    await stage?.close();
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end());
  if (withParent) onParentEnd(() => void end());
  // The caller awaits the start and reports its failure.
  starting.then(
    (started) => (stage = started),
    () => undefined,
  );
  return () => isEnding;
};

const runStage = async (flags: Flags): Promise<void> => {
  const { print, onRequest } = divertLogs(process.stderr.isTTY && !flags.json);
  // Help needs neither the functions nor the SDK.
  const [{ startLocalStage }, { readyJson, readyText }] = await Promise.all([
    import('./local-stage.ts'),
    import('./demo/ready-message.ts'),
  ]);
  const starting = startLocalStage({ ...flags, onRequest });
  const isEnding = endOnSignals(starting, flags.data, flags.json);
  const stage = await starting;
  const { baseUrl, dynamodbEndpoint } = stage;
  const isEmbedded = flags.dynamodb === undefined;
  if (isEmbedded && flags.data !== IN_MEMORY) {
    writeRunningStage(flags.data, { baseUrl, dynamodbEndpoint });
  }
  print(
    flags.json
      ? [readyJson(stage)]
      : readyText(stage, isEmbedded && flags.data === DEFAULT_DATA_FILE).split('\n'),
  );
  await stage.databaseLost;
  if (isEnding()) return;
  removeRunningStage(flags.data);
  throw new OperatorError('The embedded DynamoDB ended unexpectedly.');
};

/** The command line of the local stage. */
export const localStageProgram = (): Command =>
  new Command(`${typedCommand('start')}${IS_PACKAGE ? '' : ' --'}`)
    .description('Runs the whole Cart Checkout service on this machine, on an embedded DynamoDB.')
    .option('--port <number>', 'port to listen on; 0 takes any free one', parsePort, 3_000)
    .addOption(
      new Option('--data <file>', "the database's file, or `memory`")
        .argParser(parseData)
        .default(DEFAULT_DATA_FILE, IS_PACKAGE ? DEFAULT_DATA_FILE : '.local/dynamodb.sqlite')
        .conflicts('dynamodb'),
    )
    .option('--dynamodb <url>', 'use the DynamoDB at this address instead of the embedded one', parseHttpUrl)
    .option(
      '--checkout-url <url>',
      'address where buyers of live carts pay',
      parseHttpUrl,
      PLACEHOLDER_CHECKOUT_URL,
    )
    .option('--webhook <url>', 'address that receives the test events of the demo stores')
    .option('--no-receiver', 'do not register the built-in receiver of webhooks')
    .option(
      '--containers',
      'let containers call the stage as host.docker.internal; use no untrusted network meanwhile',
      false,
    )
    .option(
      '--json',
      'for a program: print one line of JSON on standard output when ready, and all logs as JSON on standard error; the stage ends with the program that started it',
      false,
    )
    .action(runStage);
