import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { runTimers, type TimerWork } from '../../../lib/timers/run-timers.ts';
import { kindOf, timerOf } from '../../../lib/timers/timer.ts';
import { deliverBatch, type MessageResult } from '../../../lib/deliveries/deliver-batch.ts';
import type { DeliverDependencies } from '../../../lib/deliveries/deliver.ts';
import {
  type DeliveryMessage,
  deliveryMessageOf,
  type DeliveryQueue,
  drainRequestOf,
  isDrainRequest,
  type QueueMessage,
} from '../../../lib/deliveries/delivery.ts';
import type { AttemptResult } from '../../../lib/deliveries/attempt.ts';
import { createProbeWork } from '../../../lib/deliveries/probe-work.ts';
import { type ManualClock, NOW_MS } from '../../support/clock.ts';
import type { TestDatabase } from '../../support/database/database.ts';
import { newEndpoint } from '../../support/domain/endpoints.ts';
import { createDatabaseRepositories } from './database-repositories.ts';

const NEVER = new AbortController().signal;

interface Sent {
  readonly eventId: string;
  readonly url: string;
}

/** An endpoint with a queue, a receiver, and the processes that race. */
export const givenRacingEndpoint = async (
  database: TestDatabase,
  clock: ManualClock,
  results: readonly Partial<AttemptResult>[] = [],
) => {
  const endpoint = newEndpoint({ url: 'https://shop.example/old' });
  const { now } = clock;
  const stores = await createDatabaseRepositories(database, endpoint, now);
  const queued: QueueMessage[] = [];
  const sent: Sent[] = [];
  const reported: string[] = [];
  // A write, so that other processes have turns before it, the process can end before it, and two of them never commute.
  const call = async (id: 'queue' | 'receiver'): Promise<void> => {
    await database.documents.send(new PutCommand({ TableName: database.tableNames.stores, Item: { id } }));
  };
  const queue: DeliveryQueue = {
    async send(messages) {
      await call('queue');
      queued.push(...messages);
    },
  };
  let sequence = 0;
  const messageOf = (): DeliveryMessage => {
    sequence += 1;
    const id = `evt_${sequence}`;
    return deliveryMessageOf(endpoint, { id, type: 'cart.completed', recordedAtMs: NOW_MS, sequence });
  };
  const probes: TimerWork = {
    ...createProbeWork({ endpointTimers: stores.endpointTimers, queue, now }, 'test'),
    timers: [timerOf(kindOf('probe', 'test'), endpoint.endpointId, 0).timer],
  };
  const dependencies: DeliverDependencies = {
    ...stores,
    queue,
    now,
    random: () => 0.5,
    findSecret: async () => ({ id: endpoint.endpointId, secret: 'whsec_AAAA' }),
    findEvent: async (_log, number) => ({ id: `evt_${number}`, body: '{}' }),
    reportDisabled: async (_endpoint, { reason }) => void reported.push(reason),
    report: () => undefined,
    async send({ url, headers }) {
      await call('receiver');
      sent.push({ eventId: String(headers['webhook-id']), url });
      const result = results[sent.length - 1] ?? {};
      return { status: 200, ms: 10, ...result };
    },
  };
  const handle = async (message: QueueMessage): Promise<MessageResult> =>
    (await deliverBatch([message], dependencies, { lane: 'slow' }))[0]!;
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
    sent,
    queued,
    reported,
    sentIds: () => sent.map(({ eventId }) => eventId),
    runProbes: () => runTimers(probes, now, NEVER),
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
