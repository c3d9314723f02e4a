import { setTimeout as sleep } from 'node:timers/promises';
import type { Documents } from '../../../lib/core/documents.ts';
import { createErasureDependencies, runErasures } from '../../../lib/buyers/run-erasures.ts';
import type { ExpiringCart } from '../../../lib/carts/expiry-schedule.ts';
import { createdCarts } from '../../../lib/carts/created-carts.ts';
import { createAbandonmentStores, recordAbandonments } from '../../../lib/carts/record-abandonment.ts';
import type { Clock } from '../../../lib/core/clock.ts';
import { createDueStore, type DueStore } from '../../../lib/due/due-store.ts';
import { runDue, type RunDueDependencies } from '../../../lib/due/run-due.ts';
import type { EventBus } from '../../../lib/events/bus.ts';
import { createEventStore } from '../../../lib/events/event-store.ts';
import { fanOut, type FanOutDependencies } from '../../../lib/events/fan-out.ts';
import { recordedEvents } from '../../../lib/events/recorded-events.ts';
import type { LoggedEvent } from '../../../lib/events/store-event.ts';
import { createStoreDirectory, type StoreDirectory } from '../../../lib/stores/store-directory.ts';
import { findStoreName } from '../../../lib/stores/store-name.ts';
import type { DeliveryQueue } from '../../../lib/webhooks/delivery.ts';
import { createEndpointStore } from '../../../lib/webhooks/endpoint-store.ts';
import { paymentTablesOf } from '../../payment-tables.ts';
import type { TableKind } from '../../tables.ts';
import { createDeliveryQueue } from '../delivery-queue.ts';
import { createDeliverers, type Deliverers } from './deliverers.ts';
import { createDelivery } from './delivery.ts';
import { createExpiryScheduler, SCAN_INTERVAL_MS } from './expiries.ts';
import { createFailureReports } from './failure-reports.ts';
import { LogFollower } from './log-follower.ts';
import { createLogPositions } from './log-positions.ts';
import { createPrintedBus } from './printed-bus.ts';
import { repeat } from './repeat.ts';
import { createSweeps } from './sweeps.ts';

/** The pauses after each repetition, in milliseconds. */
const PAUSES = { poll: 500, sweep: 1_000, runDue: 3_000, erase: 60_000, scan: SCAN_INTERVAL_MS };

const POLLS_PER_FULL_POLL = 120;

/** Ctrl-C does not wait for a receiver that hangs. The next start delivers the message again. */
const CLOSE_TIMEOUT_MS = 1_000;

export interface LocalEventsOptions {
  /** A client of its own: requests must not wait for its connections. */
  readonly documents: Documents;
  readonly tableNames: Readonly<Record<TableKind, string>>;
  /** Whether no other process uses the database. Claims of earlier processes are then ignored. */
  readonly ownsDatabase: boolean;
  /** How long a completed cart keeps its buyer's data, in days. */
  readonly personalDataDays: number;
  /** Prints a line for the operator. */
  readonly print: (line: string) => void;
  readonly now: Clock;
  readonly pauses?: typeof PAUSES;
}

/** The events and webhooks of the local stage. */
export interface LocalEvents {
  /** Ends the work within about a second. The next start continues it. */
  close(): Promise<void>;
}

/** The dependencies that the parts share. */
interface Shared extends LocalEventsOptions {
  readonly bus: EventBus;
  readonly queue: DeliveryQueue;
  readonly due: DueStore;
  readonly reportFailure: (error: unknown) => void;
}

/** A new name of a store appears in events after at most a minute. */
const NAMES_KEPT_MS = 60_000;

/** Finds the names of stores, and remembers them for a while. */
const rememberNames = (
  stores: Pick<StoreDirectory, 'find'>,
  now: Clock,
): FanOutDependencies['storeNameOf'] => {
  const names = new Map<string, { readonly name: string; readonly untilMs: number }>();
  return async (storeId) => {
    const known = names.get(storeId);
    if (known && known.untilMs > now()) return known.name;
    const name = await findStoreName(stores, storeId);
    names.set(storeId, { name, untilMs: now() + NAMES_KEPT_MS });
    return name;
  };
};

const createFollower = ({ documents, tableNames, bus, queue, now, reportFailure }: Shared) => {
  const stores = createStoreDirectory(documents, tableNames.stores);
  const endpoints = createEndpointStore(documents, tableNames.webhookEndpoints);
  const dependencies: FanOutDependencies = {
    bus,
    deliveries: queue,
    endpointsOf: (log) => endpoints.listOf(log),
    storeNameOf: rememberNames(stores, now),
  };
  const follower = new LogFollower({
    fanOut: (events) => fanOut(events, dependencies),
    events: createEventStore(documents, tableNames.events),
    positions: createLogPositions(documents, tableNames.due),
    now,
    reportFailure,
  });
  return { follower, sweepNext: createSweeps(stores, (log) => follower.sweep(log), now) };
};

const createDueRuns = (
  { documents, tableNames, due, now }: Shared,
  handleDelivery: RunDueDependencies['handleDelivery'],
) => {
  const stores = createAbandonmentStores(documents, paymentTablesOf(tableNames), { now });
  const dependencies: RunDueDependencies = {
    due,
    now,
    recordAbandonments: (expired) => recordAbandonments(expired, stores),
    handleDelivery,
  };
  return (signal: AbortSignal) => runDue(dependencies, signal);
};

/** Creates the parts that work on the stage's database. */
const createParts = (options: LocalEventsOptions) => {
  const { documents, tableNames, print, now, personalDataDays } = options;
  const reportFailure = createFailureReports(print, now);
  const due = createDueStore(documents, tableNames.due, now);
  const bus = createPrintedBus(print);
  const queue = createDeliveryQueue(documents, tableNames.due, now, (messages) => deliverers.add(messages));
  const shared: Shared = { ...options, bus, queue, due, reportFailure };
  const erasures = createErasureDependencies(documents, paymentTablesOf(tableNames), {
    personalDataDays,
    now,
  });
  const { deliver, handleDue } = createDelivery(shared);
  const deliverers: Deliverers = createDeliverers({ queue, deliver, now, reportFailure });
  return {
    ...createFollower(shared),
    runDueNow: createDueRuns(shared, handleDue),
    eraseNow: (signal: AbortSignal) => runErasures(erasures, signal),
    expiries: createExpiryScheduler({
      documents,
      tableNames: [tableNames.carts, tableNames.testCarts],
      due,
      erasures: erasures.schedule,
      personalDataDays,
      now,
    }),
    deliverers,
    reportFailure,
  };
};

/**
 * Creates the function that polls the queue. The first poll takes all messages. Later ones take the new messages, and all
 * once a minute, because a write may be very late.
 */
const createPolls = (deliverers: Deliverers, ownsDatabase: boolean) => {
  let polls = 0;
  return async (): Promise<void> => {
    const isFirst = polls === 0;
    const scope = isFirst && ownsDatabase ? 'orphans' : 'all';
    await deliverers.poll(polls % POLLS_PER_FULL_POLL === 0 ? scope : 'recent');
    polls += 1;
  };
};

/**
 * Starts the work that streams, queues and schedules start in the cloud: it follows the event logs, delivers webhooks and
 * records abandonments. It runs the same code. All pending work is in the database, so it survives `kill -9`, and several
 * stages can share a database.
 *
 * Import this module after the functions' environment is set.
 */
export const startLocalEvents = (options: LocalEventsOptions): LocalEvents => {
  const { deliverers, follower, expiries, runDueNow, eraseNow, sweepNext, reportFailure } =
    createParts(options);
  const takeEvent = (event: unknown): void => follower.take(event as LoggedEvent);
  const takeCart = (cart: unknown): void => expiries.take(cart as ExpiringCart);
  recordedEvents.subscribe(takeEvent);
  createdCarts.subscribe(takeCart);
  const { pauses = PAUSES } = options;
  const handleDue = async (signal: AbortSignal): Promise<void> => {
    await expiries.flush();
    await runDueNow(signal);
  };
  const ends = [
    repeat(pauses.poll, createPolls(deliverers, options.ownsDatabase), reportFailure),
    repeat(pauses.sweep, sweepNext, reportFailure),
    repeat(pauses.runDue, handleDue, reportFailure),
    // Apart from the due work, which does not wait for it.
    repeat(pauses.erase, eraseNow, reportFailure),
    repeat(pauses.scan, (signal) => expiries.scan(signal), reportFailure),
  ];
  return {
    async close() {
      recordedEvents.unsubscribe(takeEvent);
      createdCarts.unsubscribe(takeCart);
      await Promise.all(ends.map((end) => end()));
      await follower.close();
      await expiries.flush().catch(reportFailure);
      await Promise.race([deliverers.close(), sleep(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
    },
  };
};
