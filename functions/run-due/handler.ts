import { setTimeout } from 'node:timers/promises';
import type { Context } from 'aws-lambda';
import { createErasureWork } from '../../lib/carts/erasure-work.ts';
import { createExpiryWork } from '../../lib/carts/expiry-work.ts';
import { readEnv } from '../../lib/core/env.ts';
import type { Mode } from '../../lib/core/mode.ts';
import { processClock } from '../../lib/core/process-clock.ts';
import { createEventLog } from '../../lib/events/event-log.ts';
import { createFunctionClient } from '../../lib/init/function-client.ts';
import { reportRun } from '../../lib/timers/report-run.ts';
import { runTimers, type TimerRun, type TimerWork } from '../../lib/timers/run-timers.ts';
import { createEndpointTimers } from '../../lib/webhooks/endpoint-timers.ts';
import { createProbeWork } from '../../lib/webhooks/probe-work.ts';
import { createRetryWork } from '../../lib/webhooks/retry-work.ts';
import { createQueueClient, createSqsDeliveryQueue } from '../../lib/webhooks/sqs-delivery-queue.ts';
import { createWaitingDeliveries } from '../../lib/webhooks/waiting-deliveries.ts';

/** The time to end the calls in flight. */
const RESERVE_MS = 8_000;

/**
 * Handles what is due, once a minute. It stops before its time limit, and the next run continues.
 *
 * @param phases the works that run at the same time, so that a backlog of one does not delay the others. The most urgent first
 * @throws an error of DynamoDB that kept due items from a work. The other works have run
 */
const runDue =
  (phases: readonly (readonly TimerWork[])[]) =>
  async (_event: unknown, context: Pick<Context, 'getRemainingTimeInMillis'>): Promise<void> => {
    const time = AbortSignal.timeout(Math.max(0, context.getRemainingTimeInMillis() - RESERVE_MS));
    const runs: TimerRun[] = [];
    const runWork = async (work: TimerWork): Promise<void> => {
      const run = await runTimers(work, processClock.now, time);
      reportRun(work, run);
      runs.push(run);
    };
    for (const works of phases) {
      // oxlint-disable-next-line no-await-in-loop -- the most urgent first
      await Promise.all(works.map(runWork));
    }
    for (const { unread } of runs) if (unread) throw unread;
  };

const VARIABLES = [
  'cartsTable',
  'testCartsTable',
  'eventsTable',
  'webhookEndpointsTable',
  'deliveriesTable',
  'deliveryQueueUrl',
  'personalDataDays',
] as const;

const phases = (): readonly (readonly TimerWork[])[] => {
  const env = readEnv(VARIABLES, process.env);
  const { now } = processClock;
  const documents = createFunctionClient();
  const log = createEventLog(documents, env.eventsTable, { now });
  const cartsOf = (mode: Mode) => {
    const tableName = mode === 'live' ? env.cartsTable : env.testCartsTable;
    return { documents, tableName, now };
  };
  const pauses = { sleep: setTimeout, random: Math.random };
  const queue = createSqsDeliveryQueue(createQueueClient(), env.deliveryQueueUrl, pauses);
  const deliveries = createWaitingDeliveries(documents, env.deliveriesTable, { queue, now });
  const endpointTimers = createEndpointTimers(documents, env.webhookEndpointsTable);
  return [
    [
      createExpiryWork('live', cartsOf('live'), log),
      createExpiryWork('test', cartsOf('test'), log),
      createProbeWork({ endpointTimers, deliveries, now }),
      createRetryWork(deliveries),
    ],
    // A day with many of them delays no webhook.
    [
      createErasureWork('live', cartsOf('live'), env.personalDataDays),
      createErasureWork('test', cartsOf('test'), env.personalDataDays),
    ],
  ];
};

export const handler = runDue(phases());
