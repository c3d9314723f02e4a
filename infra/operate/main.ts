import { processClock } from '../../lib/core/process-clock.ts';
import { operate } from './program.ts';

const { stdin, stdout, stderr } = process;

/** A second signal ends the process at once. */
const stopSignal = (): AbortSignal => {
  const stop = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => stop.abort());
  return stop.signal;
};

// A failed command may have calls under way: do not wait for them.
process.exit(
  await operate(process.argv.slice(2), {
    stdin,
    stdout,
    stderr,
    now: processClock.now,
    clock: processClock,
    stopSignal,
  }),
);
