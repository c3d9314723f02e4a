import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';

/** One session of a shell. */
interface Shell {
  /** Runs commands. Returns their output, both streams together, and the exit code of the last one. */
  run(commands: string): Promise<{ readonly output: string; readonly exitCode: number }>;
  /** Ends the shell after its commands, and waits until no process that it started runs. */
  end(): Promise<void>;
  /** Ends the shell and all processes that it started, if any still runs. */
  stop(): void;
}

/** Runs each text that arrives at descriptor 3 up to a NUL. The commands see neither this input nor each other's. */
const LOOP = `exec 2>&1
while IFS= read -r -u 3 -d '' commands; do
  eval "$commands" 3<&-
  printf '\\0%s\\0' "$?"
done`;

/** Whether a process of a group still runs. */
const isAlive = (group: number): boolean => {
  try {
    process.kill(-group, 0);
    return true;
  } catch {
    return false;
  }
};

/** Starts bash in a process group of its own, without the files of the user's account. */
export const startShell = (env: Readonly<Record<string, string>>): Shell => {
  const shell = spawn('bash', ['--noprofile', '--norc', '-c', LOOP], {
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
  });
  const ended = once(shell, 'exit');
  const lost = ended.then(() => Promise.reject(new Error('The shell ended before its commands.')));
  lost.catch(() => undefined);
  const stdout = shell.stdout as Readable;
  const input = shell.stdio[3] as Writable;
  const group = shell.pid ?? 0;
  let text = '';
  stdout.setEncoding('utf8').on('data', (part: string) => (text += part));

  return {
    run: async (commands) => {
      input.write(`${commands}\0`);
      for (;;) {
        const [output = '', exitCode, rest] = text.split('\0');
        if (rest !== undefined) {
          text = text.slice(output.length + String(exitCode).length + 2);
          return { output, exitCode: Number(exitCode) };
        }
        await Promise.race([once(stdout, 'data'), lost]);
      }
    },
    end: async () => {
      input.end();
      await ended;
      while (isAlive(group)) await wait(100);
    },
    stop: () => {
      if (isAlive(group)) process.kill(-group, 'SIGTERM');
    },
  };
};
