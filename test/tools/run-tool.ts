import type { Command } from 'commander';
import { runCommandLine } from '../../infra/terminal/command-line.ts';

/**
 * Runs a tool's command line, then everything that was deferred to `cleanUp`: also after a failure or a signal.
 *
 * @param action receives `cleanUp`, then the arguments and options as Commander passes them. `false` ends the process with 1
 */
export const runTool = async (
  program: Command,
  action: (cleanUp: AsyncDisposableStack, ...args: never[]) => Promise<boolean | void>,
): Promise<void> => {
  const cleanUp = new AsyncDisposableStack();
  // A second disposal would end at once, and the process with it: both ends wait for the first.
  let ended: Promise<void> | undefined;
  const end = (): Promise<void> => (ended ??= cleanUp.disposeAsync());
  const endBySignal = (): void => void end().finally(() => process.exit(1));
  // Not `once`: npm repeats a Ctrl-C of the terminal, and a signal without a listener ends the process.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, endBySignal);
  program.action(async (...args: unknown[]) => {
    try {
      if ((await action(cleanUp, ...(args as never[]))) === false) process.exitCode = 1;
    } finally {
      await end();
    }
  });
  await runCommandLine(program);
};
