import { setTimeout } from 'node:timers/promises';
import type { Context } from 'aws-lambda';
import { createAbandonmentStores, recordAbandonments } from '../../lib/carts/record-abandonment.ts';
import { createDueStore } from '../../lib/due/due-store.ts';
import { reportDueRun } from '../../lib/due/report-due-run.ts';
import { runDue, type RunDueDependencies } from '../../lib/due/run-due.ts';
import { readEnv } from '../../lib/env.ts';
import { createEventStore } from '../../lib/events/event-store.ts';
import type { LogId } from '../../lib/events/store-event.ts';
import { createFunctionClient } from '../../lib/init/function-client.ts';
import { processClock } from '../../lib/process-clock.ts';
import { handleDueDelivery } from '../../lib/webhooks/due-deliveries.ts';
import { createEndpointStore } from '../../lib/webhooks/endpoint-store.ts';
import { createParkedDeliveries } from '../../lib/webhooks/parked-deliveries.ts';
import { createQueueClient, createSqsDeliveryQueue } from '../../lib/webhooks/sqs-delivery-queue.ts';

/** The time to end the calls in flight and to store the position. */
const RESERVE_MS = 8_000;

/** Handles the work that is due, once a minute. It stops before its time limit, and the next run continues. */
const runDueWork =
  (dependencies: RunDueDependencies) =>
  async (_event: unknown, context: Pick<Context, 'getRemainingTimeInMillis'>): Promise<void> => {
    const time = AbortSignal.timeout(Math.max(0, context.getRemainingTimeInMillis() - RESERVE_MS));
    reportDueRun(await runDue(dependencies, time));
  };

const dependencies = (): RunDueDependencies => {
  const env = readEnv(
    ['cartsTable', 'testCartsTable', 'eventsTable', 'webhookEndpointsTable', 'dueTable', 'deliveryQueueUrl'],
    process.env,
  );
  const { now } = processClock;
  const documents = createFunctionClient();
  const due = createDueStore(documents, env.dueTable, now);
  const stores = createAbandonmentStores(documents, env, { now });
  const events = createEventStore(documents, env.eventsTable);
  const pauses = { sleep: setTimeout, random: Math.random };
  const deliveries = {
    endpoints: createEndpointStore(documents, env.webhookEndpointsTable),
    parked: createParkedDeliveries(documents, env.dueTable),
    findEvent: (log: LogId, sequence: number) => events.find(log, sequence),
    queue: createSqsDeliveryQueue(createQueueClient(), env.deliveryQueueUrl, pauses),
    due,
    now,
  };
  return {
    due,
    now,
    recordAbandonments: (carts, signal) => recordAbandonments(carts, stores, signal),
    handleDelivery: (entry) => handleDueDelivery(entry, deliveries),
  };
};

export const handler = runDueWork(dependencies());
