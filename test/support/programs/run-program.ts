import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

export interface RunOptions {
  /** Default: the folder of this process. */
  readonly cwd?: string;
  /** The whole environment. Default: that of this process. */
  readonly env?: NodeJS.ProcessEnv;
  /** Ends the program. */
  readonly signal?: AbortSignal;
  /** Whether Ctrl-C in the terminal leaves the program alone. */
  readonly detached?: true;
}

/**
 * Runs a program to its end, without input.
 *
 * @returns its standard output
 * @throws Error with all its output if it fails
 */
export const runProgram = async (
  file: string,
  args: readonly string[],
  { signal, ...options }: RunOptions = {},
): Promise<string> => {
  signal?.throwIfAborted();
  const child = spawn(file, args, options);
  signal?.addEventListener('abort', () => void child.kill(), { once: true });
  child.stdin.end();
  const output = Promise.all([text(child.stdout), text(child.stderr)]);
  const [exitCode] = (await once(child, 'close')) as [number | null];
  const [stdout, stderr] = await output;
  if (exitCode === 0) return stdout;
  throw new Error(`${file} ${args.join(' ')} failed:\n${stdout}\n${stderr}`);
};
