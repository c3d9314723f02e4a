import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it, vi } from 'vitest';
import {
  type DeliveryMessage,
  drainRequestOf,
  testMessageOf,
} from '../../../lib/deliveries/queue/queue-message.ts';
import { deliveryId } from '../../../lib/deliveries/records/delivery.ts';
import { NOW_MS } from '../../support/clock.ts';
import { givenDatabase } from '../../support/database/database.ts';
import { endpointChangesOf } from '../../support/domain/endpoints.ts';
import { logged } from '../../support/logs/log-lines.ts';
import { worldOn } from './support/database-repositories.ts';
import { inMemory } from './support/memory-repositories.ts';
import type { World, WorldOptions } from './support/world.ts';

const database = await givenDatabase();
const endpointChanges = endpointChangesOf(database);

const FAILURE = { status: 500 };

const drain = (world: World) => world.deliver([drainRequestOf(world.endpoint)]);

const idsOf = (messages: readonly DeliveryMessage[]): string[] => messages.map(({ eventId }) => eventId);

const sentIds = ({ received }: World): string[] => received.map(({ eventId }) => eventId);

/** An endpoint with deliveries that an open breaker parked one after another. The breaker is closed now. */
const givenParked = async (count: number, options: WorldOptions = {}) => {
  const world = await worldOn(database, options);
  await world.stores.endpoints.setState({ failures: 5, probeAtMs: NOW_MS + 60_000 });
  const parked = world.givenMessages(count);
  for (const message of parked) {
    expect(await world.deliver([message])).toStrictEqual(['waiting']);
    world.clock.advance(0.001);
  }
  await world.stores.endpoints.setState({ failures: 0 });
  return { world, parked };
};

describe('a message that finds no free slot', () => {
  it('is parked', async () => {
    const world = await worldOn(database);
    await world.stores.leases.take(world.endpoint);
    const message = world.givenMessage();
    expect(await world.receive(message)).toBe('waiting');
    expect(await world.records()).toMatchObject([{ eventId: message.eventId, status: 'waiting' }]);
    expect(await world.parked()).toStrictEqual([message]);
    expect(world.drainRequests()).toBe(0);
  });

  it('returns to the queue if other writers keep it from the endpoint', async () => {
    const world = await worldOn(database);
    vi.spyOn(world.stores.leases, 'take').mockResolvedValue({ outcome: 'contended' });
    expect(await world.receive(world.givenMessage())).toBe('contended');
    expect(await world.parked()).toStrictEqual([]);
  });

  it.each(['an event', 'a test event'])('is sent when the slot is free, if it is %s', async (kind) => {
    const world = await worldOn(database);
    const lease = await world.stores.leases.take(world.endpoint);
    if ('outcome' in lease) throw new Error('No lease');
    const message = kind === 'an event' ? world.givenMessage() : testMessageOf(world.endpoint, NOW_MS);
    await world.receive(message);
    await world.stores.leases.free(lease);
    await drain(world);
    expect(sentIds(world)).toStrictEqual([message.eventId]);
    expect(await world.records()).toMatchObject([{ status: 'succeeded' }]);
    expect(await world.parked()).toStrictEqual([]);
  });

  it('and whose slot was freed while it was parked, is sent at once', async () => {
    const world = await worldOn(database);
    const lease = await world.stores.leases.take(world.endpoint);
    if ('outcome' in lease) throw new Error('No lease');
    const { notePark } = world.stores.endpointTimers;
    vi.spyOn(world.stores.endpointTimers, 'notePark').mockImplementation(async (...args) => {
      await world.stores.leases.free(lease);
      return notePark(...args);
    });
    const message = world.givenMessage();
    expect(await world.receive(message)).toBe('waiting');
    expect(sentIds(world)).toStrictEqual([message.eventId]);
    expect(await world.parked()).toStrictEqual([]);
  });

  it('is sent by the holder of slot 0, even if that has a message without an event after it', async () => {
    const world = await worldOn(database);
    const [first, second, third] = world.givenMessages(3);
    world.changeEvent(second!, undefined);
    world.during(async () => {
      world.during(undefined);
      expect(await world.receive(third!)).toBe('waiting');
    });
    expect(await world.deliver([first!, second!])).toStrictEqual(['succeeded', 'unknown']);
    expect(sentIds(world)).toStrictEqual(idsOf([first!, third!]));
  });

  it('is sent by the holder of slot 0, even if the event of that is gone', async () => {
    const world = await worldOn(database);
    const [gone, other] = world.givenMessages(2);
    world.changeEvent(gone!, undefined);
    const { free } = world.stores.leases;
    vi.spyOn(world.stores.leases, 'free').mockImplementationOnce(async (lease) => {
      expect(await world.receive(other!)).toBe('waiting');
      return free(lease);
    });
    expect(await world.receive(gone!)).toBe('unknown');
    expect(sentIds(world)).toStrictEqual([other!.eventId]);
  });

  it('is sent by the holder of slot 0, when that releases the slot', async () => {
    const world = await worldOn(database);
    const [first, second] = world.givenMessages(2);
    world.respond(() => ({ status: 200 }));
    // While the first one is in flight.
    world.during(async () => {
      world.during(undefined);
      expect(await world.receive(second!)).toBe('waiting');
    });
    expect(await world.receive(first!)).toBe('succeeded');
    expect(sentIds(world)).toStrictEqual(idsOf([first!, second!]));
    expect(world.drainRequests()).toBe(0);
  });
});

describe('the parked deliveries of an endpoint', () => {
  it('go out in the order of their events, one at a time until one has succeeded quickly, then two', async () => {
    const { world, parked } = await givenParked(5);
    const takes = vi.spyOn(world.stores.leases, 'take');
    await drain(world);
    expect(sentIds(world).toSorted()).toStrictEqual(idsOf(parked).toSorted());
    expect(sentIds(world)[0]).toBe(parked[0]!.eventId);
    expect(takes.mock.calls.map(([, options]) => options?.slots)).toStrictEqual([
      [0],
      [0],
      [1],
      [0],
      [1],
      // It finds none.
      [0],
    ]);
    expect(await world.stores.timed()).toStrictEqual([]);
    expect(await world.state()).toMatchObject({ parks: 5, drainedParks: 5, lease0UntilMs: undefined });
    expect(world.drainRequests()).toBe(0);
  });

  it('follow in another invocation after an attempt of more than a second', async () => {
    const { world, parked } = await givenParked(3, { attemptMs: 1_001 });
    await drain(world);
    expect(sentIds(world)).toStrictEqual([parked[0]!.eventId]);
    expect(world.drainRequests()).toBe(1);
    await world.run();
    expect(sentIds(world)).toHaveLength(3);
  });

  it('are left to the process that holds slot 0', async () => {
    const { world } = await givenParked(1);
    await world.stores.leases.take(world.endpoint);
    expect(await drain(world)).toStrictEqual(['ended']);
    expect(world.received).toStrictEqual([]);
    expect(world.drainRequests()).toBe(0);
  });

  it('wait while the breaker is open, and the first is a probe when its time has come', async () => {
    const { world, parked } = await givenParked(3);
    await world.stores.endpoints.setState({ failures: 5, probeAtMs: world.clock.now() + 1 });
    await drain(world);
    expect(world.received).toStrictEqual([]);
    world.clock.advance(0.001);
    world.respond(() => FAILURE);
    await drain(world);
    expect(sentIds(world)).toStrictEqual([parked[0]!.eventId]);
    expect(await world.parked()).toHaveLength(2);
  });

  it('follow a test event that succeeds while the breaker is open', async () => {
    const { world, parked } = await givenParked(2);
    await world.stores.endpoints.setState({ failures: 9, probeAtMs: world.clock.now() + 60_000 });
    const ping = testMessageOf(world.endpoint, world.clock.now());
    expect(await world.deliver([ping])).toStrictEqual(['succeeded']);
    expect(sentIds(world)).toStrictEqual([ping.eventId, ...idsOf(parked)]);
  });

  it('end at the failure that opens the breaker', async () => {
    const { world } = await givenParked(8, { receiver: () => FAILURE });
    await drain(world);
    expect(world.received).toHaveLength(5);
    expect(await world.parked()).toHaveLength(3);
    expect(world.drainRequests()).toBe(0);
  });

  it('are dropped if the endpoint is disabled, however many they are', async () => {
    const { world } = await givenParked(30);
    await endpointChanges.update(world.endpoint, { disabled: { atMs: NOW_MS, reason: 'operator' } });
    await drain(world);
    expect(world.received).toStrictEqual([]);
    const statuses = (await world.records()).map(({ status, reason }) => `${status} ${reason}`);
    expect(new Set(statuses)).toStrictEqual(new Set(['dropped disabled']));
    expect(await world.parked()).toStrictEqual([]);
  });

  it('of a disabled endpoint are left to the process that drops them', async () => {
    const { world } = await givenParked(2);
    await endpointChanges.update(world.endpoint, { disabled: { atMs: NOW_MS, reason: 'operator' } });
    const held = await world.stores.leases.take(world.endpoint, { slots: [0], purpose: 'drain' });
    if ('outcome' in held) throw new Error('No lease');
    expect(await drain(world)).toStrictEqual(['ended']);
    expect(await world.parked()).toHaveLength(2);
    await world.stores.leases.free(held);
    await drain(world);
    expect(await world.parked()).toStrictEqual([]);
  });

  it('whose drain fails follow with the next run, and the slot is free', async () => {
    const { world } = await givenParked(1);
    const first = vi.spyOn(world.stores.parkedDeliveries, 'first').mockRejectedValueOnce(new Error('down'));
    expect(await drain(world)).toStrictEqual(['ended']);
    expect(first).toHaveBeenCalledOnce();
    expect(await world.state()).toMatchObject({ lease0UntilMs: undefined });
    await world.runAllTimers();
    await world.run();
    expect(world.received).toHaveLength(1);
  });

  it('are removed if their event is gone, and hold back no other', async () => {
    const { world, parked } = await givenParked(3);
    world.changeEvent(parked[0]!, undefined);
    world.changeEvent(parked[2]!, undefined);
    await drain(world);
    expect(sentIds(world)).toStrictEqual([parked[1]!.eventId]);
    expect(await world.stores.timed()).toStrictEqual([]);
  });

  it('go out although this release cannot read one of them', async () => {
    const { world, parked } = await givenParked(2);
    const Key = { endpointId: `parked#${world.endpoint.endpointId}`, id: deliveryId(parked[0]!) };
    const later = {
      TableName: database.tableNames.deliveries,
      Key,
      UpdateExpression: 'SET schemaVersion = :later',
      ExpressionAttributeValues: { ':later': 99 },
    };
    await database.documents.send(new UpdateCommand(later));
    const lines = await logged(() => drain(world));
    expect(lines).toContainEqual(expect.objectContaining({ level: 'ERROR', outcome: 'failed' }));
    expect(sentIds(world)).toStrictEqual([parked[1]!.eventId]);
    // The endpoint keeps its mark, so that a later release finds it.
    expect(await world.state()).toMatchObject({
      parks: 2,
      drainedParks: undefined,
      lease0UntilMs: undefined,
    });
  });

  it('follow later if other writers keep the drain from the endpoint', async () => {
    const { world } = await givenParked(1);
    vi.spyOn(world.stores.leases, 'take').mockResolvedValueOnce({ outcome: 'contended' });
    await drain(world);
    expect(world.received).toStrictEqual([]);
    expect(world.drainRequests()).toBe(1);
    await world.run();
    expect(world.received).toHaveLength(1);
  });

  it('go out by one chain of messages, however many they are, each until its last attempt', async () => {
    const world = await inMemory({ attemptMs: 1_500 });
    await world.stores.endpoints.setState({ failures: 5, probeAtMs: NOW_MS + 60_000 });
    await world.deliver(world.givenMessages(200));
    await world.stores.endpoints.setState({ failures: 0 });
    world.drainRequest();
    await world.run();
    expect(world.received).toHaveLength(200);
    expect(new Set((await world.records()).map(({ status }) => status))).toStrictEqual(
      new Set(['succeeded']),
    );
  });
});
