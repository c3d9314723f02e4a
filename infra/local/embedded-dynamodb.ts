import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { request } from 'node:http';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { setInterval } from 'node:timers/promises';
import { OperatorError } from '../operator-error.ts';
import { listen } from './gateway/listen.ts';

const HOST = '127.0.0.1';
const UMBRELLA_PACKAGE = 'dynoxide@1.2.1';
const PORT_ATTEMPTS_MAX = 5;
const POLL_INTERVAL_MS = 20;
const PROBE_TIMEOUT_MS = 1_000;
const STOP_TIMEOUT_MS = 3_000;
const STDERR_CHARACTERS_KEPT = 2_000;
const REMEDY = 'start any DynamoDB, such as DynamoDB Local, and pass --dynamodb URL';

export interface EmulatorProgram {
  readonly command: string;
  /** Arguments before the emulator's own. */
  readonly args: readonly string[];
  /** How long it may take to respond, in milliseconds. */
  readonly startTimeoutMs: number;
  /** How long after SIGTERM it is killed, in milliseconds. */
  readonly stopTimeoutMs: number;
}

export interface EmbeddedDynamodbOptions {
  /** `memory`, or the path of the data file. Its folder is created. */
  readonly data: string;
  readonly program?: EmulatorProgram;
}

export interface EmbeddedDynamodb {
  readonly endpoint: string;
  /** Resolves to the exit code when the emulator has ended, by `close` or by itself. After a signal it is null. */
  readonly exited: Promise<number | null>;
  /** Ends the emulator within 3 s. Further calls wait for the same end. */
  close(): Promise<void>;
}

/**
 * Starts the DynamoDB emulator on a free port and waits until it responds.
 *
 * It runs in its own process group: Ctrl-C in a terminal reaches the caller alone, which then closes the emulator. The
 * emulator also ends with the caller's process, except after a signal that the caller does not handle. Handle SIGINT and
 * SIGTERM before the start.
 *
 * @throws OperatorError if the emulator cannot be started
 */
export const startEmbeddedDynamodb = async (options: EmbeddedDynamodbOptions): Promise<EmbeddedDynamodb> => {
  const { data, program = findEmulator(process.platform, process.arch) } = options;
  if (data !== 'memory') await makeFolder(dirname(data));
  return startOnFreePort(program, data, PORT_ATTEMPTS_MAX);
};

const makeFolder = async (folder: string): Promise<void> => {
  try {
    await mkdir(folder, { recursive: true });
  } catch {
    throw new OperatorError(`The folder ${folder} cannot be created: choose another with --data FILE.`);
  }
};

const startOnFreePort = async (
  program: EmulatorProgram,
  data: string,
  attemptsLeft: number,
): Promise<EmbeddedDynamodb> => {
  // The emulator accepts port 0, but does not report the port that it got.
  const port = await findFreePort();
  const emulator = launch(program, port, data);
  const failure = await waitUntilReady(emulator, port, program.startTimeoutMs);
  if (failure === undefined) {
    return { endpoint: `http://${HOST}:${port}`, exited: emulator.exited, close: () => emulator.close() };
  }
  await emulator.close();
  const lostPort = /already in use|EADDRINUSE/i.test(emulator.stderr());
  if (!lostPort || attemptsLeft === 1) throw startError(failure, emulator.stderr());
  return startOnFreePort(program, data, attemptsLeft - 1);
};

/** Finds the emulator of the platform's native package. Without one, npx downloads the umbrella package. */
export const findEmulator = (platform: NodeJS.Platform, arch: string): EmulatorProgram => {
  try {
    const manifest = createRequire(import.meta.url).resolve(`@dynoxide/${platform}-${arch}/package.json`);
    const command = join(dirname(manifest), 'dynoxide');
    return { command, args: [], startTimeoutMs: 15_000, stopTimeoutMs: STOP_TIMEOUT_MS };
  } catch (error) {
    if (!hasCode(error, 'MODULE_NOT_FOUND')) throw error;
    const args = ['--yes', UMBRELLA_PACKAGE];
    return { command: 'npx', args, startTimeoutMs: 60_000, stopTimeoutMs: STOP_TIMEOUT_MS };
  }
};

interface Emulator {
  readonly exited: Promise<number | null>;
  readonly hasExited: () => boolean;
  /** The last characters of its standard error. */
  readonly stderr: () => string;
  close(): Promise<void>;
}

const launch = (program: EmulatorProgram, port: number, data: string): Emulator => {
  const file = data === 'memory' ? [] : ['--db-path', resolve(data)];
  const args = [...program.args, 'serve', '--host', HOST, '--port', String(port), ...file];
  const child = spawn(program.command, args, { stdio: ['ignore', 'ignore', 'pipe'], detached: true });

  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-STDERR_CHARACTERS_KEPT);
  });
  child.on('error', ({ message }) => (stderr += message));

  let hasExited = false;
  const killNow = (): void => signalGroup(child, 'SIGKILL');
  process.once('exit', killNow);
  // Unlike "exit", "close" waits for all processes that share its stderr, such as those that npx has started.
  const exited = new Promise<number | null>((settle) => {
    child.once('close', (code) => {
      hasExited = true;
      process.off('exit', killNow);
      settle(code);
    });
  });

  const end = async (): Promise<void> => {
    if (hasExited) return;
    signalGroup(child, 'SIGTERM');
    const timer = setTimeout(killNow, program.stopTimeoutMs);
    await exited;
    clearTimeout(timer);
  };
  let ended: Promise<void> | undefined;
  return { exited, hasExited: () => hasExited, stderr: () => stderr, close: () => (ended ??= end()) };
};

const signalGroup = (child: ChildProcessByStdio<null, null, Readable>, signal: NodeJS.Signals): void => {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch (error) {
    if (!hasCode(error, 'ESRCH')) throw error;
  }
};

/** Waits until the emulator responds. Resolves to the reason, in a few words, if it does not. */
const waitUntilReady = async (
  emulator: Emulator,
  port: number,
  timeoutMs: number,
): Promise<string | undefined> => {
  const deadlineMs = Date.now() + timeoutMs;
  // A single response could come from another process that took the port first, while the emulator is about to end.
  let responsesInARow = 0;
  for await (const _ of setInterval(POLL_INTERVAL_MS)) {
    if (emulator.hasExited()) break;
    if (Date.now() > deadlineMs) return `did not respond within ${timeoutMs / 1_000} s`;
    responsesInARow = (await responds(port)) ? responsesInARow + 1 : 0;
    if (responsesInARow === 2 && !emulator.hasExited()) return undefined;
  }
  return 'did not start';
};

/** Whether an HTTP server responds on a port. The probe closes its connection. */
const responds = (port: number): Promise<boolean> =>
  new Promise((settle) => {
    const probe = request({ host: HOST, port, agent: false, timeout: PROBE_TIMEOUT_MS }, (response) => {
      response.resume().once('close', () => settle(true));
    });
    probe.once('timeout', () => probe.destroy());
    probe.once('error', () => settle(false));
    probe.end();
  });

const findFreePort = async (): Promise<number> => {
  const server = createServer();
  const port = await listen(server, HOST, 0);
  server.close();
  await once(server, 'close');
  return port;
};

const startError = (failure: string, stderr: string): OperatorError => {
  const lines = stderr.trim().split('\n').slice(-5).join(' / ');
  return new OperatorError(
    `The embedded DynamoDB ${failure}${lines === '' ? '' : ` (${lines})`}: ${REMEDY}.`,
  );
};

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;
