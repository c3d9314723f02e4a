import { randomUUID } from 'node:crypto';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { updateOf } from '../../lib/database/expressions.ts';
import { createLeases, type Lease } from '../../lib/deliveries/leases/leases.ts';
import { createEndpointTimers } from '../../lib/deliveries/parking/endpoint-timers.ts';
import { createParkedDeliveries } from '../../lib/deliveries/parking/parked-deliveries.ts';
import { type DeliveryMessage, deliveryMessageOf } from '../../lib/deliveries/queue/queue-message.ts';
import { createDeliveryRepository } from '../../lib/deliveries/records/delivery-repository.ts';
import { deliveryId } from '../../lib/deliveries/records/delivery.ts';
import { createEndpointChanges } from '../../lib/endpoints/endpoint-changes.ts';
import { endpointKey } from '../../lib/endpoints/endpoint-item.ts';
import { createEndpointRepository } from '../../lib/endpoints/endpoint-repository.ts';
import { createSendIntervals } from '../../lib/endpoints/send-intervals.ts';
import { eventsAmong } from '../../lib/events/event-item.ts';
import { createEventLog } from '../../lib/events/event-log.ts';
import { createEventRepository } from '../../lib/events/event-repository.ts';
import { eraseResponses } from '../../lib/operators/erasures/erase-responses.ts';
import { timerOf } from '../../lib/timers/timer.ts';
import { NOW_MS } from '../support/clock.ts';
import type { TestDatabase } from '../support/database/database.ts';
import { newEndpoint, storeEndpoint } from '../support/domain/endpoints.ts';

const now = () => NOW_MS;

const givenEndpoint = async (database: TestDatabase) => {
  const endpoint = newEndpoint({ mode: 'live' });
  await storeEndpoint(database, endpoint);
  const { documents, tableNames } = database;
  const { webhookEndpoints } = tableNames;
  const leases = createLeases(documents, webhookEndpoints, now);
  return {
    endpoint,
    leases,
    endpoints: createEndpointRepository(documents, webhookEndpoints),
    timers: createEndpointTimers(documents, webhookEndpoints),
    lease: async (): Promise<Lease> => {
      const lease = await leases.take(endpoint);
      if ('outcome' in lease) throw new Error(`The lease is ${lease.outcome}`);
      return lease;
    },
  };
};

const messageTo = (endpointId: string): DeliveryMessage =>
  deliveryMessageOf(
    { storeId: 'shop', mode: 'live', endpointId },
    { id: 'evt_1', type: 'cart.completed', recordedAtMs: NOW_MS, sequence: 1 },
  );

const attemptNumber = (attempt: number) => ({
  status: 'retrying' as const,
  result: { atMs: NOW_MS + attempt, attempt, status: 500, ms: 5, response: 'text' },
});

/** A use of the writes of these files, and its result, which names nothing that differs between two runs. */
export interface Use {
  readonly files: readonly string[];
  readonly run: (database: TestDatabase) => Promise<unknown>;
}

/** By what is written. */
export const ENDPOINT_USES: Readonly<Record<string, Use>> = {
  'deliveries and their erasure': {
    files: ['lib/deliveries/records/delivery-repository.ts', 'lib/operators/erasures/erase-responses.ts'],
    async run({ documents, tableNames, newClient }) {
      const deliveries = createDeliveryRepository(documents, tableNames.deliveries, now);
      const message = messageTo(randomUUID());
      const key = { endpointId: message.endpoint.endpointId, id: deliveryId(message) };
      await deliveries.record(message, attemptNumber(1), NOW_MS);
      // A delivery keeps 20 attempts. These fill it.
      const attempts = Array.from({ length: 19 }, (_, index) => attemptNumber(index + 2).result);
      const update = updateOf({ append: { attempts } });
      await newClient().send(new UpdateCommand({ TableName: tableNames.deliveries, Key: key, ...update }));
      for (const attempt of [21, 22]) await deliveries.record(message, attemptNumber(attempt), NOW_MS);
      const made = (await deliveries.find(message))?.attempts.map(({ attempt }) => attempt);
      return [made, await eraseResponses(documents, tableNames.deliveries, [key], NOW_MS)];
    },
  },
  'leases of slots': {
    files: ['lib/deliveries/leases/leases.ts', 'lib/deliveries/leases/endpoint-update.ts'],
    async run(database) {
      const { endpoint, leases, lease, endpoints } = await givenEndpoint(database);
      const first = await lease();
      const released = await leases.release(first, { outcome: 'failed', atMs: NOW_MS, probeAtMs: NOW_MS });
      const second = await lease();
      await leases.free(second);
      const third = await lease();
      const { state } = (await endpoints.find(endpoint)) ?? {};
      return [first.slot, released.isStored, second.slot, third.slot, state?.failures];
    },
  },
  'timers of endpoints': {
    files: ['lib/deliveries/leases/endpoint-update.ts', 'lib/timers/timer-repository.ts'],
    async run(database) {
      const { endpoint, leases, lease, timers } = await givenEndpoint(database);
      await timers.notePark(endpoint, NOW_MS);
      const key = endpointKey(endpoint);
      const due = { key, ...timerOf('probe', endpoint.endpointId, NOW_MS) };
      const held = await lease();
      await timers.notePark(endpoint, NOW_MS);
      const drained = await leases.freeDrained(held);
      const postponed = await timers.postpone(due, NOW_MS + 60_000);
      const postponedAgain = await timers.postpone(due, NOW_MS + 90_000);
      const later = { ...due, timerAtMs: NOW_MS + 60_000 };
      await timers.repository.postpone(later, NOW_MS + 70_000);
      return [drained, postponed?.endpointId === endpoint.endpointId, postponedAgain];
    },
  },
  endpoints: {
    files: ['lib/endpoints/endpoint-repository.ts', 'lib/endpoints/send-intervals.ts'],
    async run({ documents, tableNames }) {
      const { webhookEndpoints } = tableNames;
      const log = createEventLog(documents, tableNames.events, { now });
      const endpointChanges = createEndpointChanges(documents, tableNames, { log, now });
      const endpoints = createEndpointRepository(documents, webhookEndpoints);
      const sendIntervals = createSendIntervals(documents, webhookEndpoints);
      const endpoint = newEndpoint();
      const { outcome } = await endpointChanges.create(endpoint);
      const tests = [
        await sendIntervals.begin(endpoint, 'test', NOW_MS),
        await sendIntervals.begin(endpoint, 'test', NOW_MS + 1),
      ];
      const isMoved = await endpointChanges.update(endpoint, { url: 'https://other.example' });
      const rotated = await endpointChanges.rotateSecret(endpoint, 0);
      const isRemoved = await endpointChanges.remove(endpoint);
      const { length } = await endpoints.sweep(endpoint, NOW_MS + 86_400_000);
      const { entries } = await createEventRepository(documents, tableNames.events).first(endpoint, 100);
      const types = eventsAmong(entries).map(({ type }) => type);
      return [outcome, tests, isMoved, typeof rotated?.secret, isRemoved, length, types];
    },
  },
  'parked deliveries': {
    files: ['lib/deliveries/parking/parked-deliveries.ts', 'lib/database/batch-put.ts'],
    async run({ documents, tableNames }) {
      const parked = createParkedDeliveries(documents, tableNames.deliveries, now);
      const deliveries = createDeliveryRepository(documents, tableNames.deliveries, now);
      const message = messageTo(randomUUID());
      await deliveries.record(message, { status: 'waiting', reason: undefined }, NOW_MS);
      await parked.add([message]);
      const before = await parked.first(message.endpoint.endpointId, 1);
      await parked.remove(message);
      return [before.messages.length, await parked.first(message.endpoint.endpointId, 1)];
    },
  },
};
