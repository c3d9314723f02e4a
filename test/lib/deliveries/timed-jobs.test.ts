import { DeleteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it, vi } from 'vitest';
import { createProbeJob } from '../../../lib/deliveries/parking/probe-job.ts';
import type { DeliveryQueue } from '../../../lib/deliveries/queue/delivery-queue.ts';
import {
  type DeliveryMessage,
  type drainRequestOf,
  isDrainRequest,
} from '../../../lib/deliveries/queue/queue-message.ts';
import { deliveryId } from '../../../lib/deliveries/records/delivery.ts';
import { retryTimer } from '../../../lib/deliveries/retries/delivery-timers.ts';
import { createRetryJob } from '../../../lib/deliveries/retries/retry-job.ts';
import { endpointKey } from '../../../lib/endpoints/endpoint-item.ts';
import { runJob } from '../../../lib/timers/run-job.ts';
import type { DueItem, TimerRepository } from '../../../lib/timers/timer-repository.ts';
import { timerOf, type Timer } from '../../../lib/timers/timer.ts';
import { NOW_MS } from '../../support/clock.ts';
import { givenDatabase } from '../../support/database/database.ts';
import { endpointChangesOf } from '../../support/domain/endpoints.ts';
import { logged } from '../../support/logs/log-lines.ts';
import { NEVER } from '../../support/signals.ts';
import { worldOn } from './support/database-repositories.ts';

const { documents, tableNames } = await givenDatabase();
const endpointChanges = endpointChangesOf({ documents, tableNames });

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const keyOf = (message: DeliveryMessage) => ({
  TableName: tableNames.deliveries,
  Key: { endpointId: message.endpoint.endpointId, id: deliveryId(message) },
});

/** An endpoint with deliveries that wait. Nothing delivers what the jobs put into the queue. */
const given = async (
  waitingCount: number,
  timerOfMessage: (message: DeliveryMessage, index: number) => Timer = (message) =>
    retryTimer(message, NOW_MS),
) => {
  const world = await worldOn({ documents, tableNames });
  const { stores, clock, endpoint } = world;
  const messages = world.givenMessages(waitingCount);
  const records = messages.map((message, index) => {
    const next = { attempt: 3, timer: timerOfMessage(message, index) };
    return stores.deliveries.record(message, { status: 'waiting', next }, NOW_MS);
  });
  await Promise.all(records);
  const sent: Pick<DeliveryMessage, 'eventId' | 'attempt'>[] = [];
  const drains: ReturnType<typeof drainRequestOf>[] = [];
  const queue: DeliveryQueue = {
    async send(batch) {
      for (const each of batch) {
        if (isDrainRequest(each)) drains.push(each);
        else sent.push({ eventId: each.eventId, attempt: each.attempt });
      }
    },
  };
  const { endpointTimers, deliveryTimers } = stores;
  const probes = createProbeJob(endpoint.mode, { endpointTimers, queue, now: clock.now });
  const retries = createRetryJob(endpoint.mode, { deliveryTimers, queue, now: clock.now });
  return {
    endpoint,
    stores,
    clock,
    messages,
    sent,
    drains,
    sentIds: () => sent.map(({ eventId }) => eventId),
    probes,
    retries,
    runProbes: () => runJob(probes, clock.now, NEVER),
    runRetries: () => runJob(retries, clock.now, NEVER),
  };
};

/** An endpoint with parked deliveries. */
const givenParked = async () => {
  const all = await given(0);
  await all.stores.endpointTimers.notePark(all.endpoint, NOW_MS);
  return all;
};

/** Deliveries whose next attempt is now. */
const givenRetries = (count: number) => given(count, (message) => retryTimer(message, NOW_MS));

/** A queue that throttles. */
const DOWN = {
  send: () => Promise.reject(Object.assign(new Error(), { name: 'ThrottlingException' })),
};

/** Makes an item one of a later release. */
const makeUnreadable = (item: {
  readonly TableName: string;
  readonly Key: Readonly<Record<string, string>>;
}) => {
  const UpdateExpression = 'SET schemaVersion = :later';
  return documents.send(
    new UpdateCommand({ ...item, UpdateExpression, ExpressionAttributeValues: { ':later': 99 } }),
  );
};

describe('a run for the endpoints with parked deliveries', () => {
  it('asks for a drain of each', async () => {
    const { endpoint, drains, runProbes } = await givenParked();
    expect(await runProbes()).toStrictEqual({ handled: 1, failed: 0, lagMs: 0, isComplete: true });
    const { storeId, mode, endpointId } = endpoint;
    expect(drains).toStrictEqual([{ endpoint: { storeId, mode, endpointId }, drains: true }]);
  });

  it('asks for none while slot 0 is held: its holder continues', async () => {
    const { endpoint, stores, drains, runProbes } = await givenParked();
    await stores.leases.take(endpoint);
    await runProbes();
    expect(drains).toStrictEqual([]);
  });

  it('asks for a probe when its time has come', async () => {
    const { stores, drains, clock, runProbes } = await givenParked();
    await stores.endpoints.setState({ failures: 5, probeAtMs: NOW_MS + MINUTE_MS });
    await runProbes();
    expect(drains).toStrictEqual([]);
    clock.advance(60);
    expect(await runProbes()).toMatchObject({ handled: 1, lagMs: 30_000 });
    expect(drains).toHaveLength(1);
  });

  it('asks once, even if the index still shows the timer of the endpoint', async () => {
    const { endpoint, drains, probes } = await givenParked();
    const timer = timerOf('test-probe', endpoint.endpointId, NOW_MS);
    const stale: DueItem = { key: endpointKey(endpoint), ...timer };
    expect(await probes.handle([stale], NEVER)).toMatchObject({ count: 1 });
    expect(await probes.handle([stale], NEVER)).toMatchObject({ count: 0, failed: 0 });
    expect(drains).toHaveLength(1);
  });

  it('asks again a minute later if the queue is down', async () => {
    const { stores, clock, drains, runProbes } = await givenParked();
    const { endpointTimers } = stores;
    const probes = createProbeJob('test', { endpointTimers, now: clock.now, queue: DOWN });
    expect(await runJob(probes, clock.now, NEVER)).toMatchObject({ failed: 0, isComplete: false });
    clock.advance(60);
    await runProbes();
    expect(drains).toHaveLength(1);
  });

  it('asks to drop the deliveries of a disabled endpoint', async () => {
    const { endpoint, stores, drains, runProbes } = await givenParked();
    await stores.endpoints.setState({ failures: 9, probeAtMs: NOW_MS + HOUR_MS });
    await endpointChanges.update(endpoint, { disabled: { atMs: NOW_MS, reason: 'failing' } });
    await runProbes();
    expect(drains).toHaveLength(1);
  });
});

describe('the timer of an endpoint', () => {
  it('stays until a drain has found no parked delivery, and ends with the next run', async () => {
    const { endpoint, stores, clock, drains, runProbes } = await givenParked();
    await runProbes();
    clock.advance(60);
    await runProbes();
    expect(drains).toHaveLength(2);
    const lease = await stores.leases.take(endpoint);
    if ('outcome' in lease) throw new Error('No lease');
    await stores.leases.freeDrained(lease);
    expect(await stores.endpointTimer()).toBeDefined();
    clock.advance(60);
    await runProbes();
    expect(drains).toHaveLength(2);
    expect(await stores.endpointTimer()).toBeUndefined();
  });

  it('stays if a delivery is parked while a run ends it', async () => {
    const { endpoint, stores, clock, runProbes } = await givenParked();
    const lease = await stores.leases.take(endpoint);
    if ('outcome' in lease) throw new Error('No lease');
    await stores.leases.freeDrained(lease);
    const { end } = stores.endpointTimers;
    vi.spyOn(stores.endpointTimers, 'end').mockImplementation(async (item) => {
      await stores.endpointTimers.notePark(endpoint, clock.now());
      return end(item);
    });
    await runProbes();
    expect(await stores.endpointTimer()).toBeDefined();
  });

  it('does not bring back an endpoint that was removed', async () => {
    const { endpoint, stores, drains, runProbes } = await givenParked();
    await endpointChanges.remove(endpoint);
    expect(await stores.endpointTimers.notePark(endpoint, NOW_MS)).toBeUndefined();
    expect(await runProbes()).toStrictEqual({ handled: 0, failed: 0, lagMs: 0, isComplete: true });
    expect(await stores.endpoints.find(endpoint)).toBeUndefined();
    expect(await stores.endpointTimer()).toBeUndefined();
    expect(drains).toStrictEqual([]);
  });

  it('waits for 15 minutes if this release cannot read the endpoint, which holds back no other', async () => {
    const [bad, good] = [await givenParked(), await givenParked()];
    await makeUnreadable({ TableName: tableNames.webhookEndpoints, Key: endpointKey(bad.endpoint) });
    const due = [bad, good].map(({ endpoint }): DueItem => ({
      key: endpointKey(endpoint),
      ...timerOf('test-probe', endpoint.endpointId, NOW_MS),
    }));
    const repository: TimerRepository = {
      ...good.probes.repository,
      async *due() {
        yield due;
      },
    };
    const job = { ...good.probes, repository, shards: ['probe'] };
    await logged(async () => {
      expect(await runJob(job, good.clock.now, NEVER)).toMatchObject({ handled: 1, failed: 1 });
    });
    expect(good.drains).toHaveLength(1);
    expect(await bad.stores.endpointTimer()).toMatchObject({ timerAtMs: NOW_MS + 15 * MINUTE_MS });
  });
});

describe('the next attempt of a delivery', () => {
  it('follows when its time has come, with its number', async () => {
    const { messages, sent, stores, clock, runRetries } = await given(2, (message, index) =>
      retryTimer(message, NOW_MS + index * MINUTE_MS),
    );
    expect(await runRetries()).toStrictEqual({ handled: 1, failed: 0, lagMs: 0, isComplete: true });
    expect(sent).toStrictEqual([{ eventId: messages[0]!.eventId, attempt: 3 }]);
    expect(await stores.timed()).toMatchObject([{ eventId: messages[1]!.eventId }]);
    clock.advance(90);
    expect(await runRetries()).toMatchObject({ handled: 1, lagMs: 30_000 });
    expect(await stores.timed()).toStrictEqual([]);
  });

  it.each([
    ['was parked or postponed since', { timer: 'parked#we_1', timerAtMs: NOW_MS }],
    ['has a later time by now', { timerAtMs: NOW_MS + 1 }],
    ['does not wait any more', undefined],
  ])('does not follow if the index lags, and it %s', async (_, change) => {
    const { messages, sent, retries } = await givenRetries(1);
    const [message] = messages as [DeliveryMessage];
    const timer = retryTimer(message, NOW_MS);
    const next = change && { attempt: 3, timer: { ...timer, ...change } };
    const { record } = (await givenRetries(0)).stores.deliveries;
    await record(message, { status: 'waiting', ...(next && { next }) }, NOW_MS);
    const found = await retries.handle([{ key: keyOf(message).Key, ...timer }], NEVER);
    expect(found).toMatchObject({ count: 0, failed: 0 });
    expect(sent).toStrictEqual([]);
  });

  it('does not follow, and makes no record, if TTL deletes the delivery under the run', async () => {
    const { messages, sent, stores, retries } = await givenRetries(1);
    const [message] = messages as [DeliveryMessage];
    await documents.send(new DeleteCommand(keyOf(message)));
    await retries.handle([{ key: keyOf(message).Key, ...retryTimer(message, NOW_MS) }], NEVER);
    expect(sent).toStrictEqual([]);
    expect(await stores.deliveries.listOf(message.endpoint.endpointId)).toStrictEqual([]);
  });

  it.each(['log', 'eventId', 'type', 'recordedAtMs', 'sequence', 'nextAttempt'])(
    'waits for 15 minutes if its %s is missing, beside others',
    async (name) => {
      const { messages, sentIds, stores, runRetries } = await givenRetries(2);
      const [bad, good] = messages as [DeliveryMessage, DeliveryMessage];
      const UpdateExpression = 'REMOVE #name';
      await documents.send(
        new UpdateCommand({ ...keyOf(bad), UpdateExpression, ExpressionAttributeNames: { '#name': name } }),
      );
      await logged(async () => expect(await runRetries()).toMatchObject({ handled: 1, failed: 1 }));
      expect(sentIds()).toStrictEqual([good.eventId]);
      const id = name === 'eventId' ? {} : { eventId: bad.eventId };
      expect(await stores.timed()).toMatchObject([{ ...id, timerAtMs: NOW_MS + 15 * MINUTE_MS }]);
    },
  );

  it('stays due if the queue is down', async () => {
    const { clock, stores } = await givenRetries(2);
    const { deliveryTimers } = stores;
    const retries = createRetryJob('test', { deliveryTimers, queue: DOWN, now: clock.now });
    expect(await runJob(retries, clock.now, NEVER)).toMatchObject({
      handled: 0,
      failed: 0,
      isComplete: false,
    });
    expect((await stores.timed()).map(({ timerAtMs }) => timerAtMs)).toStrictEqual([NOW_MS, NOW_MS]);
  });
});
