import { describe, expect, it } from 'vitest';
import { timerOf } from '../../../lib/timers/timer.ts';
import { pingMessageOf } from '../../../lib/webhooks/delivery.ts';
import { NOW_MS } from '../../support/clock.ts';
import { givenDatabase } from '../../support/database.ts';
import { createDatabaseStores } from './database-stores.ts';
import { createMemoryStores } from './memory-stores.ts';
import { givenWorld, type WorldOptions } from './world.ts';

const database = await givenDatabase();
const onDatabase = (options?: WorldOptions) =>
  givenWorld((endpoint, now) => createDatabaseStores(database, endpoint, now), options);

const inMemory = (options?: WorldOptions) => givenWorld(createMemoryStores, options);

const HOUR_MS = 3_600_000;
const FAILURE = { status: 500, response: 'down' };

/** For a message that is certainly there. */
const never = (): never => {
  throw new Error('No message');
};

describe('the breaker', () => {
  it('opens after five failures in a row: the other deliveries wait without an attempt', async () => {
    const world = await onDatabase({ receiver: () => FAILURE });
    const batch = world.givenMessages(10);
    expect(await world.deliver(batch)).toStrictEqual(Array.from({ length: 10 }, () => 'done'));
    expect(world.received).toHaveLength(5);
    expect(await world.parked()).toStrictEqual(
      batch.slice(5).map(({ eventId }) => ({
        eventId,
        nextAttempt: 1,
        timer: `parked#${world.endpoint.endpointId}`,
        timerAtMs: world.clock.now(),
      })),
    );
    const records = await world.records();
    expect(records.map(({ status, attempts }) => [status, attempts.length])).toStrictEqual([
      ...Array.from({ length: 5 }, () => ['waiting', 0]),
      ...Array.from({ length: 5 }, () => ['retrying', 1]),
    ]);
    expect(await world.stores.endpointTimer()).toStrictEqual(
      timerOf('probe', world.endpoint.endpointId, world.clock.now()),
    );
  });

  it('stays closed if successes lie between the failures', async () => {
    const world = await inMemory();
    world.respond(() => (world.received.length % 5 === 0 ? { status: 200 } : FAILURE));
    await world.deliver(world.givenMessages(20));
    expect(world.received).toHaveLength(20);
  });

  it('lets one delivery at a time through as a probe, at growing intervals', async () => {
    const world = await inMemory({ receiver: () => FAILURE });
    world.enqueue(world.givenMessages(30));
    await world.run(NOW_MS + HOUR_MS);
    const first = world.received[4]?.atMs ?? 0;
    const probes = world.received.slice(5).map(({ atMs }) => (atMs - first) / 60_000);
    // After 1, 2, 4, 8, 15, 15, ... minutes, and the time until the next run of each.
    expect(probes.length).toBeGreaterThanOrEqual(5);
    for (const [index, earliest] of [1, 3, 7, 15, 30].entries()) {
      expect(probes[index]).toBeGreaterThanOrEqual(earliest);
      expect(probes[index]).toBeLessThanOrEqual(earliest + 2 * (index + 1));
    }
  });

  it('closes by any success, and the parked deliveries follow within a minute, not at the next probe', async () => {
    const world = await inMemory({ receiver: () => FAILURE });
    await world.stores.endpoints.setState({ failures: 9, probeAtMs: NOW_MS + 15 * 60_000 });
    await world.deliver(world.givenMessages(3));
    expect(await world.parked()).toHaveLength(3);
    world.respond(() => ({ status: 200 }));
    await world.deliver([pingMessageOf(world.endpoint, world.clock.now())]);
    await world.run(NOW_MS + 60_000);
    expect(world.received).toHaveLength(4);
    expect(await world.parked()).toStrictEqual([]);
  });

  it('does not count the time in which it holds a delivery back as an attempt', async () => {
    const world = await inMemory({ receiver: () => FAILURE });
    const batch = world.givenMessages(6);
    await world.deliver(batch);
    for (let minute = 0; minute < 20; minute += 1) {
      await world.deliver(batch.slice(5));
    }
    expect(world.received).toHaveLength(5);
    expect(await world.parked()).toMatchObject([{ nextAttempt: 1 }]);
  });

  it('drains a delivery that was parked after the endpoint had recovered', async () => {
    const world = await inMemory({ receiver: () => FAILURE });
    const [late = never(), ...batch] = world.givenMessages(6);
    await world.deliver(batch);
    world.respond(() => ({ status: 200 }));
    const ping = pingMessageOf(world.endpoint, world.clock.now());
    // The endpoint recovers between the rejected lease and the delivery's place among the parked ones.
    expect(await world.deliver([late, ping])).toStrictEqual(['done', 'done']);
    expect(await world.parked()).toMatchObject([{ eventId: late.eventId }]);
    await world.run();
    expect(world.received.filter(({ eventId }) => eventId === late.eventId)).toHaveLength(1);
    expect(await world.parked()).toStrictEqual([]);
  });
});
