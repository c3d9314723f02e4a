import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiResponse } from './response.ts';

/** After this time, a stranger's request starts, however busy the thread is. */
const INTERVAL_MS_MAX = 50;

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
   * Resolves when a request may start: at once if an earlier request had the same header and a valid key. Others start
   * one by one. Each waits until the thread has been idle for as long as it has been busy since the previous start.
   */
  turn(authorization: string | undefined): Promise<void>;

  /** Learns from a response whether the key of its request is valid. */
  learn(authorization: string | undefined, response: ApiResponse): void;
}

/** Every response to an authenticated request has this header, and no other response has it. */
const isAuthenticated = ({ headers }: ApiResponse): boolean =>
  headers.some(([name]) => name.toLowerCase() === 'x-ratelimit-limit');

export const createStrangers = (thread = THIS_THREAD): Strangers => {
  const known = new Set<string>();
  let lastStart = thread.utilization();
  let lastTurn = Promise.resolve();

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
    turn(authorization) {
      if (authorization !== undefined && known.has(authorization)) return Promise.resolve();
      lastTurn = lastTurn.then(nextTurn);
      return lastTurn;
    },

    learn(authorization, response) {
      if (authorization === undefined) return;
      if (response.status === 401) known.delete(authorization);
      if (!isAuthenticated(response)) return;
      // Deleting first moves the caller to the end of the set's insertion order.
      known.delete(authorization);
      known.add(authorization);
      const [oldest] = known;
      if (known.size > CALLERS_MAX && oldest !== undefined) known.delete(oldest);
    },
  };
};
