import type { Context } from 'aws-lambda';
import { createDocumentClient, createQueueClient } from '../../lib/aws/clients.ts';
import { cartTableOf } from '../../lib/carts/cart-tables.ts';
import { createExpiryJob } from '../../lib/carts/expiry/expiry-job.ts';
import { createEndpointTimers } from '../../lib/deliveries/parking/endpoint-timers.ts';
import { createProbeJob } from '../../lib/deliveries/parking/probe-job.ts';
import { queueUrlsOf } from '../../lib/deliveries/queue/queue-urls.ts';
import { createSqsDeliveryQueue } from '../../lib/deliveries/queue/sqs-delivery-queue.ts';
import { createDeliveryTimers } from '../../lib/deliveries/retries/delivery-timers.ts';
import { createRetryJob } from '../../lib/deliveries/retries/retry-job.ts';
import { createErasureJob } from '../../lib/erasures/erasure-job.ts';
import { createEventLog } from '../../lib/events/event-log.ts';
import { readSettings } from '../../lib/settings/settings.ts';
import type { Mode } from '../../lib/stores/mode.ts';
import { reportRun } from '../../lib/timers/report-run.ts';
import { runJob, type JobResult } from '../../lib/timers/run-job.ts';
import type { TimerJob } from '../../lib/timers/timer-job.ts';
import { settingNamesOf } from '../function-needs.ts';

/** The time to end the calls in flight. */
const RESERVE_MS = 8_000;

/** The least time for test mode, and for the erasures. Each run then measures their lag, even beside much live work. */
const STEP_MIN_MS = 7_000;

/** The jobs, in their order. Neither test mode nor a day with many erasures delays a live webhook. */
interface Jobs {
  readonly live: readonly TimerJob[];
  readonly test: readonly TimerJob[];
  readonly erasures: readonly TimerJob[];
}

/**
 * Handles what is due, once a minute: live mode first. The jobs of a mode run at the same time: a backlog of one does not delay
 * the others. A run stops before its time limit, and the next run continues.
 *
 * @throws an error of DynamoDB that kept due items from a job. The other jobs have run
 */
const runAllTimers =
  ({ live, test, erasures }: Jobs) =>
  async (_event: unknown, context: Pick<Context, 'getRemainingTimeInMillis'>): Promise<void> => {
    const results: JobResult[] = [];
    const runJobs = async (jobs: readonly TimerJob[], reserveMs: number): Promise<void> => {
      const time = AbortSignal.timeout(Math.max(0, context.getRemainingTimeInMillis() - reserveMs));
      const runs = jobs.map(async (job) => {
        const result = await runJob(job, Date.now, time);
        reportRun(job, result);
        results.push(result);
      });
      await Promise.all(runs);
    };
    await runJobs(live, RESERVE_MS + 2 * STEP_MIN_MS);
    await runJobs(test, RESERVE_MS + STEP_MIN_MS);
    await runJobs(erasures, RESERVE_MS);
    for (const { unread } of results) if (unread) throw unread;
  };

const createJobs = (): Jobs => {
  const settings = readSettings(settingNamesOf('run-timers'));
  const { now } = Date;
  const documents = createDocumentClient();
  const log = createEventLog(documents, settings.eventsTable, { now });
  const tables = cartTableOf(settings);
  const cartsOf = (mode: Mode) => ({ documents, tableName: tables[mode], now });
  const queueUrls = queueUrlsOf(settings);
  const queue = createSqsDeliveryQueue(createQueueClient(), queueUrls);
  const deliveryTimers = createDeliveryTimers(documents, settings.deliveriesTable);
  const endpointTimers = createEndpointTimers(documents, settings.webhookEndpointsTable);
  const jobsOf = (mode: Mode): readonly TimerJob[] => [
    createExpiryJob(mode, cartsOf(mode), log),
    createProbeJob(mode, { endpointTimers, queue, now }),
    createRetryJob(mode, { deliveryTimers, queue, now }),
  ];
  return {
    live: jobsOf('live'),
    test: jobsOf('test'),
    erasures: [
      createErasureJob('live', cartsOf('live'), settings.personalDataDays),
      createErasureJob('test', cartsOf('test'), settings.personalDataDays),
    ],
  };
};

export const handler = runAllTimers(createJobs());
