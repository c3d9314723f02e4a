import { DeleteCommand, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { runTimers } from '../../../lib/timers/run-timers.ts';
import type { DueItem, TimerStore } from '../../../lib/timers/timer-store.ts';
import { timerOf, type Timer } from '../../../lib/timers/timer.ts';
import { createRetryWork, parkedTimer, retryTimer } from '../../../lib/webhooks/timed-deliveries.ts';
import { type DeliveryMessage, deliveryId } from '../../../lib/webhooks/delivery.ts';
import { endpointKey } from '../../../lib/webhooks/endpoint-items.ts';
import { createProbeWork } from '../../../lib/webhooks/probe-work.ts';
import { NOW_MS } from '../../support/clock.ts';
import { givenDatabase } from '../../support/database.ts';
import { logged } from '../../support/log-lines.ts';
import { worldOn } from './database-stores.ts';
import { dropEndpoint, registryOf } from '../../support/endpoints.ts';

const { documents, tableNames } = await givenDatabase();
const registry = registryOf({ documents, tableNames });

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const NEVER = new AbortController().signal;

const keyOf = (message: DeliveryMessage) => ({
  TableName: tableNames.deliveries,
  Key: { endpointId: message.endpoint.endpointId, id: deliveryId(message) },
});

/** An endpoint with deliveries that wait. Nothing delivers what the works put into the queue. */
const given = async (
  waitingCount: number,
  timerOfMessage: (message: DeliveryMessage, index: number) => Timer,
) => {
  const world = await worldOn({ documents, tableNames });
  const { stores, clock, endpoint } = world;
  const messages = world.givenMessages(waitingCount);
  const records = messages.map((message, index) => {
    const next = { attempt: 3, timer: timerOfMessage(message, index) };
    return stores.deliveries.record(message, { status: 'waiting', next }, NOW_MS);
  });
  await Promise.all(records);
  const sent: { readonly eventId: string; readonly attempt: number; readonly delaySeconds: number }[] = [];
  const deliveries = stores.createTimed(
    {
      async send(batch, delaySeconds = 0) {
        sent.push(...batch.map(({ eventId, attempt }) => ({ eventId, attempt, delaySeconds })));
      },
    },
    () => undefined,
  );
  const probes = createProbeWork({ endpointTimers: stores.endpointTimers, deliveries, now: clock.now });
  const retries = createRetryWork(deliveries);
  return {
    endpoint,
    stores,
    clock,
    messages,
    sent,
    sentIds: () => sent.map(({ eventId }) => eventId),
    probes,
    retries,
    runProbes: () => runTimers(probes, clock.now, NEVER),
    runRetries: () => runTimers(retries, clock.now, NEVER),
  };
};

/** Deliveries that were parked one after the other, until now. */
const givenParked = async (count: number) => {
  const all = await given(count, (message, index) => parkedTimer(message, NOW_MS - count + index));
  await all.stores.endpointTimers.notePark(all.endpoint, NOW_MS);
  return all;
};

/** Deliveries whose next attempt is now. */
const givenRetries = (count: number) => given(count, (message) => retryTimer(message, NOW_MS));

const idsOf = (messages: readonly DeliveryMessage[]): string[] => messages.map(({ eventId }) => eventId);

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

describe('the parked deliveries of an endpoint that works again', () => {
  it('follow at ten a second, 600 a minute, in the order of their parking', async () => {
    const { messages, sent, stores, clock, runProbes } = await givenParked(605);
    expect(await runProbes()).toStrictEqual({ handled: 600, failed: 0, lagMs: 0, isComplete: true });
    expect(sent).toStrictEqual(
      idsOf(messages)
        .slice(0, 600)
        .map((eventId, index) => ({ eventId, attempt: 3, delaySeconds: Math.floor(index / 10) })),
    );
    expect(await stores.timed()).toHaveLength(5);
    await runProbes();
    expect(sent).toHaveLength(600);
    // More than an hour after they were parked.
    clock.advance(HOUR_MS / 1_000);
    expect(await runProbes()).toMatchObject({ handled: 5 });
    expect(sent.slice(600).map(({ eventId }) => eventId)).toStrictEqual(idsOf(messages.slice(600)));
    expect(await stores.endpointTimer()).toBeDefined();
    expect(await stores.timed()).toStrictEqual([]);
  });

  it('follow once, even if the index still shows the timer of the endpoint', async () => {
    const { endpoint, sent, probes } = await givenParked(3);
    const stale: DueItem = { key: endpointKey(endpoint), ...timerOf('probe', endpoint.endpointId, NOW_MS) };
    expect(await probes.handle([stale], NEVER)).toMatchObject({ count: 3 });
    expect(await probes.handle([stale], NEVER)).toMatchObject({ count: 0, failed: 0 });
    expect(sent).toHaveLength(3);
  });

  it('follow beside one that this release cannot read, which waits for 15 minutes', async () => {
    const { messages, sentIds, stores, clock, runProbes } = await givenParked(3);
    const [bad, ...others] = messages;
    await makeUnreadable(keyOf(bad!));
    const lines = await logged(async () => {
      expect(await runProbes()).toMatchObject({ handled: 2, failed: 1, isComplete: true });
    });
    expect(lines).toContainEqual(expect.objectContaining({ level: 'ERROR', outcome: 'failed' }));
    expect(sentIds()).toStrictEqual(idsOf(others));
    clock.advance(2 * 60);
    expect(await runProbes()).toMatchObject({ handled: 0, failed: 0 });
    expect(await stores.timed()).toMatchObject([
      { eventId: bad!.eventId, timerAtMs: NOW_MS + 15 * MINUTE_MS },
    ]);
    clock.advance(14 * 60);
    await logged(async () => expect(await runProbes()).toMatchObject({ failed: 1 }));
  });

  it('follow from the next minute on if the queue is down', async () => {
    const { stores, clock, sent, runProbes } = await givenParked(3);
    const probes = createProbeWork({
      endpointTimers: stores.endpointTimers,
      deliveries: stores.createTimed(DOWN, () => undefined),
      now: clock.now,
    });
    expect(await runTimers(probes, clock.now, NEVER)).toMatchObject({ failed: 0, isComplete: false });
    expect(await stores.timed()).toHaveLength(3);
    clock.advance(60);
    await runProbes();
    expect(sent).toHaveLength(3);
  });
});

describe('the timer of an endpoint', () => {
  it('stays for an hour after the last parking, because the index may lag, and then ends', async () => {
    const { stores, clock, runProbes } = await givenParked(1);
    clock.advance(59 * 60);
    await runProbes();
    clock.advance(30);
    await runProbes();
    expect(await stores.endpointTimer()).toMatchObject({ timerAtMs: clock.now() + 30_000 });
    clock.advance(30);
    await runProbes();
    expect(await stores.endpointTimer()).toBeUndefined();
  });

  it('does not bring back an endpoint that was removed', async () => {
    const { endpoint, stores, sent, runProbes } = await givenParked(1);
    await dropEndpoint({ documents, tableNames }, endpoint);
    await stores.endpointTimers.notePark(endpoint, NOW_MS);
    expect(await runProbes()).toStrictEqual({ handled: 0, failed: 0, lagMs: 0, isComplete: true });
    const Key = endpointKey(endpoint);
    const get = new GetCommand({ TableName: tableNames.webhookEndpoints, Key });
    expect((await documents.send(get)).Item).toBeUndefined();
    expect(sent).toStrictEqual([]);
  });

  it('waits for 15 minutes if this release cannot read the endpoint, which holds back no other', async () => {
    const [bad, good] = [await givenParked(1), await givenParked(1)];
    await makeUnreadable({ TableName: tableNames.webhookEndpoints, Key: endpointKey(bad.endpoint) });
    const due = [bad, good].map(({ endpoint }): DueItem => ({
      key: endpointKey(endpoint),
      ...timerOf('probe', endpoint.endpointId, NOW_MS),
    }));
    const store: TimerStore = {
      ...good.probes.store,
      async *due() {
        yield due;
      },
    };
    const work = { ...good.probes, store, timers: ['probe'] };
    await logged(async () => {
      expect(await runTimers(work, good.clock.now, NEVER)).toMatchObject({ handled: 1, failed: 1 });
    });
    expect(good.sentIds()).toStrictEqual(idsOf(good.messages));
    expect(await bad.stores.endpointTimer()).toMatchObject({ timerAtMs: NOW_MS + 15 * MINUTE_MS });
  });

  it('stays when an operator disables and enables the endpoint', async () => {
    const { endpoint, stores, sent, messages, runProbes } = await givenParked(2);
    await stores.endpoints.setState({ failures: 9, probeAtMs: NOW_MS + HOUR_MS });
    await registry.update(endpoint, { disabled: { atMs: NOW_MS, reason: 'operator' } });
    await registry.update(endpoint, { disabled: null });
    await runProbes();
    expect(sent.map(({ eventId }) => eventId)).toStrictEqual(idsOf(messages));
  });
});

describe('while the breaker is open, a run', () => {
  it('sends the delivery that was parked first, as a probe whose time has come', async () => {
    const { stores, messages, sent, clock, runProbes } = await givenParked(3);
    await stores.endpoints.setState({ failures: 5, probeAtMs: NOW_MS + MINUTE_MS });
    expect(await runProbes()).toMatchObject({ handled: 0 });
    expect(sent).toStrictEqual([]);
    clock.advance(60);
    expect(await runProbes()).toMatchObject({ handled: 1, lagMs: 30_000 });
    expect(sent).toStrictEqual([{ eventId: messages[0]!.eventId, attempt: 3, delaySeconds: 0 }]);
    expect(await stores.timed()).toHaveLength(2);
  });

  it('sends all deliveries of a disabled endpoint, to be dropped', async () => {
    const { endpoint, stores, messages, sentIds, runProbes } = await givenParked(3);
    await stores.endpoints.setState({ failures: 9, probeAtMs: NOW_MS + HOUR_MS });
    await registry.update(endpoint, { disabled: { atMs: NOW_MS, reason: 'failing' } });
    await runProbes();
    expect(sentIds()).toStrictEqual(idsOf(messages));
  });
});

describe('the next attempt of a delivery', () => {
  it('follows when its time has come, with its number', async () => {
    const { messages, sent, stores, clock, runRetries } = await given(2, (message, index) =>
      retryTimer(message, NOW_MS + index * MINUTE_MS),
    );
    expect(await runRetries()).toStrictEqual({ handled: 1, failed: 0, lagMs: 0, isComplete: true });
    expect(sent).toStrictEqual([{ eventId: messages[0]!.eventId, attempt: 3, delaySeconds: 0 }]);
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

  it.each(['sequence', 'nextAttempt', 'log'])(
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
      expect(await stores.timed()).toMatchObject([
        { eventId: bad.eventId, timerAtMs: NOW_MS + 15 * MINUTE_MS },
      ]);
    },
  );

  it('stays due if the queue is down', async () => {
    const { clock, stores } = await givenRetries(2);
    const retries = createRetryWork(stores.createTimed(DOWN, () => undefined));
    expect(await runTimers(retries, clock.now, NEVER)).toMatchObject({
      handled: 0,
      failed: 0,
      isComplete: false,
    });
    expect((await stores.timed()).map(({ timerAtMs }) => timerAtMs)).toStrictEqual([NOW_MS, NOW_MS]);
  });
});
