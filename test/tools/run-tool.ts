import type { Command } from 'commander';
import { runCommandLine } from '../../infra/command-line.ts';

/**
 * Runs a tool's command line, then everything that was deferred to `cleanUp`: also after a failure or a signal.
 *
 * @param action receives `cleanUp`, then the arguments and options as Commander passes them
 */
export const runTool = async (
  program: Command,
  action: (cleanUp: AsyncDisposableStack, ...args: never[]) => Promise<void>,
): Promise<void> => {
  const cleanUp = new AsyncDisposableStack();
  const endBySignal = (): void => void cleanUp.disposeAsync().finally(() => process.exit(1));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, endBySignal);
  program.action(async (...args: unknown[]) => {
    try {
      await action(cleanUp, ...(args as never[]));
    } finally {
      await cleanUp.disposeAsync();
    }
  });
  await runCommandLine(program);
};
