import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DeliveryRecord } from '../../../lib/deliveries/records/delivery.ts';
import { NOW_MS } from '../../support/clock.ts';
import { inMemory } from './support/memory-repositories.ts';
import { ATTEMPT_MS, type World } from './support/world.ts';

const FAILURE = { status: 503 };

const QUICK = { failures: 0, isQuick: true };

const SCHEDULE_SECONDS = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];

/** Asserts that no work is left. */
const expectIdle = async (world: World): Promise<void> => {
  expect(world.waiting()).toStrictEqual([]);
  expect(await world.stores.timed()).toStrictEqual([]);
  expect(await world.parked()).toStrictEqual([]);
  expect(await world.stores.endpointTimer()).toBeUndefined();
};

/** Each work of a process that may end: it starts with messages on the queue. */
const WORK: Readonly<Record<string, (world: World) => Promise<void>>> = {
  'a success': async (world) => world.enqueue(world.givenMessages(2)),

  'successes of a quick endpoint': async (world) => {
    await world.stores.endpoints.setState(QUICK);
    world.enqueue(world.givenMessages(3), 'quick');
  },

  'a failure of a quick endpoint, and the move to the slow queue': async (world) => {
    await world.stores.endpoints.setState(QUICK);
    world.respond(() => (world.received.length <= 1 ? FAILURE : { status: 200 }));
    world.enqueue(world.givenMessages(3), 'quick');
  },

  'failures and retries': async (world) => {
    world.respond(() => (world.received.length <= 4 ? FAILURE : { status: 200 }));
    world.enqueue(world.givenMessages(1));
  },

  'a breaker that opens, a probe, and a drain': async (world) => {
    await world.stores.endpoints.setState({ failures: 4 });
    world.respond(() => (world.received.length <= 2 ? FAILURE : { status: 200 }));
    world.enqueue(world.givenMessages(4));
  },

  'a breaker that was open for a long time': async (world) => {
    await world.stores.endpoints.setState({ failures: 9, probeAtMs: NOW_MS });
    world.enqueue(world.givenMessages(3));
  },
};

describe.each(Object.entries(WORK))('a process that dies during %s', (_, begin) => {
  it('after any number of calls, loses no delivery, and the records are right in the end', async () => {
    let deaths = 0;
    for (let lifetime = 0; ; lifetime += 1) {
      const world = await inMemory({ lifetime });
      await begin(world);
      const ids = world.waiting().map(({ message }) => message.eventId);
      await world.run();
      if (!world.isDead()) break;
      deaths += 1;
      // The leases of the dead process end.
      world.clock.advance(15);
      world.revive();
      await world.run();
      await expectIdle(world);
      const records = await world.records();
      const delivered = records.filter(({ status }) => status === 'succeeded');
      expect(new Set(delivered.map(({ eventId }) => eventId)), `dead after ${lifetime}`).toStrictEqual(
        new Set(ids),
      );
      for (const { attempts } of delivered) expect(attempts.at(-1)).toMatchObject({ status: 200 });
    }
    expect(deaths).toBeGreaterThan(4);
  });
});

interface Outage {
  readonly startMs: number;
  readonly lengthMs: number;
}

/** An endpoint's outages, and the times of its events, over some days. */
const histories = fc.record({
  outages: fc.array(
    fc.record({
      startMs: fc.integer({ min: 0, max: 2 * 86_400_000 }),
      lengthMs: fc.oneof(fc.integer({ min: 0, max: 600_000 }), fc.integer({ min: 0, max: 86_400_000 })),
    }),
    { maxLength: 4 },
  ),
  eventsAtMs: fc.array(fc.integer({ min: 0, max: 2 * 86_400_000 }), { minLength: 1, maxLength: 40 }),
  random: fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })),
});

const isDown = (outages: readonly Outage[], atMs: number): boolean =>
  outages.some(({ startMs, lengthMs }) => atMs >= startMs && atMs < startMs + lengthMs);

/** Runs a history to its end. */
const runHistory = async (
  outages: readonly Outage[],
  eventsAtMs: readonly number[],
  random: () => number,
): Promise<World> => {
  const world = await inMemory({ random });
  world.respond(({ atMs }) => (isDown(outages, atMs - NOW_MS) ? FAILURE : { status: 200 }));
  for (const atMs of eventsAtMs.toSorted((a, b) => a - b)) {
    await world.run(NOW_MS + atMs);
    world.clock.advance(Math.max(0, NOW_MS + atMs - world.clock.now()) / 1_000);
    world.enqueue(world.givenMessages(1), await world.lane());
  }
  await world.run();
  return world;
};

/** Expects that no attempt came before its time, and that the record has exactly the requests that arrived. */
const expectOnSchedule = ({ eventId, attempts }: DeliveryRecord, { received }: World): void => {
  const times = received.filter((request) => request.eventId === eventId).map(({ atMs }) => atMs);
  expect(attempts.map(({ atMs }) => atMs)).toStrictEqual(times);
  expect(attempts.map(({ attempt }) => attempt)).toStrictEqual(times.map((_, index) => index + 1));
  for (const [index, atMs] of times.slice(1).entries()) {
    const pauseMs = atMs - (times[index] ?? 0) - ATTEMPT_MS;
    expect(pauseMs).toBeGreaterThanOrEqual(0.9 * 1_000 * (SCHEDULE_SECONDS[index] ?? 0) - 1_000);
  }
};

it('after any outages, each delivery succeeds or has ten attempts, none early, and no work is left', async () => {
  await fc.assert(
    fc.asyncProperty(histories, async ({ outages, eventsAtMs, random }) => {
      const world = await runHistory(outages, eventsAtMs, () => Number(random.next().value));
      await expectIdle(world);
      const records = await world.records();
      expect(records).toHaveLength(eventsAtMs.length);
      for (const record of records) {
        expectOnSchedule(record, world);
        const { status, attempts } = record;
        const isOver = status === 'failed' && attempts.length === 10;
        expect(isOver || (status === 'succeeded' && attempts.at(-1)?.status === 200)).toBe(true);
      }
    }),
    { numRuns: 15 },
  );
});

it('1,000 deliveries that wait for an endpoint that hangs cost few requests, and none is lost', async () => {
  const world = await inMemory({ receiver: () => ({ error: 'timeout' }) });
  const messages = world.givenMessages(1_000);
  for (let start = 0; start < messages.length; start += 10) {
    await world.deliver(messages.slice(start, start + 10));
  }
  expect(world.received).toHaveLength(5);
  await world.run(NOW_MS + 3_600_000);
  // Probes after 1, 2, 4, 8, 15, 15, ... minutes.
  expect(world.received.length).toBeLessThanOrEqual(5 + 8);
  const queued = world.waiting().map(({ message }) => message);
  const waiting = [...(await world.stores.timed()), ...(await world.parked()), ...queued];
  expect(new Set(waiting.map(({ eventId }) => eventId)).size).toBe(1_000);
});
