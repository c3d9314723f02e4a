import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { toCartItem } from '../../../lib/carts/cart-item.ts';
import { createCartRepository } from '../../../lib/carts/cart-repository.ts';
import { createEndpointTimers } from '../../../lib/deliveries/parking/endpoint-timers.ts';
import { createProbeJob } from '../../../lib/deliveries/parking/probe-job.ts';
import type { DeliveryQueue } from '../../../lib/deliveries/queue/delivery-queue.ts';
import { deliveryMessageOf, type QueueMessage } from '../../../lib/deliveries/queue/queue-message.ts';
import { createDeliveryRepository } from '../../../lib/deliveries/records/delivery-repository.ts';
import { createDeliveryTimers, retryTimer } from '../../../lib/deliveries/retries/delivery-timers.ts';
import { createRetryJob } from '../../../lib/deliveries/retries/retry-job.ts';
import { createErasureJob } from '../../../lib/erasures/erasure-job.ts';
import { runJob } from '../../../lib/timers/run-job.ts';
import type { TimerJob } from '../../../lib/timers/timer-job.ts';
import { manualClock, NOW_MS } from '../../support/clock.ts';
import { lagIndexes } from '../../support/database/client-calls.ts';
import { givenDatabase } from '../../support/database/database.ts';
import { newEndpoint, storeEndpoint } from '../../support/domain/endpoints.ts';
import { eventsOf } from '../../support/domain/event-logs.ts';
import { expiryJobOf } from '../../support/domain/expiries.ts';
import { EXPIRES_AT_MS, payment, waitingCart } from '../../support/domain/payments.ts';
import { NEVER } from '../../support/signals.ts';

/** Tables whose indexes are late, an hour after the creation of what waits. */
const given = async () => {
  const database = await givenDatabase();
  const clock = manualClock();
  clock.advance(3_600);
  return { database, clock, index: lagIndexes(database.documents) };
};

type Given = Awaited<ReturnType<typeof given>>;

/** A job with one item that waits, and what the runs have done. */
interface Waiting {
  readonly job: TimerJob;
  readonly done: () => Promise<unknown>;
}

const givenExpiry = async ({ database, clock }: Given): Promise<Waiting> => {
  const cart = waitingCart({ expiresAtMs: EXPIRES_AT_MS });
  await createCartRepository(database.documents, database.tableNames.carts, clock.now).create(cart);
  return { job: expiryJobOf(database, clock.now), done: () => eventsOf(database, cart) };
};

const givenErasure = async ({ database: { documents, tableNames }, clock }: Given): Promise<Waiting> => {
  const paid = { status: 'completed', payments: [payment()], completedAtMs: NOW_MS } as const;
  const { deleteAtSeconds: _, ...cart } = waitingCart(paid);
  await documents.send(new PutCommand({ TableName: tableNames.carts, Item: toCartItem(cart) }));
  const table = { documents, tableName: tableNames.carts, now: clock.now };
  const { find } = createCartRepository(documents, tableNames.carts, clock.now);
  return { job: createErasureJob('live', table, 0), done: () => find(cart.id) };
};

/** An endpoint, and what the jobs have put into its queue. */
const givenEndpoint = async ({ database }: Given) => {
  const endpoint = newEndpoint();
  await storeEndpoint(database, endpoint);
  const sent: QueueMessage[] = [];
  const queue: DeliveryQueue = { send: async (batch) => void sent.push(...batch) };
  return { endpoint, queue, done: async () => [...sent] };
};

const givenRetry = async (all: Given): Promise<Waiting> => {
  const { endpoint, queue, done } = await givenEndpoint(all);
  const { documents, tableNames } = all.database;
  const { now } = all.clock;
  const event = { id: 'evt_1', type: 'cart.completed', recordedAtMs: NOW_MS, sequence: 1 };
  const message = deliveryMessageOf(endpoint, event);
  const next = { attempt: 4, timer: retryTimer(message, NOW_MS) };
  const repository = createDeliveryRepository(documents, tableNames.deliveries, now);
  await repository.record(message, { status: 'retrying', next }, NOW_MS);
  const deliveryTimers = createDeliveryTimers(documents, tableNames.deliveries);
  return { job: createRetryJob('test', { deliveryTimers, queue, now }), done };
};

const givenProbe = async (all: Given): Promise<Waiting> => {
  const { endpoint, queue, done } = await givenEndpoint(all);
  const { database, clock } = all;
  const endpointTimers = createEndpointTimers(database.documents, database.tableNames.webhookEndpoints);
  await endpointTimers.notePark(endpoint, NOW_MS);
  const job = createProbeJob('test', { endpointTimers, queue, now: clock.now });
  return { job, done };
};

describe.each([
  { name: 'an expiry', givenWaiting: givenExpiry },
  { name: 'an erasure', givenWaiting: givenErasure },
  { name: 'an attempt', givenWaiting: givenRetry },
  { name: 'a probe', givenWaiting: givenProbe },
])('$name on an index that lags', ({ givenWaiting }) => {
  it('is handled once: not before the index shows it, and not again while the index still shows it', async () => {
    const all = await given();
    const { job, done } = await givenWaiting(all);
    const run = () => runJob(job, all.clock.now, NEVER);
    const before = await done();

    expect(await run()).toMatchObject({ handled: 0, failed: 0, isComplete: true });
    expect(await done()).toStrictEqual(before);

    all.index.isLate = false;
    expect(await run()).toMatchObject({ handled: 1, failed: 0, isComplete: true });
    const after = await done();
    expect(after).not.toStrictEqual(before);

    all.index.isLate = true;
    all.clock.advance(1);
    expect(await run()).toMatchObject({ handled: 0, failed: 0, isComplete: true });
    expect(await done()).toStrictEqual(after);
  });
});
