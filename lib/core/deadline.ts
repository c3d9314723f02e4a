/** A signal that aborts at a time, unless the work ends first. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** Ends the timer. The signal no longer aborts. */
  cancel(): void;
}

/**
 * Starts a deadline. The timer of an `AbortSignal.timeout` would outlive the work and cost an error each time.
 *
 * @param timeoutMs the time from now. Without any, the signal has already aborted
 */
export const startDeadline = (timeoutMs: number): Deadline => {
  const controller = new AbortController();
  const { signal } = controller;
  const abort = (): void => controller.abort();
  if (timeoutMs <= 0) {
    abort();
    return { signal, cancel: () => undefined };
  }
  const timer = setTimeout(abort, timeoutMs);
  return { signal, cancel: () => clearTimeout(timer) };
};
