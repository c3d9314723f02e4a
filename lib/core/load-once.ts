import { unlessAborted } from './unless-aborted.ts';

/**
 * Loads a value at the first call and keeps it. The signal ends this wait alone, not the loading.
 *
 * @throws the error of the loading, or the signal's reason
 */
export type LoadedOnce<Value> = (signal: AbortSignal) => Promise<Value>;

/** Makes a value that its first caller loads, for all. After a failure, the next caller starts again. */
export const loadOnce = <Value>(load: () => Promise<Value>): LoadedOnce<Value> => {
  let loading: Promise<Value> | undefined;
  const start = (): Promise<Value> => {
    const started = load();
    loading = started;
    // Without a handler, a failure after the wait of its caller would end the process.
    started.catch(() => (loading = undefined));
    return started;
  };
  return (signal) => unlessAborted(loading ?? start(), signal);
};
