import { setTimeout } from 'node:timers/promises';
import { DatabaseContentionError } from '../dynamodb.ts';

/**
 * Waits before a further attempt.
 *
 * @param failed the number of failed attempts, from 1
 * @throws DatabaseContentionError when the signal aborts
 */
export type BackOff = (failed: number, signal?: AbortSignal) => Promise<void>;

export interface BackOffOptions {
  /** The longest wait after the first failed attempt. It doubles with each further one. */
  readonly firstMs: number;
  /** The longest wait after any attempt. */
  readonly maxMs: number;
  /** Returns a number from 0 to below 1. */
  readonly random?: () => number;
  readonly wait?: (ms: number, signal?: AbortSignal) => Promise<unknown>;
}

/**
 * Waits for a random part of a growing time ("full jitter"), so that writers do not conflict again.
 * https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/
 */
export const createBackOff = ({
  firstMs,
  maxMs,
  random = Math.random,
  wait = (ms, signal) => setTimeout(ms, undefined, signal && { signal }),
}: BackOffOptions): BackOff => {
  return async (failed, signal) => {
    try {
      await wait(random() * Math.min(maxMs, firstMs * 2 ** (failed - 1)), signal);
    } catch {
      throw new DatabaseContentionError();
    }
  };
};
