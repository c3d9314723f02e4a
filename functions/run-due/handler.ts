import type { Context } from 'aws-lambda';
import { createErasureWork } from '../../lib/erasures/erasure-work.ts';
import { createExpiryWork } from '../../lib/carts/expiry-work.ts';
import { createDocumentClient, createQueueClient } from '../../lib/aws.ts';
import { readSettings } from '../../lib/settings/settings.ts';
import { settingNamesOf } from '../function-needs.ts';
import type { Mode } from '../../lib/stores/mode.ts';
import { createEventLog } from '../../lib/events/event-log.ts';
import { reportRun } from '../../lib/timers/report-run.ts';
import { runTimers, type TimerWork, type WorkResult } from '../../lib/timers/run-timers.ts';
import { createEndpointTimers } from '../../lib/deliveries/endpoint-timers.ts';
import { createProbeWork } from '../../lib/deliveries/probe-work.ts';
import { createRetryWork, createTimedDeliveries } from '../../lib/deliveries/timed-deliveries.ts';
import { createSqsDeliveryQueue, queueUrlsOf } from '../../lib/deliveries/sqs-delivery-queue.ts';

/** The time to end the calls in flight. */
const RESERVE_MS = 8_000;

/** The least time of test mode, and of the erasures. Each run then measures their lag, even beside much live work. */
const LATER_MS = 7_000;

/** The works, in their order. Neither test mode nor a day with many erasures delays a live webhook. */
interface Works {
  readonly live: readonly TimerWork[];
  readonly test: readonly TimerWork[];
  readonly erasures: readonly TimerWork[];
}

/**
 * Handles what is due, once a minute: live mode first. The works of a mode run at the same time: a backlog of one does not delay
 * the others. A run stops before its time limit, and the next run continues.
 *
 * @throws an error of DynamoDB that kept due items from a work. The other works have run
 */
const runDue =
  ({ live, test, erasures }: Works) =>
  async (_event: unknown, context: Pick<Context, 'getRemainingTimeInMillis'>): Promise<void> => {
    const results: WorkResult[] = [];
    const runWorks = async (works: readonly TimerWork[], reserveMs: number): Promise<void> => {
      const time = AbortSignal.timeout(Math.max(0, context.getRemainingTimeInMillis() - reserveMs));
      const runWork = async (work: TimerWork): Promise<void> => {
        const result = await runTimers(work, Date.now, time);
        reportRun(work, result);
        results.push(result);
      };
      await Promise.all(works.map(runWork));
    };
    await runWorks(live, RESERVE_MS + 2 * LATER_MS);
    await runWorks(test, RESERVE_MS + LATER_MS);
    await runWorks(erasures, RESERVE_MS);
    for (const { unread } of results) if (unread) throw unread;
  };

const works = (): Works => {
  const env = readSettings(settingNamesOf('run-due'));
  const { now } = Date;
  const documents = createDocumentClient();
  const log = createEventLog(documents, env.eventsTable, { now });
  const cartsOf = (mode: Mode) => {
    const tableName = mode === 'live' ? env.cartsTable : env.testCartsTable;
    return { documents, tableName, now };
  };
  const queueUrls = queueUrlsOf(env);
  const queue = createSqsDeliveryQueue(createQueueClient(), queueUrls);
  const deliveries = createTimedDeliveries(documents, env.deliveriesTable, { queue, now });
  const endpointTimers = createEndpointTimers(documents, env.webhookEndpointsTable);
  const worksOf = (mode: Mode): readonly TimerWork[] => [
    createExpiryWork(mode, cartsOf(mode), log),
    createProbeWork({ endpointTimers, queue, now }, mode),
    createRetryWork(deliveries, mode),
  ];
  return {
    live: worksOf('live'),
    test: worksOf('test'),
    erasures: [
      createErasureWork('live', cartsOf('live'), env.personalDataDays),
      createErasureWork('test', cartsOf('test'), env.personalDataDays),
    ],
  };
};

export const handler = runDue(works());
