import { setTimeout as sleep } from 'node:timers/promises';
import { createOperatorStoreRepository } from '../../../lib/operators/operator-store-repository.ts';
import { MODES } from '../../../lib/stores/mode.ts';
import type { StageTables } from '../database/local-tables.ts';
import { type AwsActions, createAwsActions } from './aws-actions.ts';
import { createLocalBus } from './event-bus.ts';
import { createEventStream } from './event-stream.ts';
import { type EventHandlers, invoker } from './invoke-functions.ts';
import { createQueues } from './queues.ts';

/** The pauses after each repetition, and the longest wait of a close. */
export const TIMES_MS = {
  poll: 500,
  runTimers: 3_000,
  /** It finds the events that other processes recorded. */
  sweep: 2_000,
  /** Ctrl-C does not wait for a receiver that hangs. The next start delivers the message again. */
  closeMax: 1_000,
} as const;

interface EventPathsOptions extends StageTables {
  /** The table of the local stage alone. */
  readonly localStateTable: string;
  /** Prints a line for the operator. */
  readonly print: (line: string) => void;
  /** Default: {@link TIMES_MS} */
  readonly timesMs?: Readonly<Record<keyof typeof TIMES_MS, number>>;
}

/** The queues, the event bus, the event logs and the schedule of the local stage. They invoke the deployed functions. */
export interface EventPaths {
  /** The calls to the queues and to the bus. */
  readonly actions: AwsActions;

  /** Passes recorded events to their function at once, as a stream does. Without a call, the next sweep passes them. */
  readonly passEvents: () => void;

  /** Begins to invoke the functions. */
  start(handlers: EventHandlers): Promise<void>;

  /** Ends the work within about a second. The next start continues it. */
  close(): Promise<void>;
}

/** During an outage, every message and log fails again and again. */
const REPORT_INTERVAL_MS = 10_000;

/** Creates a function that reports failures of queues and streams: each kind at most once in 10 s. */
const createFailureReports = ({ print, now }: EventPathsOptions): ((error: unknown) => void) => {
  const reportedAtMs = new Map<string, number>();
  return (error) => {
    const kind = error instanceof Error ? error.name : typeof error;
    if (now() - (reportedAtMs.get(kind) ?? -Infinity) < REPORT_INTERVAL_MS) return;
    reportedAtMs.set(kind, now());
    const account = error instanceof Error ? (error.stack ?? error.message) : String(error);
    print(`The stage could not handle an event or a delivery, and retries: ${account}`);
  };
};

/** Repeats work until the signal aborts, with a pause after each end. */
const repeat = async (pauseMs: number, work: () => Promise<unknown>, signal: AbortSignal): Promise<void> => {
  while (!signal.aborted) {
    await work();
    await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
  }
};

/** Creates the paths of events. All pending work is in the database, so it survives `kill -9`. */
export const createEventPaths = (options: EventPathsOptions): EventPaths => {
  const { tableNames, print, now, timesMs = TIMES_MS } = options;
  const reportFailure = createFailureReports(options);
  const loaded = Promise.withResolvers<EventHandlers>();
  const controller = new AbortController();
  const { signal } = controller;
  const queues = createQueues({ ...options, handlers: loaded.promise, reportFailure });
  const passLog = createEventStream({
    ...options,
    eventsTable: tableNames.events,
    invoke: invoker(loaded.promise, 'fan-out-events'),
  });
  const stores = createOperatorStoreRepository(options.documents, tableNames.stores);
  const sweep = async (): Promise<void> => {
    if (signal.aborted) return;
    const listed = await stores.list().catch(reportFailure);
    const logs = (listed ?? []).flatMap(({ id: storeId }) => MODES.map((mode) => ({ storeId, mode })));
    await Promise.all(logs.map((log) => passLog(log).catch(reportFailure)));
  };
  const runTimers = invoker(loaded.promise, 'run-timers');
  const all = Object.values(queues);
  let repetitions: readonly Promise<void>[] = [];
  return {
    actions: createAwsActions(queues, createLocalBus(queues.payments, print, now)),
    passEvents: () => void sweep(),
    async start(handlers) {
      await Promise.all(all.map((queue) => queue.load()));
      loaded.resolve(handlers);
      const poll = async (): Promise<void> => all.forEach((queue) => void queue.poll());
      repetitions = [
        repeat(timesMs.poll, poll, signal),
        repeat(timesMs.sweep, sweep, signal),
        repeat(timesMs.runTimers, () => runTimers({}).catch(reportFailure), signal),
      ];
    },
    async close() {
      controller.abort();
      const ended = [...repetitions, ...all.map((queue) => queue.close())];
      await Promise.race([Promise.all(ended), sleep(timesMs.closeMax, undefined, { ref: false })]);
    },
  };
};
