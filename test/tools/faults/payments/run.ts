import { setTimeout } from 'node:timers/promises';
import { LOCAL_TABLE_NAMES } from '../../../../infra/local-access/local-names.ts';
import { eventsAmong } from '../../../../lib/events/event-item.ts';
import { createEventRepository } from '../../../../lib/events/event-repository.ts';
import type { LoggedEvent } from '../../../../lib/events/logged-event.ts';
import type { PaymentsHistory } from './check.ts';
import { LOG, type PaymentsEnvironment, startPaymentsEnvironment } from './environment.ts';
import { payCart } from './pay-cart.ts';
import { PAYMENTS_SCENARIOS, type PaymentsScenario } from './scenarios.ts';

interface PaymentsOptions {
  /** Each fault once. Otherwise, five times. */
  readonly quick: boolean;
  readonly only: string;
  readonly print: (line: string) => void;
}

const INJECTIONS = 5;

const CALM_BEFORE_MS = 500;
const CALM_AFTER_MS = 1_500;

const SENDERS = 8;
const PAUSE_MS = 200;

const SETTLE_POLL_MS = 1_000;
/** Longer than a message in flight is invisible. */
const JUMP_MS = 120_000;
/** The endpoint gets about ten of its waiting webhooks a second. */
const settleMaxMs = (payments: number): number => 60_000 + 150 * payments;

/** Pays carts during a fault. Returns their ids. */
const runScenario = async (
  { name, inject }: PaymentsScenario,
  environment: PaymentsEnvironment,
  { quick, print }: PaymentsOptions,
): Promise<readonly string[]> => {
  const paid: string[] = [];
  const stopping = new AbortController();
  const send = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      paid.push(await payCart(environment));
      await setTimeout(PAUSE_MS);
    }
  };
  const sending = Promise.all(Array.from({ length: SENDERS }, send));
  // An error is thrown only after the injections have ended, because each lets the processes run again.
  sending.catch(() => undefined);
  for (let count = 0; count < (quick ? 1 : INJECTIONS); count += 1) {
    await setTimeout(CALM_BEFORE_MS);
    await inject?.(environment);
    await setTimeout(CALM_AFTER_MS);
  }
  stopping.abort();
  await sending;
  print(`${name}: ${paid.length} payments`);
  return paid;
};

const readEvents = async ({ documents }: PaymentsEnvironment): Promise<readonly LoggedEvent[]> => {
  const repository = createEventRepository(documents, LOCAL_TABLE_NAMES.events);
  const found: LoggedEvent[] = [];
  for (;;) {
    const { entries, hasMore } = await repository.after(LOG, found.at(-1)?.sequence ?? 0, 500);
    found.push(...eventsAmong(entries));
    if (!hasMore) return found;
  }
};

/** Waits until all payments have webhooks. When no further one arrives, the clocks jump to the time of the next attempts. */
const settle = async (environment: PaymentsEnvironment, payments: number): Promise<void> => {
  const { received } = environment.receiver;
  const endMs = performance.now() + settleMaxMs(payments);
  const arrived = (): number =>
    new Set(received.filter(({ status }) => status === 204).map(({ headers }) => headers['webhook-id'])).size;
  while (arrived() < payments && performance.now() < endMs) {
    const before = received.length;
    await setTimeout(SETTLE_POLL_MS);
    if (received.length === before) await environment.advance(JUMP_MS);
  }
};

/** Runs the payments' part: payments under faults, then the end of all deliveries. Returns what there is to check. */
export const runPayments = async (
  cleanUp: AsyncDisposableStack,
  options: PaymentsOptions,
): Promise<PaymentsHistory> => {
  const environment = await startPaymentsEnvironment(cleanUp);
  const paid: string[] = [];
  for (const scenario of PAYMENTS_SCENARIOS.filter(({ name }) => name.includes(options.only))) {
    paid.push(...(await runScenario(scenario, environment, options)));
  }
  await settle(environment, paid.length);
  return { paid, events: await readEvents(environment), received: environment.receiver.received };
};
