import type { Host } from './context.ts';

/** A second signal ends the process at once. */
const stopSignal = (): AbortSignal => {
  const stop = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => stop.abort());
  return stop.signal;
};

const { stdin, stdout, stderr } = process;

/** The streams and the clock of this process. */
export const PROCESS_HOST: Host = { stdin, stdout, stderr, now: Date.now, stopSignal };
