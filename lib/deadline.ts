/** A signal that aborts at a time, unless the work ends first. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** Ends the timer. The signal no longer aborts. */
  cancel(): void;
}

/** Starts a deadline. The timer of an `AbortSignal.timeout` would outlive the work and cost an error each time. */
export const startDeadline = (timeoutMs: number): Deadline => {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), timeoutMs);
  return { signal: controller.signal, cancel: () => clearTimeout(timer) };
};
