import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import type { Ended } from '../../support/processes.ts';

/** An example for merchants' developers, and how a shell starts it. */
export interface Example {
  readonly language: string;
  readonly command: string;
  readonly file: string;
}

const EXAMPLES: readonly Example[] = [
  // This very Node: the one that the project's scripts run on.
  { language: 'Node.js', command: process.execPath, file: 'docs/examples/node/checkout.mjs' },
  { language: 'Python', command: 'python3', file: 'docs/examples/python/checkout.py' },
  { language: 'PHP', command: 'php', file: 'docs/examples/php/checkout.php' },
];

const isThere = ({ command }: Example): boolean => spawnSync(command, ['--version']).status === 0;

/** The examples that this machine can run; of each other one it is told aloud that it was not run. */
export const findRunnableExamples = (): readonly Example[] => {
  for (const { command } of EXAMPLES.filter((example) => !isThere(example))) {
    console.warn(`THIS MACHINE HAS NO ${command}: its example was not run`);
  }
  return EXAMPLES.filter(isThere);
};

/** What an example reads from the environment. */
export interface ExampleSettings {
  readonly BASE_URL: string;
  readonly API_KEY: string;
  readonly PRODUCT_ID: string;
  readonly POLL_SECONDS?: string;
}

export interface RunningExample {
  /** The address at which the buyer pays, once it is printed. Rejects if the example ends before. */
  readonly redirectUrl: Promise<string>;
  readonly ended: Promise<Ended>;
}

const started = new Set<ChildProcess>();

/** Ends the examples that this test file has started and that still run; for `afterAll`. */
export const stopExamples = (): void => {
  for (const child of started) child.kill('SIGKILL');
};

/** Runs an example as a process of its own. It inherits the path and nothing else. */
export const runExample = ({ command, file }: Example, settings: ExampleSettings): RunningExample => {
  const env = { PATH: process.env['PATH'], ...settings };
  const child = spawn(command, [file], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  started.add(child);
  const redirectUrl = Promise.withResolvers<string>();
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    const [, address] = /^Redirect the buyer to (\S+)\r?\n/.exec(stdout) ?? [];
    if (address !== undefined) redirectUrl.resolve(address);
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = once(child, 'close').then(([exitCode]) => {
    redirectUrl.reject(new Error(`${file} ended with ${String(exitCode)}: ${stderr}`));
    return { exitCode: exitCode as number | null, stdout, stderr };
  });
  redirectUrl.promise.catch(() => undefined);
  return { redirectUrl: redirectUrl.promise, ended };
};
