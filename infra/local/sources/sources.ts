import { setTimeout as sleep } from 'node:timers/promises';
import type { DynamoDBBatchResponse, SQSBatchResponse } from 'aws-lambda';
import type { Clock } from '../../../lib/core/clock.ts';
import { parseJson } from '../../../lib/core/parse-json.ts';
import type { Documents } from '../../../lib/dynamodb.ts';
import { recordedEvents } from '../../../lib/events/recorded-events.ts';
import type { LogId } from '../../../lib/events/store-event.ts';
import type { DeliveryMessage } from '../../../lib/webhooks/delivery.ts';
import { createStoreDirectory } from '../../../lib/stores/store-directory.ts';
import { DELIVERIES_CONCURRENCY, PAYMENTS_CONCURRENCY } from '../../stack/concurrency.ts';
import { limitsOf } from '../../stack/function-limits.ts';
import type { TableKind } from '../../tables.ts';
import { type Handler, invoke } from '../invocation.ts';
import { type AwsActions, createAwsActions } from './aws-actions.ts';
import { createEventBus } from './event-bus.ts';
import { createFailureReports } from './failure-reports.ts';
import { createLogSource, type DrainLog } from './log-source.ts';
import { Queue } from './queue.ts';
import { repeat } from './repeat.ts';

/** The functions that the sources invoke. */
export const SOURCE_FUNCTIONS = ['fan-out-events', 'deliver-webhooks', 'record-payment', 'run-due'] as const;

type SourceFunction = (typeof SOURCE_FUNCTIONS)[number];

/** The handlers of {@link SOURCE_FUNCTIONS}. */
export type SourceHandlers = Readonly<Record<SourceFunction, Handler<object, unknown>>>;

/**
 * The queues with a function, as `infra/stack/payments.ts` and `webhooks.ts` deploy them. Deliveries are grouped by endpoint:
 * its leases permit two at a time. Without groups, 10,000 deliveries for an endpoint that hangs only returned, and delayed
 * the others by 12 s.
 */
const QUEUES = {
  payments: {
    functionName: 'record-payment',
    concurrency: PAYMENTS_CONCURRENCY,
    groupOf: () => 'payments',
    concurrencyOfGroup: PAYMENTS_CONCURRENCY,
    receivesMax: 5,
  },
  deliveries: {
    functionName: 'deliver-webhooks',
    concurrency: DELIVERIES_CONCURRENCY,
    groupOf: (body: string) => (parseJson(body) as DeliveryMessage | undefined)?.endpoint?.endpointId ?? '',
    concurrencyOfGroup: 2,
    receivesMax: 1_000,
  },
} as const;

/** The pauses after each repetition, in milliseconds. `sweep` finds what other processes recorded. */
const PAUSES = { poll: 500, runDue: 3_000, sweep: 2_000 };

/** Ctrl-C does not wait for a receiver that hangs. The next start delivers the message again. */
const CLOSE_TIMEOUT_MS = 1_000;

export interface SourcesOptions {
  readonly documents: Documents;
  readonly tableNames: Readonly<Record<TableKind, string>>;
  /** The table of the local stage alone. */
  readonly sourcesTable: string;
  /** Prints a line for the operator. */
  readonly print: (line: string) => void;
  readonly now: Clock;
}

/** The queues, the event bus, the event logs and the schedule of the local stage. They invoke the deployed functions. */
export interface Sources {
  /** The calls to the queues and to the bus. */
  readonly actions: AwsActions;

  /** Begins to invoke the functions. */
  start(handlers: SourceHandlers): Promise<void>;

  /** Ends the work within about a second. The next start continues it. */
  close(): Promise<void>;
}

/** Makes the function that passes the events of all logs, those of other processes too. */
const createSweep =
  (drain: DrainLog, { documents, tableNames }: SourcesOptions) =>
  async (signal: AbortSignal): Promise<void> => {
    for (const { id: storeId } of await createStoreDirectory(documents, tableNames.stores).list()) {
      for (const mode of ['live', 'test'] as const) if (!signal.aborted) await drain({ storeId, mode });
    }
  };

/** The repeated work: its pause, and one repetition. */
const repetitionsOf = (
  queues: readonly Queue[],
  sweep: (signal: AbortSignal) => Promise<void>,
  runDue: () => Promise<unknown>,
): readonly (readonly [pauseMs: number, once: (signal: AbortSignal) => Promise<unknown>])[] => [
  [PAUSES.poll, async () => queues.forEach((queue) => void queue.poll())],
  [PAUSES.sweep, sweep],
  [PAUSES.runDue, runDue],
];

const timeoutMsOf = (functionName: SourceFunction): number => 1_000 * limitsOf(functionName).timeoutSeconds;

/** Creates the sources. Their pending work is in the database, so it survives `kill -9`. */
export const createSources = (options: SourcesOptions): Sources => {
  const { tableNames, print, now } = options;
  const reportFailure = createFailureReports(print, now);
  const loaded = Promise.withResolvers<SourceHandlers>();
  const invokerOf = (functionName: SourceFunction) => async (event: object) =>
    invoke((await loaded.promise)[functionName], event, {
      functionName,
      timeoutMs: timeoutMsOf(functionName),
    });
  const queueOf = (name: keyof typeof QUEUES): Queue => {
    const { functionName, ...limits } = QUEUES[name];
    return new Queue({
      ...options,
      ...limits,
      name,
      invoke: invokerOf(functionName) as (event: object) => Promise<SQSBatchResponse>,
      // As AWS recommends.
      visibilitySeconds: (6 * timeoutMsOf(functionName)) / 1_000,
      reportFailure,
    });
  };
  const queues = { payments: queueOf('payments'), deliveries: queueOf('deliveries') };
  const drain = createLogSource({
    ...options,
    eventsTable: tableNames.events,
    invoke: invokerOf('fan-out-events') as (event: object) => Promise<DynamoDBBatchResponse>,
  });
  const takeEvent = (event: unknown): void => void drain(event as LogId).catch(reportFailure);
  const controller = new AbortController();
  let repetitions: readonly Promise<void>[] = [];
  return {
    actions: createAwsActions(queues, createEventBus(queues.payments, print, now)),
    async start(handlers) {
      const all = Object.values(queues);
      await Promise.all(all.map((queue) => queue.load()));
      loaded.resolve(handlers);
      recordedEvents.subscribe(takeEvent);
      const work = repetitionsOf(all, createSweep(drain, options), () => invokerOf('run-due')({}));
      repetitions = work.map(([pauseMs, once]) => repeat(pauseMs, once, controller.signal, reportFailure));
    },
    async close() {
      recordedEvents.unsubscribe(takeEvent);
      controller.abort();
      const ended = [...repetitions, ...Object.values(queues).map((queue) => queue.close())];
      await Promise.race([Promise.all(ended), sleep(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
    },
  };
};
