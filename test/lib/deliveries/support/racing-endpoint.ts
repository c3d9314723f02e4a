import { expect } from 'vitest';
import { deliverBatch, type MessageResult } from '../../../../lib/deliveries/deliver-batch.ts';
import type { DeliverDependencies } from '../../../../lib/deliveries/deliver-dependencies.ts';
import { createProbeJob } from '../../../../lib/deliveries/parking/probe-job.ts';
import type { DeliveryQueue } from '../../../../lib/deliveries/queue/delivery-queue.ts';
import type { Lane } from '../../../../lib/deliveries/queue/lanes.ts';
import {
  type DeliveryMessage,
  deliveryMessageOf,
  drainRequestOf,
  isDrainRequest,
  type QueueMessage,
} from '../../../../lib/deliveries/queue/queue-message.ts';
import type { AttemptResult } from '../../../../lib/deliveries/records/attempt.ts';
import { retryTimer } from '../../../../lib/deliveries/retries/delivery-timers.ts';
import { createRetryJob } from '../../../../lib/deliveries/retries/retry-job.ts';
import { runJob } from '../../../../lib/timers/run-job.ts';
import type { TimerJob } from '../../../../lib/timers/timer-job.ts';
import { kindOf, timerOf } from '../../../../lib/timers/timer.ts';
import { type ManualClock, NOW_MS } from '../../../support/clock.ts';
import type { TestDatabase } from '../../../support/database/database.ts';
import { newEndpoint } from '../../../support/domain/endpoints.ts';
import { NEVER } from '../../../support/signals.ts';
import { createDatabaseRepositories } from './database-repositories.ts';
import type { Turns } from './interleavings.ts';

interface Sent {
  readonly eventId: string;
  readonly url: string;
}

interface RacingEndpointOptions {
  readonly turns: Pick<Turns, 'step'>;
  readonly clock: ManualClock;
  /** The results of the first requests. Later ones succeed. */
  readonly results?: readonly Partial<AttemptResult>[];
}

/** An endpoint with a queue, a receiver, and the processes that race. Each request to the queue or the receiver is a step. */
export const givenRacingEndpoint = async (
  database: TestDatabase,
  { turns, clock, results = [] }: RacingEndpointOptions,
) => {
  const endpoint = newEndpoint({ url: 'https://shop.example/old' });
  const { now } = clock;
  const stores = await createDatabaseRepositories(database, endpoint, now);
  const queued: QueueMessage[] = [];
  const sent: Sent[] = [];
  const queue: DeliveryQueue = {
    send: turns.step('queue', async (messages) => void queued.push(...messages), {
      paths: ['queue'],
      writes: true,
    }),
  };
  let sequence = 0;
  const messageOf = (): DeliveryMessage => {
    sequence += 1;
    const id = `evt_${sequence}`;
    return deliveryMessageOf(endpoint, { id, type: 'cart.completed', recordedAtMs: NOW_MS, sequence });
  };
  const probes: TimerJob = {
    ...createProbeJob('test', { endpointTimers: stores.endpointTimers, queue, now }),
    shards: [timerOf(kindOf('probe', 'test'), endpoint.endpointId, 0).timer],
  };
  const retries = createRetryJob('test', { deliveryTimers: stores.deliveryTimers, queue, now });
  const dependencies: DeliverDependencies = {
    ...stores,
    queue,
    now,
    random: () => 0.5,
    findSecret: async () => ({ id: endpoint.endpointId, secret: 'whsec_AAAA' }),
    findEvent: async (_log, number) => ({ id: `evt_${number}`, body: '{}' }),
    report: () => undefined,
    send: turns.step(
      'receiver',
      async ({ url, headers }) => {
        sent.push({ eventId: String(headers['webhook-id']), url });
        const result = results[sent.length - 1] ?? {};
        return { status: 200, ms: 10, ...result };
      },
      { paths: ['receiver'], writes: true },
    ),
  };
  const handle = async (message: QueueMessage, lane: Lane = 'slow'): Promise<MessageResult> =>
    (await deliverBatch([message], dependencies, { lane, mayStart: () => true })).get(message)!;
  /** Handles messages until the queue has none of them. */
  const handleQueued = async (isHandled: (message: QueueMessage) => boolean): Promise<void> => {
    for (let found = queued.find(isHandled); found; found = queued.find(isHandled)) {
      queued.splice(queued.indexOf(found), 1);
      await handle(found);
    }
  };
  return {
    endpoint,
    stores,
    messageOf,
    handle,
    /** Parks new deliveries: there is no time for an attempt. The queue loses the request to drain. */
    async park(count: number, attempt = 1): Promise<readonly DeliveryMessage[]> {
      const messages = Array.from({ length: count }, () => ({ ...messageOf(), attempt }));
      const parked = await deliverBatch(messages, dependencies, { lane: 'slow', mayStart: () => false });
      expect(new Set(parked.values())).toStrictEqual(new Set(['waiting']));
      queued.length = 0;
      return messages;
    },
    sent,
    queued,
    sentIds: () => sent.map(({ eventId }) => eventId),
    runProbes: () => runJob(probes, now, NEVER),
    runRetries: (message: DeliveryMessage) =>
      runJob({ ...retries, shards: [retryTimer(message, 0).timer] }, now, NEVER),
    drain: () => handle(drainRequestOf(endpoint)),
    statuses: async () =>
      (await stores.deliveries.listOf(endpoint.endpointId)).map(({ status }) => status).toSorted(),
    /** Handles the requests to drain that are in the queue. */
    handleDrains: () => handleQueued(isDrainRequest),
    /** Handles all messages of the queue, and those that follow from them. */
    handleAll: () => handleQueued(() => true),
  };
};

export type RacingEndpoint = Awaited<ReturnType<typeof givenRacingEndpoint>>;
