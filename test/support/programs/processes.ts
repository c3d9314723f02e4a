import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DemoWebhook } from '../../../infra/local/demo/demo-webhooks.ts';
import { appendToLogFile } from '../logs/log-files.ts';

const ROOT = join(import.meta.dirname, '../../..');

/** Tests lengthen the time limits. The tools keep them: the run with injected failures depends on them. */
const LIMITS =
  process.env['VITEST'] === undefined ? [] : ['--import', join(import.meta.dirname, '../run/long-limits.ts')];

/** A stage waits at most 6 s for its last requests and 3 s for its database. */
const STOP_TIMEOUT_MS = 12_000;

/** A flag of {@link startService} alone. */
export const WITH_RECEIVER = 'with receiver';

/** The line that `npm start -- --json` prints. */
export interface ReadyLine {
  readonly baseUrl: string;
  readonly dynamodbEndpoint: string;
  readonly stores: readonly {
    readonly id: string;
    readonly apiKey: string;
    readonly products: readonly {
      readonly id: string;
      readonly pricing: 'fixed' | 'free';
      readonly available: boolean;
    }[];
  }[];
  readonly webhooks: readonly DemoWebhook[];
}

/** The output and the end of a process. */
export interface Ended {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunningProcess {
  readonly child: ChildProcess;
  /** The first line on standard output. It rejects with standard error if the process ends before. */
  readonly firstLine: Promise<string>;
  /** Its standard output so far. */
  readonly stdout: () => string;
  /** Its standard error so far. */
  readonly stderr: () => string;
  readonly ended: Promise<Ended>;
}

const alive = new Set<RunningProcess>();

/** Ends the processes that still run. Call it in `afterAll`. */
export const stopProcesses = async (): Promise<void> => {
  await Promise.all(
    [...alive].map(async ({ child, ended }) => {
      child.kill('SIGINT');
      await Promise.race([ended, sleep(STOP_TIMEOUT_MS, undefined, { ref: false })]);
      child.kill('SIGKILL');
      await ended;
    }),
  );
};

/** Lets a process run on after the test file that started it. */
export const keepRunning = (child: ChildProcess): void => {
  for (const running of alive) if (running.child === child) alive.delete(running);
};

/** Runs a file of the project on the Node of this process. Its log lines join the run's. */
export const run = (
  file: string,
  args: readonly string[],
  env: Record<string, string> = {},
): RunningProcess => {
  const child = spawn(process.execPath, [...LIMITS, resolve(ROOT, file), ...args], {
    cwd: ROOT,
    env: { ...process.env, NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let stdout = '';
  let stderr = '';
  const firstLine = Promise.withResolvers<string>();
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    if (stdout.includes('\n')) firstLine.resolve(stdout.slice(0, stdout.indexOf('\n')));
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
    appendToLogFile(text);
  });
  const ended = once(child, 'close').then(([exitCode]) => {
    firstLine.reject(new Error(`${file} ended with ${String(exitCode)}: ${stderr}`));
    return { exitCode: exitCode as number | null, stdout, stderr };
  });
  firstLine.promise.catch(() => undefined);
  const running = {
    child,
    firstLine: firstLine.promise,
    stdout: () => stdout,
    stderr: () => stderr,
    ended,
  };
  alive.add(running);
  void ended.then(() => alive.delete(running));
  return running;
};

export interface ServiceProcess extends ReadyLine {
  readonly child: ChildProcess;
  /** The variables that it got beside those of this process. */
  readonly env: Readonly<Record<string, string>>;
  readonly ended: Promise<Ended>;
  /** Its standard error so far. */
  readonly stderr: () => string;
  /** Ends it as Ctrl-C does. */
  stop(): Promise<Ended>;
}

/**
 * Starts the local stage as a process of its own on a free port, by default on a database in memory. It has the built-in
 * receiver only with the flag {@link WITH_RECEIVER}: its deliveries would disturb counts.
 */
export const startService = async (
  flags: readonly string[] = ['--data', 'memory'],
  file = 'infra/local/main.ts',
  env: Record<string, string> = {},
): Promise<ServiceProcess> => {
  const receiver = flags.includes(WITH_RECEIVER) ? [] : ['--no-receiver'];
  const own = flags.filter((flag) => flag !== WITH_RECEIVER);
  const { child, firstLine, stderr, ended } = run(file, ['--json', '--port', '0', ...receiver, ...own], env);
  const ready = JSON.parse(await firstLine) as ReadyLine;
  return {
    ...ready,
    child,
    env,
    ended,
    stderr,
    stop: () => {
      child.kill('SIGINT');
      return ended;
    },
  };
};

/** Runs the operators' command line to its end, in its own process. */
export const operateProcess = (...args: readonly string[]): Promise<Ended> =>
  run('infra/operate/main.ts', args).ended;
