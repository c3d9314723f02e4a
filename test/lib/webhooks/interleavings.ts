import { setImmediate } from 'node:timers/promises';
import type { Documents } from '../../../lib/core/documents.ts';
import { OutageError } from '../../../lib/core/errors.ts';
import { aroundCalls } from '../../support/documents.ts';

/** Chooses one of `count` calls that wait. */
type Choose = (count: number) => number;

/**
 * Lets processes that share a client make their calls one at a time. Outside of `run`, calls are as always.
 *
 * @param beforeCall runs before each call
 */
export const createTurns = (documents: Documents, beforeCall: () => void) => {
  let waiting: (() => Promise<unknown>)[] | undefined;
  let callsLeft = Infinity;
  aroundCalls(documents, ({ input }, next) => {
    beforeCall();
    if (callsLeft <= 0) return Promise.reject(new OutageError('The process has ended'));
    callsLeft -= 1;
    const { promise, resolve, reject } = Promise.withResolvers<Record<string, unknown>>();
    const call = () => next(input).then(resolve, reject);
    if (waiting) waiting.push(call);
    else void call();
    return promise;
  });
  return {
    /** Runs a process that ends after so many calls. Returns whether it made them all. */
    async runFor(calls: number, process: () => Promise<unknown>): Promise<boolean> {
      callsLeft = calls;
      await process();
      const isDead = callsLeft <= 0;
      callsLeft = Infinity;
      return isDead;
    },

    /** Runs processes to their end. At each step, `choose` decides whose call is next. */
    async run(choose: Choose, ...processes: readonly (() => Promise<unknown>)[]): Promise<void> {
      const calls: (() => Promise<unknown>)[] = [];
      waiting = calls;
      const state = { isDone: false };
      const all = Promise.all(processes.map((process) => process())).finally(() => (state.isDone = true));
      while (!state.isDone) {
        // All processes then wait for a call.
        await setImmediate();
        if (calls.length > 0) await calls.splice(choose(calls.length), 1)[0]?.();
      }
      waiting = undefined;
      await all;
    },
  };
};

/** Runs a test for each order of the choices that it makes. Returns how many there are. */
export const exploreAll = async (test: (choose: Choose) => Promise<void>): Promise<number> => {
  let planned: readonly number[] = [];
  for (let runs = 1; ; runs += 1) {
    const made: { readonly index: number; readonly count: number }[] = [];
    await test((count) => {
      const index = planned[made.length] ?? 0;
      made.push({ index, count });
      return index;
    });
    const open = made.findLastIndex(({ index, count }) => index + 1 < count);
    const last = made[open];
    if (!last) return runs;
    planned = [...made.slice(0, open).map(({ index }) => index), last.index + 1];
  }
};
