import type { Context } from 'aws-lambda';
import { reportErasures } from '../../lib/buyers/report-erasures.ts';
import {
  createErasureDependencies,
  runErasures,
  type RunErasuresDependencies,
} from '../../lib/buyers/run-erasures.ts';
import { createAbandonmentStores, recordAbandonments } from '../../lib/carts/record-abandonment.ts';
import { createDueStore } from '../../lib/due/due-store.ts';
import { reportDueRun } from '../../lib/due/report-due-run.ts';
import { runDue, type RunDueDependencies } from '../../lib/due/run-due.ts';
import { readEnv } from '../../lib/core/env.ts';
import { createEventStore } from '../../lib/events/event-store.ts';
import type { LogId } from '../../lib/events/store-event.ts';
import { createDocumentClient, createQueueClient } from '../../lib/aws.ts';
import { processClock } from '../../lib/core/process-clock.ts';
import { handleDueDelivery } from '../../lib/webhooks/due-deliveries.ts';
import { createEndpointStore } from '../../lib/webhooks/endpoint-store.ts';
import { createParkedDeliveries } from '../../lib/webhooks/parked-deliveries.ts';
import { createSqsDeliveryQueue } from '../../lib/webhooks/sqs-delivery-queue.ts';

/** The time to end the calls in flight and to store the position. */
const RESERVE_MS = 8_000;

interface Dependencies {
  readonly due: RunDueDependencies;
  readonly erasures: RunErasuresDependencies;
}

/**
 * Handles the work that is due, once a minute. It stops before its time limit, and the next run continues. Erasures come
 * last: a day with many of them delays no webhook.
 */
const runDueWork =
  ({ due, erasures }: Dependencies) =>
  async (_event: unknown, context: Pick<Context, 'getRemainingTimeInMillis'>): Promise<void> => {
    const time = AbortSignal.timeout(Math.max(0, context.getRemainingTimeInMillis() - RESERVE_MS));
    reportDueRun(await runDue(due, time));
    reportErasures(await runErasures(erasures, time));
  };

const VARIABLES = [
  'cartsTable',
  'testCartsTable',
  'eventsTable',
  'webhookEndpointsTable',
  'dueTable',
  'deliveryQueueUrl',
  'personalDataDays',
] as const;

const dependencies = (): Dependencies => {
  const env = readEnv(VARIABLES, process.env);
  const { now } = processClock;
  const documents = createDocumentClient({}, processClock);
  const due = createDueStore(documents, env.dueTable, now);
  const stores = createAbandonmentStores(documents, env, { now });
  const events = createEventStore(documents, env.eventsTable);
  const deliveries = {
    endpoints: createEndpointStore(documents, env.webhookEndpointsTable),
    parked: createParkedDeliveries(documents, env.dueTable),
    findEvent: (log: LogId, sequence: number) => events.find(log, sequence, now()),
    queue: createSqsDeliveryQueue(createQueueClient(), env.deliveryQueueUrl),
    due,
    now,
  };
  return {
    due: {
      due,
      now,
      recordAbandonments: (carts, signal) => recordAbandonments(carts, stores, signal),
      handleDelivery: (entry) => handleDueDelivery(entry, deliveries),
    },
    erasures: createErasureDependencies(documents, env, { personalDataDays: env.personalDataDays, now }),
  };
};

export const handler = runDueWork(dependencies());
