import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

// It also keeps the JavaScript of TypeScript: a start then takes half of the CPU time. Only imports after this call use it.
enableCompileCache(join(import.meta.dirname, '../../node_modules/.cache/operate'));
const { operate } = await import('./program.ts');

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
    now: Date.now,
    stopSignal,
  }),
);
