import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { BenchDatabase } from './database.ts';
import { functionEnvironment } from './environment.ts';

/** How many characters of a program's log its failure shows. */
const LOG_CHARACTERS_SHOWN = 2_000;

interface Stage {
  readonly baseUrl: string;
  readonly processId: number;
  stop(): Promise<void>;
}

/** Starts a program that prints one line of JSON with its address when it is ready. Returns the fields of the line, too. */
const startStage = async <Ready extends Pick<Stage, 'baseUrl'>>(
  file: string,
  args: readonly string[],
  logFile: string,
  env: NodeJS.ProcessEnv,
): Promise<Stage & Ready> => {
  const log = openSync(logFile, 'a');
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../../..', file), ...args], {
    env,
    stdio: ['pipe', 'pipe', log],
  });
  closeSync(log);
  const killNow = (): void => void child.kill('SIGKILL');
  process.once('exit', killNow);
  const exited = once(child, 'exit').then(() => process.off('exit', killNow));
  const stdout = child.stdout!;
  const [line] = (await Promise.race([once(createInterface(stdout), 'line'), exited.then(() => [])])) as [
    string?,
  ];
  if (line === undefined)
    throw new Error(`${file} ended:\n${readFileSync(logFile, 'utf8').slice(-LOG_CHARACTERS_SHOWN)}`);
  stdout.resume();
  return {
    ...(JSON.parse(line) as Ready),
    processId: child.pid!,
    stop: async () => {
      child.kill('SIGTERM');
      await exited;
    },
  };
};

/** A local stage, with the address of its database. */
export interface StageWithDatabase extends Stage {
  readonly dynamodbEndpoint: string;
}

/** Starts the local stage on a database of the benchmark. Its logs go to a file. */
export const startLocalStage = (database: BenchDatabase, logFile: string): Promise<StageWithDatabase> => {
  const args = ['--json', '--port', '0', '--no-receiver', '--dynamodb', database.endpoint];
  return startStage('infra/local/main.ts', args, logFile, process.env);
};

/** Starts the bare functions behind the same gateway. */
export const startBareStage = (database: BenchDatabase, logFile: string): Promise<Stage> =>
  startStage('test/tools/bench/http/bare-stage.ts', [], logFile, {
    ...process.env,
    ...functionEnvironment(database.endpoint),
  });
