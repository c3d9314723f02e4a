import { spawn } from 'node:child_process';
import { hasCode } from '../../core/system-errors.ts';

const STDERR_CHARACTERS_KEPT = 2_000;

/**
 * Runs the program as a child of a shell, which waits for its own standard input. A line ends the program cleanly. At the end
 * of the input, the shell kills its process group. The system closes the input whenever the caller's process ends, even by a
 * crash. The program's files are private (umask). A write beyond the file size limit fails, but does not end the program (XFSZ).
 * Only the program writes to standard error.
 */
const SHELL_SCRIPT =
  'umask 077; trap "" XFSZ; "$@" </dev/null & exec 2>/dev/null; read -r _ || kill -KILL 0; trap "" TERM; kill -TERM 0; wait';

const killGroup = (groupId: number | undefined): void => {
  try {
    if (groupId !== undefined) process.kill(-groupId, 'SIGKILL');
  } catch (error) {
    if (!hasCode(error, 'ESRCH')) throw error;
  }
};

/** A program in its own process group. It ends when this process ends. */
interface SupervisedProcess {
  readonly started: Promise<void>;
  /** Resolves when the program and its wrappers, such as npx, have ended. */
  readonly exited: Promise<void>;
  /** The last 2,000 characters of standard error. */
  readonly stderr: () => string;
  readonly close: () => Promise<void>;
}

/**
 * Starts a program.
 *
 * @param startedText the text that the program writes to standard error when it has started
 * @param stopTimeoutMs the time from SIGTERM to SIGKILL
 * @param variables of its environment. They override those of this process
 */
export const startSupervised = (
  command: readonly string[],
  startedText: string,
  stopTimeoutMs: number,
  variables: Readonly<Record<string, string>>,
): SupervisedProcess => {
  const args = ['-c', SHELL_SCRIPT, 'sh', ...command];
  const env = { ...process.env, ...variables };
  const child = spawn('sh', args, { stdio: ['pipe', 'ignore', 'pipe'], detached: true, env });
  const started = Promise.withResolvers<void>();
  const exited = new Promise<void>((settle) => child.once('close', () => settle()));
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-STDERR_CHARACTERS_KEPT);
    if (stderr.includes(startedText)) started.resolve();
  });
  // Standard error ends when the program and its wrappers have ended.
  child.stderr.once('end', () => child.stdin.end());
  // The shell may end before it reads its input.
  child.stdin.on('error', () => undefined);
  child.once('exit', () => killGroup(child.pid));
  const close = async (): Promise<void> => {
    child.stdin.write('\n');
    const timer = setTimeout(() => killGroup(child.pid), stopTimeoutMs);
    await exited;
    clearTimeout(timer);
  };
  return { started: started.promise, exited, stderr: () => stderr, close };
};
