import { setTimeout } from 'node:timers/promises';
import { LOCAL_TABLE_NAMES } from '../../../../infra/local-access/local-names.ts';
import { type CartRepositories, createCartRepositories } from '../../../../lib/carts/cart-repository.ts';
import { releaseRefund } from '../../../../lib/carts/cart-refunds.ts';
import type { Cart } from '../../../../lib/carts/cart.ts';
import { run } from '../../../support/programs/processes.ts';
import type { Random } from '../world/random.ts';
import type { World } from '../world/world.ts';
import { createPaymentSide, type Report } from '../../../support/payment-side.ts';
import type { Plan, Step } from './plan.ts';

/** The result of a plan. */
export interface Written {
  readonly plan: Plan;
  /** A step that did not succeed within {@link STEP_MAX_MS}. */
  readonly failure?: string;
}

/** Longer than any fault and the recovery from it. */
const STEP_MAX_MS = 120_000;

const AFTER_FAILURE_MS = 100;

/** How long a sender waits for its payment before it sends the event again. */
const RECORDED_MAX_MS = 10_000;
const RECORDED_POLL_MS = 20;
const SILENCE_MAX_MS = 15_000;

/** The payments of a log that wait at the same time share a transaction. */
const WRITERS = 64;

/** A command takes about a second. Some of them are killed in the middle. */
const COMMAND_KILLED_AFTER_MS = 1_000;

const postAction = async (address: string, action: string): Promise<boolean> => {
  const body = new URLSearchParams({ action });
  const signal = AbortSignal.timeout(SILENCE_MAX_MS);
  const response = await fetch(address, { method: 'POST', body, redirect: 'manual', signal });
  await response.arrayBuffer();
  return response.status === 303;
};

/** Whether a cart has a report, and no refund waits although its payment is recorded. */
const hasReport = (cart: Cart, report: Report): boolean => {
  const { payments = [], refunds = [], earlyRefunds = [] } = cart;
  const isStored =
    'refundId' in report
      ? [...refunds, ...earlyRefunds].some(({ refundId }) => refundId === report.refundId)
      : payments.some(({ eventId }) => eventId === report.eventId);
  return isStored && !releaseRefund(cart);
};

/** Waits for a report. A queue keeps its message until then, and a queue of the local stage ends with its process. */
const isRecorded = async (carts: CartRepositories, { id, mode }: Cart, report: Report): Promise<boolean> => {
  const endMs = performance.now() + RECORDED_MAX_MS;
  while (performance.now() < endMs) {
    const cart = await carts[mode].find(id);
    if (cart && hasReport(cart, report)) return true;
    await setTimeout(RECORDED_POLL_MS);
  }
  return false;
};

/** Creates the function that tries a step once. It returns whether the step is certainly done. */
const createAttempt = ({ baseUrls, stages, documents }: World, random: Random) => {
  const { carts: cartsTable, testCarts: testCartsTable } = LOCAL_TABLE_NAMES;
  const carts = createCartRepositories(documents, { cartsTable, testCartsTable }, Date.now);
  const sendCommand = async ({ id }: Cart, result: string): Promise<boolean> => {
    const { dynamodbEndpoint } = random.any(stages)!;
    const flags = ['--cart', id, '--result', result, '--dynamodb', dynamodbEndpoint];
    const { child, ended } = run('infra/operate/main.ts', ['payments', 'send', ...flags]);
    const killing = new AbortController();
    if (random.chance(0.5)) {
      const waitMs = random.next() * COMMAND_KILLED_AFTER_MS;
      const { signal } = killing;
      void setTimeout(waitMs, undefined, { signal }).then(
        () => child.kill('SIGKILL'),
        () => undefined,
      );
    }
    const { exitCode } = await ended;
    killing.abort();
    return exitCode === 0;
  };
  return async (cart: Cart, step: Step): Promise<boolean> => {
    const { id } = cart;
    if (step.by === 'sandbox') {
      return postAction(`${random.any(baseUrls)}/sandbox/checkout/${id}`, step.action);
    }
    if (step.by === 'command') return sendCommand(cart, step.result);
    const inTurn = random.chance(0.5) ? stages : stages.toReversed();
    const copies = inTurn
      .slice(0, step.copies)
      .map(({ dynamodbEndpoint }) => createPaymentSide(dynamodbEndpoint)([[cart, step.report]]));
    await Promise.any(copies);
    return isRecorded(carts, cart, step.report);
  };
};

type AttemptSteps = ReturnType<typeof createAttempt>;

/** Repeats a step until it is done. Returns why it gave up, if it did. */
const takeStep = async (attempt: AttemptSteps, cart: Cart, step: Step): Promise<string | undefined> => {
  const endMs = performance.now() + STEP_MAX_MS;
  for (;;) {
    try {
      if (await attempt(cart, step)) return undefined;
    } catch (error) {
      if (performance.now() > endMs) return String(error);
    }
    if (performance.now() > endMs) return 'it was rejected each time';
    await setTimeout(AFTER_FAILURE_MS);
  }
};

const write = async (attempt: AttemptSteps, plan: Plan): Promise<Written> => {
  for (const step of plan.steps) {
    const failure = await takeStep(attempt, plan.cart, step);
    if (failure !== undefined) return { plan, failure: `${step.by} of cart ${plan.cart.id}: ${failure}` };
  }
  return { plan };
};

/** Creates the function that carries out plans, many at a time. Each result is added to `written`. */
export const createWriters = (world: World, random: Random, written: Written[]) => {
  const attempt = createAttempt(world, random);
  return async (plans: readonly Plan[]): Promise<void> => {
    const left = [...plans];
    const runWriter = async (): Promise<void> => {
      for (let plan = left.shift(); plan; plan = left.shift()) {
        written.push(await write(attempt, plan));
      }
    };
    await Promise.all(Array.from({ length: WRITERS }, runWriter));
  };
};
