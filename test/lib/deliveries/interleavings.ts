import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate } from 'node:timers/promises';
import type { Documents } from '../../../lib/core/documents.ts';
import { OutageError } from '../../../lib/core/aws-errors.ts';
import { aroundCalls, type Call } from '../../support/database/documents.ts';

/** Chooses one of the steps that wait, by their names. Returns its index. */
export type Choose = (waiting: readonly string[]) => number;

/** A process that races with others. Its name is in the report of a failure. */
type Process = () => Promise<unknown>;

interface Step {
  readonly name: string;
  readonly make: Process;
}

/** Such as `PutItem carts`, without the prefix of the test's tables. */
const nameOf = ({ operation, input: { TableName } }: Call): string =>
  typeof TableName === 'string' ? `${operation} ${TableName.replace(/^[0-9a-f-]{36}-/, '')}` : operation;

/**
 * Lets processes that share a client make their calls one at a time. Each call is a step. Outside of `run`, calls need no turn.
 *
 * @param beforeCall runs before each call
 */
export const createTurns = (documents: Documents, beforeCall: () => void = () => undefined) => {
  const processName = new AsyncLocalStorage<string>();
  let waiting: Step[] | undefined;
  let callsLeft = Infinity;
  const inTurn = <Result>(name: string, call: () => Promise<Result>): Promise<Result> => {
    beforeCall();
    if (callsLeft <= 0) return Promise.reject(new OutageError('The process has ended'));
    callsLeft -= 1;
    if (!waiting) return call();
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    waiting.push({ name: `${processName.getStore()}: ${name}`, make: () => call().then(resolve, reject) });
    return promise;
  };
  aroundCalls(documents, (call, next) => inTurn(nameOf(call), () => next(call.input)));
  return {
    /** Makes each call of a function a step, such as that of a queue or a receiver. The function must make no other step. */
    step:
      <Args extends readonly unknown[], Result>(name: string, call: (...args: Args) => Promise<Result>) =>
      (...args: Args): Promise<Result> =>
        inTurn(name, async () => call(...args)),

    /** Runs a process that ends after so many calls. Returns whether it made them all. */
    async runFor(calls: number, process: Process): Promise<boolean> {
      callsLeft = calls;
      await process();
      const isDead = callsLeft <= 0;
      callsLeft = Infinity;
      return isDead;
    },

    /**
     * Runs processes to their end. `choose` decides whose step is next. Between two steps, a process must not wait for a timer
     * or another client: inject both.
     *
     * @throws the first error of a process, after all have ended
     */
    async run(choose: Choose, ...processes: readonly Process[]): Promise<void> {
      const steps: Step[] = [];
      waiting = steps;
      const state = { isDone: false };
      try {
        const started = processes.map((process, index) =>
          processName.run(`${index + 1} ${process.name}`.trim(), process),
        );
        const all = Promise.allSettled(started).finally(() => (state.isDone = true));
        while (!state.isDone) {
          // All processes then wait for a step.
          await setImmediate();
          if (steps.length === 0) continue;
          await steps.splice(choose(steps.map(({ name }) => name)), 1)[0]?.make();
        }
        for (const result of await all) if (result.status === 'rejected') throw result.reason;
      } finally {
        waiting = undefined;
      }
    },
  };
};

interface Choice {
  readonly waiting: readonly string[];
  readonly index: number;
}

const scheduleOf = (choices: readonly Choice[]): string =>
  choices.map(({ waiting, index }) => `  ${waiting[index]}`).join('\n');

/**
 * Runs a test for each order of its steps, depth first. Each run repeats the choices of the run before. It changes the last one
 * that has an alternative. Two processes of m and n steps have (m + n)! / (m! n!) orders.
 *
 * @returns the number of orders
 * @throws the first error of the test, with the order of the steps in its message
 * @throws if the same choices lead to other steps, or if there are too many orders
 */
export const exploreAll = async (
  test: (choose: Choose) => Promise<void>,
  { ordersMax = 10_000 }: { readonly ordersMax?: number } = {},
): Promise<number> => {
  let planned: readonly Choice[] = [];
  for (let orders = 1; orders <= ordersMax; orders += 1) {
    const made: Choice[] = [];
    const choose: Choose = (waiting) => {
      const plan = planned[made.length];
      if (plan && plan.waiting.join() !== waiting.join()) {
        throw new Error(`The same order now has the steps "${waiting.join()}", not "${plan.waiting.join()}"`);
      }
      const index = plan?.index ?? 0;
      made.push({ waiting, index });
      return index;
    };
    try {
      await test(choose);
    } catch (error) {
      if (error instanceof Error) error.message += `\n\nOrder ${orders} of the steps:\n${scheduleOf(made)}`;
      throw error;
    }
    const open = made.findLastIndex(({ waiting, index }) => index + 1 < waiting.length);
    const last = made[open];
    if (!last) return orders;
    planned = [...made.slice(0, open), { ...last, index: last.index + 1 }];
  }
  throw new Error(
    `There are more than ${ordersMax} orders: make fewer calls a step, or race fewer processes`,
  );
};
