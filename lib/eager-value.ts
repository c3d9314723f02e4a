import { unlessAborted } from './unless-aborted.ts';

/**
 * Waits for a value that is loaded in advance. The signal ends this wait alone, not the loading.
 *
 * @throws the error of the loading, or the signal's reason
 */
export type EagerValue<Value> = (signal: AbortSignal) => Promise<Value>;

/** Starts to load a value at once and keeps it. After a failure, the next caller starts again. */
export const loadEagerly = <Value>(load: () => Promise<Value>): EagerValue<Value> => {
  let loading: Promise<Value> | undefined;
  const start = (): Promise<Value> => {
    const started = load();
    loading = started;
    // Without a handler, a failure before the first caller would end the process.
    started.catch(() => (loading = undefined));
    return started;
  };
  void start();
  return (signal) => unlessAborted(loading ?? start(), signal);
};
