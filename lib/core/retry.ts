import { setTimeout } from 'node:timers/promises';

/** The sources of time and randomness for pauses. */
export interface Pauses {
  /** Rejects when the signal aborts. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<unknown>;
  /** From 0 to below 1. */
  readonly random: () => number;
}

const TIMER: Pauses = {
  sleep: (ms, signal) => setTimeout(ms, undefined, signal && { signal }),
  random: Math.random,
};

export interface BackOff {
  /** The longest pause after the first failed attempt. It doubles with each further one. 0: no pause. */
  readonly firstMs: number;
  /** The longest pause after any attempt. */
  readonly maxMs: number;
  readonly pauses?: Pauses | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Waits for a random part of a growing time ("full jitter"), so that writers do not conflict again.
 * https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/
 *
 * @param failed the number of failed attempts, from 1
 * @throws when the signal aborts
 */
export const backOff = async (
  failed: number,
  { firstMs, maxMs, pauses = TIMER, signal }: BackOff,
): Promise<void> => {
  if (firstMs > 0) await pauses.sleep(pauses.random() * Math.min(maxMs, firstMs * 2 ** (failed - 1)), signal);
};

export interface RetryOptions extends BackOff {
  /** Default: as many as the signal leaves time for. */
  readonly attemptsMax?: number;
}

/**
 * Repeats an attempt, with pauses, until it returns a result.
 *
 * @param attempt gets its number, from 1
 * @returns `undefined` after the last attempt, or when the signal aborts
 * @throws the error of an attempt
 */
export const retry = async <Result>(
  attempt: (nth: number) => Promise<Result | undefined>,
  { attemptsMax = Infinity, ...options }: RetryOptions,
): Promise<Result | undefined> => {
  for (let nth = 1; ; nth += 1) {
    // oxlint-disable no-await-in-loop -- one attempt after the other
    const result = await attempt(nth);
    if (result !== undefined || nth === attemptsMax || options.signal?.aborted) return result;
    try {
      await backOff(nth, options);
    } catch (error) {
      if (options.signal?.aborted) return undefined;
      throw error;
    }
    // oxlint-enable no-await-in-loop
  }
};

/** No pause: each attempt uses what the one before has read. */
export const NO_PAUSES = { firstMs: 0, maxMs: 0 };
