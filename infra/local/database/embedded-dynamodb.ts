import { randomInt } from 'node:crypto';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { retry } from '../../../lib/core/retry.ts';
import { hasCode } from '../../core/system-errors.ts';
import { IN_MEMORY } from '../../local-access/running-stage.ts';
import { OperatorError } from '../../terminal/operator-error.ts';
import { explainDataFile, prepareDataFile } from './data-file.ts';
import { startSupervised } from './supervised-process.ts';

const UMBRELLA_PACKAGE = 'dynoxide@1.2.1';
const ADDRESSES = { attemptsMax: 5, firstMs: 0, maxMs: 0 };
const STOP_TIMEOUT_MS = 3_000;
const REMEDY = 'start any DynamoDB, such as DynamoDB Local, and pass --dynamodb URL';

/** One thread serves 15,000 requests a second of 8 clients together. The default, a thread for each of two cores, serves 11,000. */
const EMULATOR_VARIABLES = { TOKIO_WORKER_THREADS: '1' };

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

/** Starts the emulator at a random address. Returns `undefined` if another program has it. */
const startSomewhere = async (
  program: EmulatorProgram,
  data: string,
): Promise<EmbeddedDynamodb | undefined> => {
  const address = randomAddress();
  const { startTimeoutMs, stopTimeoutMs } = program;
  const file = data === IN_MEMORY ? [] : ['--db-path', resolve(data)];
  const serve = ['serve', '--host', address.host, '--port', String(address.port), ...file];
  const { started, exited, close, stderr } = startSupervised(
    [program.command, ...program.args, ...serve],
    'Dynoxide listening on',
    stopTimeoutMs,
    EMULATOR_VARIABLES,
  );
  const failure = await Promise.race([
    started,
    exited.then(() => 'did not start'),
    sleep(startTimeoutMs, `did not respond within ${startTimeoutMs / 1_000} s`, { ref: false }),
  ]);
  if (failure === undefined) return { endpoint: `http://${address.host}:${address.port}`, exited, close };
  await close();
  const messages = stderr();
  if (/already in use|EADDRINUSE/i.test(messages)) return undefined;
  const lines = messages.trim().split('\n').slice(-5).join(' / ');
  throw (
    explainDataFile(data, messages) ??
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
  const release = data === IN_MEMORY ? () => undefined : await prepareDataFile(data);
  const started = await retry(() => startSomewhere(program, data), ADDRESSES).catch((error: unknown) => {
    release();
    throw error;
  });
  if (started) return { ...started, close: () => started.close().finally(release) };
  release();
  throw new OperatorError(`The embedded DynamoDB found no free address: ${REMEDY}.`);
};
