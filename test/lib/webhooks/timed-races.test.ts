import { describe, expect, it } from 'vitest';
import { runTimers, type TimerWork } from '../../../lib/timers/run-timers.ts';
import { timerOf } from '../../../lib/timers/timer.ts';
import { type BatchDependencies, deliverBatch } from '../../../lib/webhooks/deliver-batch.ts';
import { createRetryWork, retryTimer } from '../../../lib/webhooks/timed-deliveries.ts';
import { type DeliveryMessage, deliveryMessageOf } from '../../../lib/webhooks/delivery.ts';
import { createProbeWork } from '../../../lib/webhooks/probe-work.ts';
import { manualClock, NOW_MS } from '../../support/clock.ts';
import { givenDatabase } from '../../support/database.ts';
import { newEndpoint } from '../../support/endpoints.ts';
import { createDatabaseStores } from './database-stores.ts';
import { createTurns, exploreAll } from './interleavings.ts';

const database = await givenDatabase();
const clock = manualClock();
// Each call takes a millisecond.
const turns = createTurns(database.documents, () => clock.advance(0.001));

const HOUR_SECONDS = 3_600;
const NEVER = new AbortController().signal;

/** An endpoint with a queue, and the processes that race. */
const givenEndpoint = async () => {
  const endpoint = newEndpoint();
  const { now } = clock;
  const stores = await createDatabaseStores(database, endpoint, now);
  const queued: DeliveryMessage[] = [];
  let onSend: (messages: readonly DeliveryMessage[]) => void = () => undefined;
  const deliveries = stores.createTimed(
    {
      async send(messages) {
        queued.push(...messages);
        onSend(messages);
      },
    },
    () => undefined,
  );
  let sequence = 0;
  const messageOf = (): DeliveryMessage => {
    sequence += 1;
    const id = `evt_${sequence}`;
    return deliveryMessageOf(endpoint, { id, type: 'cart.completed', recordedAtMs: NOW_MS, sequence });
  };
  const probes: TimerWork = {
    ...createProbeWork({ endpointTimers: stores.endpointTimers, deliveries, now }),
    timers: [timerOf('probe', endpoint.endpointId, 0).timer],
  };
  const parking = {
    ...stores,
    now,
    findSecret: async () => ({ id: endpoint.endpointId, secret: 'whsec_AAAA' }),
    findEvent: async (_log: unknown, number: number) => ({ id: `evt_${number}`, body: '{}' }),
    // As it was before the recovery.
    leases: { ...stores.leases, take: async () => ({ outcome: 'open' }) as const },
    report: () => undefined,
  } as unknown as BatchDependencies;
  return {
    endpoint,
    stores,
    deliveries,
    messageOf,
    /** A delivery that found the breaker open. Returns its outcome: `failed` if its process ended. */
    tryPark: async (message: DeliveryMessage) => (await deliverBatch([message], parking))[0]?.outcome,
    park: async (message: DeliveryMessage): Promise<void> => {
      expect(await deliverBatch([message], parking)).toStrictEqual([{ outcome: 'done' }]);
    },
    runProbes: () => runTimers(probes, now, NEVER),
    queuedIds: () => queued.map(({ eventId }) => eventId),
    receive: (receiver: typeof onSend) => void (onSend = receiver),
  };
};

type Given = Awaited<ReturnType<typeof givenEndpoint>>;

/** Expects that each of these deliveries is in the queue once, at the latest after the run of the next minute. */
const expectAllFollow = async ({ runProbes, queuedIds, stores }: Given, ids: readonly string[]) => {
  clock.advance(60);
  await runProbes();
  expect(queuedIds().toSorted()).toStrictEqual(ids.toSorted());
  expect(await stores.timed()).toStrictEqual([]);
};

describe('in each order of their calls,', () => {
  it('a delivery that is parked when its endpoint loses its timer follows a minute later', async () => {
    let unseen = 0;
    const runs = await exploreAll(async (choose) => {
      const given = await givenEndpoint();
      await given.stores.endpointTimers.notePark(given.endpoint, clock.now());
      clock.advance(HOUR_SECONDS);
      const late = given.messageOf();
      await turns.run(choose, given.runProbes, () => given.park(late));
      if (given.queuedIds().length === 0) unseen += 1;
      await expectAllFollow(given, ['evt_1']);
    });
    expect(runs).toBeGreaterThan(10);
    // The drain sees nothing if it reads before the delivery is stored. Its last call has then three places.
    expect(unseen).toBe(3);
  });

  it('two runs put a parked delivery into the queue once', async () => {
    await exploreAll(async (choose) => {
      const given = await givenEndpoint();
      await given.park(given.messageOf());
      await turns.run(choose, given.runProbes, given.runProbes);
      expect(given.queuedIds()).toStrictEqual(['evt_1']);
      expect(await given.stores.timed()).toStrictEqual([]);
    });
  });

  it('a probe that finds the breaker open again while its run ends the timer stays parked', async () => {
    const runs = await exploreAll(async (choose) => {
      const given = await givenEndpoint();
      await given.park(given.messageOf());
      await given.stores.endpoints.setState({ failures: 5, probeAtMs: NOW_MS });
      const parks: Promise<void>[] = [];
      given.receive(([message]) => void (message && parks.push(given.park(message))));
      await turns.run(choose, async () => {
        await given.runProbes();
        await Promise.all(parks);
      });
      expect(parks).toHaveLength(1);
      expect(await given.stores.timed()).toMatchObject([{ eventId: 'evt_1', nextAttempt: 1 }]);
      await given.stores.endpoints.setState({ failures: 0 });
      given.receive(() => undefined);
      await expectAllFollow(given, ['evt_1', 'evt_1']);
    });
    expect(runs).toBeGreaterThan(2);
  });

  it('a retry that fails again while its run ends the timer keeps its next time', async () => {
    const runs = await exploreAll(async (choose) => {
      const { deliveries, stores, messageOf, receive } = await givenEndpoint();
      const message = messageOf();
      const fail = (attempt: number, atMs: number): Promise<void> => {
        const next = { attempt: attempt + 1, atMs, timer: retryTimer(message, atMs) };
        return stores.deliveries.record(message, { status: 'retrying', next }, clock.now());
      };
      await fail(4, clock.now());
      const nextAtMs = clock.now() + 1_000 * HOUR_SECONDS;
      const failures: Promise<void>[] = [];
      receive(() => void failures.push(fail(5, nextAtMs)));
      const { timer } = retryTimer(message, 0);
      const retries = { ...createRetryWork(deliveries), timers: [timer] };
      await turns.run(choose, async () => {
        await runTimers(retries, clock.now, NEVER);
        await Promise.all(failures);
      });
      expect(await stores.timed()).toStrictEqual([
        { eventId: 'evt_1', nextAttempt: 6, timer, timerAtMs: nextAtMs },
      ]);
    });
    expect(runs).toBeGreaterThan(1);
  });
});

describe('a process that ends after any number of calls', () => {
  it('of a run leaves each parked delivery to the run of the next minute', async () => {
    let deaths = 0;
    for (let isDead = true; isDead; deaths += 1) {
      const given = await givenEndpoint();
      const messages = Array.from({ length: 3 }, given.messageOf);
      for (const message of messages) await given.park(message);
      isDead = await turns.runFor(deaths, given.runProbes);
      clock.advance(60);
      await given.runProbes();
      // A delivery is sent again if the process ended before it had the time to end its timer.
      expect(new Set(given.queuedIds())).toStrictEqual(new Set(messages.map(({ eventId }) => eventId)));
      expect(await given.stores.timed()).toStrictEqual([]);
    }
    expect(deaths).toBeGreaterThan(5);
  });

  it('of a parking leaves a delivery that the queue returns', async () => {
    let deaths = 0;
    for (let isDead = true; isDead; deaths += 1) {
      const given = await givenEndpoint();
      const message = given.messageOf();
      let outcome: Awaited<ReturnType<typeof given.tryPark>>;
      isDead = await turns.runFor(deaths, async () => {
        outcome = await given.tryPark(message);
      });
      // The queue returns it.
      if (outcome === 'failed') await given.park(message);
      await expectAllFollow(given, ['evt_1']);
    }
    expect(deaths).toBeGreaterThan(2);
  });
});
