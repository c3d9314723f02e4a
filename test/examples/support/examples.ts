import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import type { Ended } from '../../support/processes.ts';

/** An example program for merchants' developers. */
export interface Example {
  readonly language: string;
  readonly command: string;
  readonly args: readonly string[];
}

const ZERO_IN_PYTHON = 'import random, runpy; random.random = lambda: 0; runpy.run_path';

/** In Node.js and Python, the random part of a wait is 0: a retry waits `Retry-After` seconds and no longer. */
const EXAMPLES: readonly Example[] = [
  {
    language: 'Node.js',
    command: process.execPath,
    args: ['--import', 'data:text/javascript,Math.random=()=>0', 'docs/examples/node/checkout.mjs'],
  },
  {
    language: 'Python',
    command: 'python3',
    args: ['-c', `${ZERO_IN_PYTHON}('docs/examples/python/checkout.py', run_name='__main__')`],
  },
  { language: 'PHP', command: 'php', args: ['docs/examples/php/checkout.php'] },
];

const isInstalled = ({ command }: Example): boolean => spawnSync(command, ['--version']).status === 0;

/** The examples that this machine can run. Warns about each other one. */
export const findRunnableExamples = (): readonly Example[] => {
  const runnable = EXAMPLES.filter(isInstalled);
  for (const { language, command } of EXAMPLES.filter((example) => !runnable.includes(example))) {
    console.warn(`THE EXAMPLE FOR ${language} IS NOT TESTED: this machine has no ${command}`);
  }
  return runnable;
};

const started = new Set<ChildProcess>();

/** Ends the examples that still run; for `afterAll`. */
export const stopExamples = (): void => {
  for (const child of started) child.kill('SIGKILL');
};

/**
 * Runs an example as a process. It inherits the path and no other variable.
 *
 * @param onAddress called with the payment address when the example prints it
 */
export const runExample = async (
  { command, args }: Example,
  settings: Readonly<Record<string, string>>,
  onAddress: (redirectUrl: string) => Promise<void> = () => Promise.resolve(),
): Promise<Ended> => {
  const env = { PATH: process.env['PATH'], ...settings };
  const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  started.add(child);
  const act = async (): Promise<string> => {
    let stdout = '';
    for await (const line of createInterface({ input: child.stdout })) {
      stdout += `${line}\n`;
      const [, address] = /^Redirect the buyer to (\S+)$/.exec(line) ?? [];
      if (address !== undefined) await onAddress(address);
    }
    return stdout;
  };
  const [stdout, stderr, [exitCode]] = await Promise.all([
    act(),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  return { exitCode, stdout, stderr };
};
