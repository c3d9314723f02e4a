import { setTimeout as sleep } from 'node:timers/promises';
import { recordedEvents } from '../../../lib/events/event-log.ts';
import type { LogId } from '../../../lib/events/logged-event.ts';
import { createStoreRepository } from '../../../lib/stores/store-repository.ts';
import { limitsOf, visibilitySecondsOf } from '../../stage/function-limits.ts';
import {
  byQueue,
  DEAD_LETTER_QUEUES,
  type DeadLetterQueueName,
  QUEUES,
  READ_QUEUES,
  type ReadQueueName,
} from '../../stage/queues.ts';
import type { StageTables } from '../database/local-database.ts';
import { type Handler, invoke } from '../gateway/invocation.ts';
import { type AwsActions, createAwsActions } from './aws-actions.ts';
import { createLocalBus } from './event-bus.ts';
import { createLogSource } from './log-source.ts';
import { Queue } from './queue.ts';
import { runInRound } from './recursion.ts';

/** The functions that no request invokes. */
export const BACKGROUND_FUNCTIONS = [
  'fan-out-events',
  'deliver-webhooks',
  'record-payment',
  'run-due',
] as const;

type BackgroundFunction = (typeof BACKGROUND_FUNCTIONS)[number];

/** The handlers of {@link BACKGROUND_FUNCTIONS}. */
export type BackgroundHandlers = Readonly<Record<BackgroundFunction, Handler<object, unknown>>>;

/** The pauses after each repetition, and the longest wait of a close. */
export const TIMES_MS = {
  poll: 500,
  runDue: 3_000,
  /** It finds the events that other processes recorded. */
  sweep: 2_000,
  /** Ctrl-C does not wait for a receiver that hangs. The next start delivers the message again. */
  closeMax: 1_000,
} as const;

interface BackgroundOptions extends StageTables {
  /** The table of the local stage alone. */
  readonly localStateTable: string;
  /** Prints a line for the operator. */
  readonly print: (line: string) => void;
  /** Default: {@link TIMES_MS} */
  readonly timesMs?: Readonly<Record<keyof typeof TIMES_MS, number>>;
}

/** The queues, the event bus, the event logs and the schedule of the local stage. They invoke the deployed functions. */
export interface Background {
  /** The calls to the queues and to the bus. */
  readonly actions: AwsActions;

  /** Begins to invoke the functions. */
  start(handlers: BackgroundHandlers): Promise<void>;

  /** Ends the work within about a second. The next start continues it. */
  close(): Promise<void>;
}

/** During an outage, every message and log fails again and again. */
const REPORT_INTERVAL_MS = 10_000;

/** Creates a function that reports failures of background work: each kind at most once in 10 s. */
const createFailureReports = ({ print, now }: BackgroundOptions): ((error: unknown) => void) => {
  const reportedAtMs = new Map<string, number>();
  return (error) => {
    const kind = error instanceof Error ? error.name : typeof error;
    if (now() - (reportedAtMs.get(kind) ?? -Infinity) < REPORT_INTERVAL_MS) return;
    reportedAtMs.set(kind, now());
    const account = error instanceof Error ? (error.stack ?? error.message) : String(error);
    print(`The stage could not handle an event or a delivery, and retries: ${account}`);
  };
};

/** Creates the call that invokes a function with an event. Only queues give a round (`recursion.ts`). */
const invoker =
  (handlers: Promise<BackgroundHandlers>, functionName: BackgroundFunction) =>
  async (event: object, round?: number): Promise<never> => {
    const timeoutMs = 1_000 * limitsOf(functionName).timeoutSeconds;
    const handler = (await handlers)[functionName];
    const run = () => invoke(handler, event, { functionName, timeoutMs });
    return runInRound(round, run) as Promise<never>;
  };

/** Creates the queues, by name. */
const createQueues = (
  options: BackgroundOptions,
  handlers: Promise<BackgroundHandlers>,
  reportFailure: (error: unknown) => void,
) => {
  const common = { ...options, random: Math.random, reportFailure };
  /** A queue that only operators read. */
  const deadLettersOf = (name: DeadLetterQueueName): Queue =>
    new Queue({
      ...common,
      name,
      invoke: async () => ({ batchItemFailures: [] }),
      concurrency: 0,
      // The default of SQS.
      visibilitySeconds: 30,
      receivesMax: Infinity,
      allowsRecursion: true,
    });
  const letters = byQueue(DEAD_LETTER_QUEUES, deadLettersOf);
  const queueOf = (name: ReadQueueName): Queue => {
    const { functionName, concurrency, receivesMax, deadLetters } = QUEUES[name].reader;
    const { allowsRecursion = false } = limitsOf(functionName);
    return new Queue({
      ...common,
      name,
      concurrency,
      receivesMax,
      invoke: invoker(handlers, functionName),
      visibilitySeconds: visibilitySecondsOf(functionName),
      allowsRecursion,
      deadLetters: letters[deadLetters],
    });
  };
  return { ...letters, ...byQueue(READ_QUEUES, queueOf) };
};

/** Repeats work until the signal aborts, with a pause after each end. */
const repeat = async (pauseMs: number, work: () => Promise<unknown>, signal: AbortSignal): Promise<void> => {
  while (!signal.aborted) {
    await work();
    await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
  }
};

/** Creates the background work. The database has all pending work, which therefore survives `kill -9`. */
export const createBackground = (options: BackgroundOptions): Background => {
  const { tableNames, print, now, timesMs = TIMES_MS } = options;
  const reportFailure = createFailureReports(options);
  const loaded = Promise.withResolvers<BackgroundHandlers>();
  const queues = createQueues(options, loaded.promise, reportFailure);
  const drain = createLogSource({
    ...options,
    eventsTable: tableNames.events,
    invoke: invoker(loaded.promise, 'fan-out-events'),
  });
  const takeEvent = (event: unknown): void => void drain(event as LogId).catch(reportFailure);
  const stores = createStoreRepository(options.documents, tableNames.stores);
  const sweep = async (): Promise<void> => {
    for (const { id: storeId } of await stores.list()) {
      for (const mode of ['live', 'test'] as const) if (!signal.aborted) await drain({ storeId, mode });
    }
  };
  const runDue = invoker(loaded.promise, 'run-due');
  const controller = new AbortController();
  const { signal } = controller;
  const all = Object.values(queues);
  let repetitions: readonly Promise<void>[] = [];
  return {
    actions: createAwsActions(queues, createLocalBus(queues.payments, print, now)),
    async start(handlers) {
      await Promise.all(all.map((queue) => queue.load()));
      loaded.resolve(handlers);
      recordedEvents.subscribe(takeEvent);
      const poll = async (): Promise<void> => all.forEach((queue) => void queue.poll());
      repetitions = [
        repeat(timesMs.poll, poll, signal),
        repeat(timesMs.sweep, () => sweep().catch(reportFailure), signal),
        repeat(timesMs.runDue, () => runDue({}).catch(reportFailure), signal),
      ];
    },
    async close() {
      recordedEvents.unsubscribe(takeEvent);
      controller.abort();
      const ended = [...repetitions, ...all.map((queue) => queue.close())];
      await Promise.race([Promise.all(ended), sleep(timesMs.closeMax, undefined, { ref: false })]);
    },
  };
};
