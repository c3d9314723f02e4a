import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { retry } from '../../../lib/core/retry.ts';
import { hasCode } from '../../core/system-errors.ts';
import { OperatorError } from '../../terminal/operator-error.ts';
import { explainDataFile, prepareDataFile } from './data-file.ts';

const UMBRELLA_PACKAGE = 'dynoxide@1.2.1';
const ADDRESSES = { attemptsMax: 5, firstMs: 0, maxMs: 0 };
const STOP_TIMEOUT_MS = 3_000;
const STDERR_CHARACTERS_KEPT = 2_000;
const REMEDY = 'start any DynamoDB, such as DynamoDB Local, and pass --dynamodb URL';

/**
 * The ports above 1023 that no browser connects to, for any page and any protocol (Fetch Standard, "Port blocking"). The
 * two latest, 4190 and 6679, are missing: some browsers still connect to them.
 */
export const PORTS_CLOSED_TO_BROWSERS: readonly number[] = [
  1719, 1720, 1723, 2049, 3659, 4045, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6697, 10_080,
];

interface EmulatorProgram {
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
  /** An address that browsers never call. The emulator itself accepts every call. */
  readonly endpoint: string;
  /** Resolves when the emulator has ended, by `close` or by itself. */
  readonly exited: Promise<unknown>;
  /** Ends the emulator within 3 s. Further calls wait for the same end. */
  close(): Promise<void>;
}

/** Linux has all of 127.0.0.0/8: many emulators can share a port. Elsewhere, 127.0.0.1 alone works. */
const randomAddress = () => ({
  host:
    process.platform === 'linux' ? `127.${[1, 2, 3].map(() => randomInt(1, 255)).join('.')}` : '127.0.0.1',
  port: PORTS_CLOSED_TO_BROWSERS[randomInt(PORTS_CLOSED_TO_BROWSERS.length)] ?? 0,
});

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

/**
 * Runs the emulator below a shell that waits for its own standard input. A line ends the emulator cleanly. The end of
 * the input kills the shell's process group. The system closes the input when the caller's process ends in any way. The
 * emulator's files are private (umask). A file that may not grow is an error of the emulator, and does not end it (XFSZ).
 * The shell leaves standard error to the emulator.
 */
const SHELL_SCRIPT =
  'umask 077; trap "" XFSZ; "$@" </dev/null & exec 2>/dev/null; read -r _ || kill -KILL 0; trap "" TERM; kill -TERM 0; wait';

const launch = (program: EmulatorProgram, { host, port }: ReturnType<typeof randomAddress>, data: string) => {
  const file = data === 'memory' ? [] : ['--db-path', resolve(data)];
  const serve = ['serve', '--host', host, '--port', String(port), ...file];
  const args = ['-c', SHELL_SCRIPT, 'sh', program.command, ...program.args, ...serve];
  const child = spawn('sh', args, { stdio: ['pipe', 'ignore', 'pipe'], detached: true });
  const listening = Promise.withResolvers<void>();
  const exited = new Promise<void>((settle) => child.once('close', () => settle()));
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-STDERR_CHARACTERS_KEPT);
    if (stderr.includes('Dynoxide listening on')) listening.resolve();
  });
  // The emulator and its wrappers, such as npx, have ended.
  child.stderr.once('end', () => child.stdin.end());
  // The shell may end before it reads its input.
  child.stdin.on('error', () => undefined);
  child.once('exit', () => killGroup(child.pid));
  const close = async (): Promise<void> => {
    child.stdin.write('\n');
    const timer = setTimeout(() => killGroup(child.pid), program.stopTimeoutMs);
    await exited;
    clearTimeout(timer);
  };
  return { listening: listening.promise, exited, stderr: () => stderr, close };
};

const killGroup = (groupId: number | undefined): void => {
  try {
    if (groupId !== undefined) process.kill(-groupId, 'SIGKILL');
  } catch (error) {
    if (!hasCode(error, 'ESRCH')) throw error;
  }
};

/** Starts the emulator at a random address. Returns `undefined` if another program has it. */
const startSomewhere = async (
  program: EmulatorProgram,
  data: string,
): Promise<EmbeddedDynamodb | undefined> => {
  const address = randomAddress();
  const { listening, exited, close, ...emulator } = launch(program, address, data);
  const { startTimeoutMs } = program;
  const failure = await Promise.race([
    listening,
    exited.then(() => 'did not start'),
    sleep(startTimeoutMs, `did not respond within ${startTimeoutMs / 1_000} s`, { ref: false }),
  ]);
  if (failure === undefined) return { endpoint: `http://${address.host}:${address.port}`, exited, close };
  await close();
  const stderr = emulator.stderr();
  if (/already in use|EADDRINUSE/i.test(stderr)) return undefined;
  const lines = stderr.trim().split('\n').slice(-5).join(' / ');
  throw (
    explainDataFile(data, stderr) ??
    new OperatorError(`The embedded DynamoDB ${failure}${lines === '' ? '' : ` (${lines})`}: ${REMEDY}.`)
  );
};

/**
 * Starts the DynamoDB emulator at a free address and waits until it listens.
 *
 * It runs in its own process group: Ctrl-C in a terminal reaches the caller alone, which then closes the emulator. The
 * emulator also ends with the caller's process, even after SIGKILL.
 *
 * @throws OperatorError if the emulator cannot be started
 */
export const startEmbeddedDynamodb = async (options: EmbeddedDynamodbOptions): Promise<EmbeddedDynamodb> => {
  const { data, program = findEmulator(process.platform, process.arch) } = options;
  const release = data === 'memory' ? () => undefined : await prepareDataFile(data);
  const started = await retry(() => startSomewhere(program, data), ADDRESSES).catch((error: unknown) => {
    release();
    throw error;
  });
  if (started) return { ...started, close: () => started.close().finally(release) };
  release();
  throw new OperatorError(`The embedded DynamoDB found no free address: ${REMEDY}.`);
};
