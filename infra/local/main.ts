import { resolve } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { parseHttpUrl, runCommandLine } from '../command-line.ts';
import { OperatorError } from '../operator-error.ts';
import { PLACEHOLDER_CHECKOUT_URL } from '../stages.ts';
import { type LocalStage, startLocalStage } from './local-stage.ts';
import { readyJson, readyText } from './ready-message.ts';
import { DEFAULT_DATA_FILE, removeStageFile, writeStageFile } from './stage-file.ts';

interface Flags {
  readonly port: number;
  readonly data: string;
  readonly dynamodb?: string;
  readonly checkoutUrl: string;
  readonly json: boolean;
}

const parsePort = (text: string): number => {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535)
    throw new InvalidArgumentError('It must be a number from 0 to 65535.');
  return port;
};

/** Keeps standard output for what this command promises to print there; the functions' logs go to standard error. */
const reserveStdout = (): ((text: string) => void) => {
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = process.stderr.write.bind(process.stderr);
  return (text) => void write(`${text}\n`);
};

/**
 * Ends the stage in order on the signals that a terminal or a supervisor sends; at once while it is still starting,
 * when nobody is served yet.
 *
 * @returns whether it is ending
 */
const endOnSignals = (starting: Promise<LocalStage>): (() => boolean) => {
  let stage: LocalStage | undefined;
  let isEnding = false;
  const end = async (): Promise<void> => {
    if (isEnding) return;
    isEnding = true;
    removeStageFile();
    await stage?.close();
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end());
  // A stage that fails to start is reported by who awaits its start.
  starting.then(
    (started) => (stage = started),
    () => undefined,
  );
  return () => isEnding;
};

const runStage = async (flags: Flags): Promise<void> => {
  const print = reserveStdout();
  const starting = startLocalStage({ ...flags, dynamodbUrl: flags.dynamodb });
  const isEnding = endOnSignals(starting);
  const stage = await starting;
  const { baseUrl, dynamodbEndpoint } = stage;
  if (flags.dynamodb === undefined && resolve(flags.data) === DEFAULT_DATA_FILE) {
    writeStageFile({ baseUrl, dynamodbEndpoint });
  }
  print(flags.json ? readyJson(stage) : readyText(stage));
  await stage.databaseLost;
  if (isEnding()) return;
  removeStageFile();
  throw new OperatorError('The embedded DynamoDB ended unexpectedly.');
};

const program = new Command('npm start --')
  .description(
    'Runs the whole Cart Checkout service on this machine: both operations, on an embedded DynamoDB.',
  )
  .option('--port <number>', 'port to listen on; 0 takes any free one', parsePort, 3_000)
  .addOption(
    new Option('--data <file>', "the database's file, or `memory`")
      .default(DEFAULT_DATA_FILE, '.local/dynamodb.sqlite')
      .conflicts('dynamodb'),
  )
  .option('--dynamodb <url>', 'use the DynamoDB at this address instead of starting one', parseHttpUrl)
  .option('--checkout-url <url>', 'where buyers of live carts pay', parseHttpUrl, PLACEHOLDER_CHECKOUT_URL)
  .option('--json', 'print one line of JSON on standard output once ready, all else on standard error', false)
  .action(runStage);

await runCommandLine(program);
