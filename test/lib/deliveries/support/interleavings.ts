import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate } from 'node:timers/promises';
import { UnavailableError } from '../../../../lib/aws/errors.ts';
import type { DocumentClient } from '../../../../lib/database/documents.ts';
import { aroundCalls } from '../../../support/database/client-calls.ts';
import { commute, type Footprint, footprintOf, nameOf } from './footprints.ts';

/** A step that waits for its turn. */
interface WaitingStep {
  /** Its process and its call. */
  readonly name: string;
  readonly process: string | undefined;
  /** Its number among all steps of a run. Runs with the same choices so far give a step the same number. */
  readonly number: number;
  /** Absent if it is unknown. */
  readonly footprint?: Footprint | undefined;
}

/** Chooses one of the steps that wait. Returns its index. */
type Choose = (waiting: readonly WaitingStep[]) => number;

/** A process that races with others. Its name is in the report of a failure. */
type Process = () => Promise<unknown>;

interface Step extends WaitingStep {
  readonly make: Process;
}

/**
 * Lets processes that share a client make their calls one at a time. Each call is a step. Outside of `run`, calls need no turn.
 *
 * @param beforeCall runs before each call
 */
export const createTurns = (documents: DocumentClient, beforeCall: () => void = () => undefined) => {
  const processName = new AsyncLocalStorage<string>();
  let waiting: Step[] | undefined;
  let steps = 0;
  let callsLeft = Infinity;
  const inTurn = <Result>(
    name: string,
    call: () => Promise<Result>,
    footprint?: Footprint,
  ): Promise<Result> => {
    beforeCall();
    if (callsLeft <= 0) return Promise.reject(new UnavailableError('The process has ended'));
    callsLeft -= 1;
    if (!waiting) return call();
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    steps += 1;
    const make = () => call().then(resolve, reject);
    const process = processName.getStore();
    waiting.push({ name: `${process}: ${name}`, process, number: steps, footprint, make });
    return promise;
  };
  aroundCalls(documents, (call, next) => inTurn(nameOf(call), () => next(call.input), footprintOf(call)));
  return {
    /**
     * Makes each call of a function a step, such as that of a queue or a receiver. The function must make no other step.
     *
     * @param footprint Default: unknown, so the step commutes with no other
     */
    step:
      <Args extends readonly unknown[], Result>(
        name: string,
        call: (...args: Args) => Promise<Result>,
        footprint?: Footprint,
      ) =>
      (...args: Args): Promise<Result> =>
        inTurn(name, async () => call(...args), footprint),

    /** Runs a process that ends after so many calls. Returns whether it made them all. */
    async runFor(calls: number, process: Process): Promise<boolean> {
      callsLeft = calls;
      await process();
      const isDead = callsLeft <= 0;
      callsLeft = Infinity;
      return isDead;
    },

    /**
     * Runs processes to their end. `choose` decides whose step is next. Between two steps, a process must not wait for a timer, another
     * client or another process: inject the first two.
     *
     * @throws the first error of a process, after all have ended
     */
    async run(choose: Choose, ...processes: readonly Process[]): Promise<void> {
      const queue: Step[] = [];
      waiting = queue;
      steps = 0;
      const state = { isDone: false };
      try {
        const started = processes.map((process, index) =>
          processName.run(`${index + 1} ${process.name}`.trim(), process),
        );
        const all = Promise.allSettled(started).finally(() => (state.isDone = true));
        while (!state.isDone) {
          // All processes then wait for a step.
          await setImmediate();
          if (queue.length === 0) continue;
          await queue.splice(choose(queue), 1)[0]?.make();
        }
        for (const result of await all) if (result.status === 'rejected') throw result.reason;
      } finally {
        waiting = undefined;
      }
    },
  };
};

export type Turns = ReturnType<typeof createTurns>;

/** A point of a run at which one of several steps was chosen. */
interface Choice {
  readonly waiting: readonly WaitingStep[];
  readonly index: number;
  /**
   * The numbers of the steps that need no turn here: an order that began with one of them was tried, and all steps since commute with
   * it. They are the sleep set of P. Godefroid, "Partial-Order Methods for the Verification of Concurrent Systems", chapter 5.
   */
  readonly asleep: readonly number[];
  /**
   * Whether, in a run so far, a later step did not commute with the chosen one. If none did, each order from here equals one that
   * begins with the chosen step: C. Flanagan and P. Godefroid, "Dynamic Partial-Order Reduction for Model Checking Software".
   */
  isContested: boolean;
}

const namesOf = (waiting: readonly WaitingStep[]): string => waiting.map(({ name }) => name).join();

const scheduleOf = (choices: readonly Choice[]): string =>
  choices.map(({ waiting, index }) => `  ${waiting[index]?.name}`).join('\n');

/** The steps that sleep after a choice. */
const asleepAfter = ({ waiting, index, asleep }: Choice): readonly number[] =>
  waiting
    .filter(({ number }) => asleep.includes(number))
    .filter(({ footprint }) => commute(footprint, waiting[index]?.footprint))
    .map(({ number }) => number);

/**
 * Whether a later step could run before the chosen one, with another result. A step of the same process could only if the process
 * has branches: another of its steps then waits.
 */
const competes = ({ waiting, index }: Choice, later: WaitingStep): boolean => {
  const chosen = waiting[index]!;
  const isBranch = waiting.some((other) => other !== chosen && other.process === chosen.process);
  return (later.process !== chosen.process || isBranch) && !commute(chosen.footprint, later.footprint);
};

/** The index of the first step that does not sleep. -1 if all do. */
const firstAwake = (waiting: readonly WaitingStep[], asleep: readonly number[]): number =>
  waiting.findIndex(({ number }) => !asleep.includes(number));

/** The choices of the next run: those of the last one up to a contested choice that has an alternative. */
const nextPlan = (made: readonly Choice[]): readonly Choice[] | undefined => {
  for (let last = made.length - 1; last >= 0; last -= 1) {
    const choice = made[last]!;
    if (!choice.isContested) continue;
    const asleep = [...choice.asleep, choice.waiting[choice.index]!.number];
    const index = firstAwake(choice.waiting, asleep);
    if (index !== -1) return [...made.slice(0, last), { ...choice, asleep, index, isContested: false }];
  }
  return undefined;
};

/** Ends a run whose remaining orders equal those of an earlier run. */
class EqualOrderError extends Error {}

/**
 * Runs a test for the orders of its steps, depth first. Each run repeats the choices of the run before. It changes the last
 * contested one that has an alternative. Of orders that differ only by steps that commute, one runs to its end.
 *
 * @returns the number of orders
 * @throws the first error of the test, with the order of the steps in its message
 * @throws if the same choices lead to other steps, or if there are too many orders
 */
export const exploreAll = async (
  test: (choose: Choose) => Promise<void>,
  { ordersMax = 10_000 }: { readonly ordersMax?: number } = {},
): Promise<number> => {
  let plan: readonly Choice[] | undefined = [];
  let orders = 0;
  while (plan) {
    const planned: readonly Choice[] = plan;
    const made: Choice[] = [];
    const choose: Choose = (waiting) => {
      const known = planned[made.length];
      if (known && namesOf(known.waiting) !== namesOf(waiting))
        throw new Error(
          `The same order now has the steps "${namesOf(waiting)}", not "${namesOf(known.waiting)}"`,
        );
      const last = made.at(-1);
      const asleep = known?.asleep ?? (last ? asleepAfter(last) : []);
      const index = known?.index ?? firstAwake(waiting, asleep);
      for (const choice of made) choice.isContested ||= waiting.some((step) => competes(choice, step));
      if (index === -1) throw new EqualOrderError();
      made.push({ waiting: [...waiting], index, asleep, isContested: known?.isContested ?? false });
      return index;
    };
    try {
      await test(choose);
      orders += 1;
      if (orders > ordersMax) break;
    } catch (error) {
      if (!(error instanceof EqualOrderError)) {
        if (error instanceof Error)
          error.message += `\n\nOrder ${orders + 1} of the steps:\n${scheduleOf(made)}`;
        throw error;
      }
    }
    plan = nextPlan(made);
  }
  if (orders <= ordersMax) return orders;
  throw new Error(
    `There are more than ${ordersMax} orders: make fewer calls a step, or race fewer processes`,
  );
};
