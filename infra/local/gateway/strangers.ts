import { setTimeout as sleep } from 'node:timers/promises';
import { bearerToken } from '../../../lib/http/bearer-token.ts';
import type { ApiResponse } from './response.ts';

/** After this time, a stranger's request starts, however busy the thread is. */
const INTERVAL_MS_MAX = 50;

/** A waiting request takes up to 10 KB. One connection can send any number of them without a response. */
const WAITING_MAX = 1_000;

/** About 100 KB. A further caller replaces the one that was seen least recently. */
const CALLERS_MAX = 1_000;

/** The thread that all functions of a local stage share. In AWS, a function environment serves one request at a time. */
export interface Thread {
  /** How long the thread was busy and idle so far, in milliseconds. */
  utilization(): { readonly active: number; readonly idle: number };
  sleep(milliseconds: number): Promise<unknown>;
}

const THIS_THREAD: Thread = { utilization: () => performance.eventLoopUtilization(), sleep };

/** Starts the requests of strangers so that they leave half of the thread's time to callers with a valid key. */
export interface Strangers {
  /**
   * Resolves to `true` when a request may start: at once if an earlier request had the same key and the key was valid.
   * Others start one by one. Each waits until the thread has been idle for as long as it has been busy since the previous
   * start, or until its key is known.
   *
   * Resolves to `false` if too many wait already, or if the request's connection ends first.
   */
  turn(authorization: string | undefined, connection: { readonly destroyed: boolean }): Promise<boolean>;

  /** Learns from a response whether the key of its request is valid. */
  learn(authorization: string | undefined, response: ApiResponse): void;
}

/** Every response to an authenticated request has this header, and no other response has it. */
const isAuthenticated = ({ headers }: ApiResponse): boolean =>
  headers.some(([name]) => name.toLowerCase() === 'x-ratelimit-limit');

export const createStrangers = (thread = THIS_THREAD): Strangers => {
  const known = new Set<string>();
  let lastStart = thread.utilization();
  let lastTurn = Promise.resolve(true);
  let waiting = 0;

  const isKnown = (authorization: string | undefined): boolean => known.has(bearerToken(authorization) ?? '');

  const nextTurn = async (): Promise<void> => {
    for (;;) {
      const { active, idle } = thread.utilization();
      const busyMs = active - lastStart.active;
      const idleMs = idle - lastStart.idle;
      const waitMs = Math.min(busyMs - idleMs, INTERVAL_MS_MAX - busyMs - idleMs);
      if (waitMs <= 0) break;
      await thread.sleep(waitMs);
    }
    lastStart = thread.utilization();
  };

  return {
    turn(authorization, connection) {
      if (isKnown(authorization)) return Promise.resolve(true);
      if (waiting === WAITING_MAX) return Promise.resolve(false);
      waiting += 1;
      lastTurn = lastTurn.then(async () => {
        // A response in the meantime may have shown that the key is valid.
        if (!connection.destroyed && !isKnown(authorization)) await nextTurn();
        waiting -= 1;
        return !connection.destroyed;
      });
      return lastTurn;
    },

    learn(authorization, response) {
      // Not the header: a caller can write one key with any number of spaces.
      const token = bearerToken(authorization);
      if (token === undefined) return;
      if (response.status === 401) known.delete(token);
      if (!isAuthenticated(response)) return;
      // Deleting first moves the caller to the end of the set's insertion order.
      known.delete(token);
      known.add(token);
      if (known.size <= CALLERS_MAX) return;
      const [oldest] = known;
      if (oldest !== undefined) known.delete(oldest);
    },
  };
};
