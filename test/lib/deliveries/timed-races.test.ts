import { describe, expect, it } from 'vitest';
import type { MessageResult } from '../../../lib/deliveries/deliver-batch.ts';
import { isDrainRequest } from '../../../lib/deliveries/queue/queue-message.ts';
import type { AttemptResult } from '../../../lib/deliveries/records/attempt.ts';
import { deliveryId } from '../../../lib/deliveries/records/delivery.ts';
import { retryTimer } from '../../../lib/deliveries/retries/delivery-timers.ts';
import { createRetryJob } from '../../../lib/deliveries/retries/retry-job.ts';
import { createEndpointRepository } from '../../../lib/endpoints/endpoint-repository.ts';
import { eraseResponses } from '../../../lib/operators/erasures/erase-responses.ts';
import { runJob } from '../../../lib/timers/run-job.ts';
import { manualClock } from '../../support/clock.ts';
import { givenDatabase } from '../../support/database/database.ts';
import { endpointChangesOf } from '../../support/domain/endpoints.ts';
import { NEVER } from '../../support/signals.ts';
import { createTurns, exploreAll } from './support/interleavings.ts';
import { givenRacingEndpoint, type RacingEndpoint } from './support/racing-endpoint.ts';

const database = await givenDatabase(['events', 'webhookEndpoints', 'secrets', 'deliveries']);
const clock = manualClock();
// Each call takes a millisecond.
const turns = createTurns(database.documents, () => clock.advance(0.001));
const endpointChanges = endpointChangesOf(database, clock.now);

const HOUR_SECONDS = 3_600;
const givenEndpoint = (results: readonly Partial<AttemptResult>[] = []) =>
  givenRacingEndpoint(database, { turns, clock, results });

/** Expects that each of these deliveries was sent, and that none waits. */
const expectSent = async (given: RacingEndpoint, ids: readonly string[]): Promise<void> => {
  await given.handleDrains();
  expect(new Set(given.sentIds())).toStrictEqual(new Set(ids));
  expect(await given.stores.parked()).toStrictEqual([]);
};

describe('in each order of their calls,', () => {
  it('a delivery that is parked while the slot is released is sent, once and without a run', async () => {
    const runs = await exploreAll(async (choose) => {
      const given = await givenEndpoint();
      const [first, second] = [given.messageOf(), given.messageOf()];
      const outcomes: MessageResult[] = [];
      await turns.run(
        choose,
        async () => void outcomes.push(await given.handle(first)),
        async () => void outcomes.push(await given.handle(second)),
      );
      await expectSent(given, ['evt_1', 'evt_2']);
      expect(given.sentIds()).toHaveLength(2);
      expect(await given.statuses()).toStrictEqual(['succeeded', 'succeeded']);
    });
    expect(runs).toBeGreaterThan(5);
  });

  it.each([1, 2])('two drains send each of %i parked deliveries once', async (count) => {
    await exploreAll(async (choose) => {
      const given = await givenEndpoint();
      // A drain of a quick endpoint sends two at the same time.
      if (count === 2) await given.stores.endpoints.setState({ failures: 0, isQuick: true });
      const ids = (await given.park(count)).map(({ eventId }) => eventId);
      await turns.run(choose, given.drain, given.drain);
      await expectSent(given, ids);
      expect(given.sentIds()).toHaveLength(count);
    });
  });

  it('a delivery that is parked while a drain ends is sent without a run', async () => {
    await exploreAll(async (choose) => {
      const given = await givenEndpoint();
      const late = given.messageOf();
      const held = await given.stores.leases.take(given.endpoint, { slots: [0] });
      if ('outcome' in held) throw new Error('No lease');
      await turns.run(
        choose,
        // A drain that has found no delivery.
        async () => {
          await given.stores.leases.freeDrained(held);
          await given.drain();
        },
        () => given.handle(late),
      );
      await expectSent(given, ['evt_1']);
    });
  });

  it('a drain during a failure that opens the breaker loses no delivery, and sends none twice', async () => {
    await exploreAll(async (choose) => {
      const given = await givenEndpoint([{ status: 500 }, { status: 500 }]);
      await given.park(1);
      await given.stores.endpoints.setState({ failures: 4 });
      const message = given.messageOf();
      await turns.run(choose, given.drain, () => given.handle(message));
      await given.handleDrains();
      // The failed one is in the queue, the other one is parked.
      expect(given.sentIds()).toHaveLength(1);
      const inQueue = given.queued.map((each) => (isDrainRequest(each) ? '' : each.eventId));
      const parked = (await given.stores.parked()).map(({ eventId }) => eventId);
      expect([...inQueue, ...parked].toSorted()).toStrictEqual(['evt_1', 'evt_2']);
      clock.advance(60);
      await given.runProbes();
      expect(given.queued.filter(isDrainRequest)).toHaveLength(1);
    });
  });

  it.each([
    ['a success', { status: 200 }, 'https://shop.example/old "succeeded" 0'],
    ['a failure', { status: 500 }, 'https://shop.example/old "retrying" 0'],
    ['a 410', { status: 410 }, 'https://shop.example/old "retrying" 0'],
  ])('%s of the old address leaves the new one as it is', async (_, result, unaffected) => {
    const outcomes = new Set<string>();
    await exploreAll(async (choose) => {
      const given = await givenEndpoint([result]);
      const message = given.messageOf();
      const handled: MessageResult[] = [];
      await turns.run(
        choose,
        async () => void handled.push(await given.handle(message)),
        () => endpointChanges.update(given.endpoint, { url: 'https://shop.example/new' }),
      );
      const found = await given.stores.endpoints.find(given.endpoint);
      const [outcome] = handled;
      outcomes.add(`${given.sent[0]?.url} ${JSON.stringify(outcome)} ${found?.state.failures}`);
      // The log gets an event only if the endpoint is disabled. A delivery of an enabled endpoint is never dropped.
      expect(await given.stores.reported()).toHaveLength(found?.disabled ? 1 : 0);
      expect(outcome === 'dropped').toBe(found?.disabled !== undefined);
      expect(found?.state.lease0UntilMs).toBeUndefined();
    });
    expect(outcomes).toContain(unaffected);
  });

  it('a new address during an attempt leaves no parked delivery to a run', async () => {
    await exploreAll(async (choose) => {
      const given = await givenEndpoint();
      await given.park(1);
      const message = given.messageOf();
      await turns.run(
        choose,
        () => given.handle(message),
        () => endpointChanges.update(given.endpoint, { url: 'https://shop.example/new' }),
      );
      await expectSent(given, ['evt_1', 'evt_2']);
    });
  });

  it('an attempt to an endpoint that is removed does not bring it back, and holds no slot afterwards', async () => {
    await exploreAll(async (choose) => {
      const given = await givenEndpoint();
      const { endpoint } = given;
      const message = given.messageOf();
      await turns.run(
        choose,
        () => given.handle(message),
        () => endpointChanges.remove(endpoint),
      );
      expect(await given.stores.endpoints.find(endpoint)).toBeUndefined();
      const { webhookEndpoints } = database.tableNames;
      const endpoints = createEndpointRepository(database.documents, webhookEndpoints);
      expect(await endpoints.sweep(endpoint, clock.now())).toStrictEqual([]);
      expect(await given.stores.endpointTimer()).toBeUndefined();
    });
  });

  it('an erasure while a parked delivery is sent leaves no text of its response', async () => {
    await exploreAll(async (choose) => {
      const given = await givenEndpoint([{ response: 'Ada Lovelace' }]);
      const [message] = await given.park(1);
      const key = { endpointId: given.endpoint.endpointId, id: deliveryId(message!) };
      await turns.run(choose, given.drain, () =>
        eraseResponses(database.documents, database.tableNames.deliveries, [key], clock.now()),
      );
      const [record] = await given.stores.deliveries.listOf(key.endpointId);
      expect(record).toMatchObject({ status: 'succeeded' });
      expect(record?.attempts.map(({ response }) => response)).toStrictEqual([undefined]);
      expect(await given.stores.parked()).toStrictEqual([]);
    });
  });

  it('a retry that fails again while its run ends the timer keeps its next time', async () => {
    const runs = await exploreAll(async (choose) => {
      const { stores, messageOf } = await givenEndpoint();
      const message = messageOf();
      const fail = (attempt: number, atMs: number): Promise<void> => {
        const next = { attempt: attempt + 1, atMs, timer: retryTimer(message, atMs) };
        return stores.deliveries.record(message, { status: 'retrying', next }, clock.now());
      };
      await fail(4, clock.now());
      const nextAtMs = clock.now() + 1_000 * HOUR_SECONDS;
      const failures: Promise<void>[] = [];
      const queue = { send: async () => void failures.push(fail(5, nextAtMs)) };
      const { timer } = retryTimer(message, 0);
      const retries = {
        ...createRetryJob('test', { deliveryTimers: stores.deliveryTimers, queue, now: clock.now }),
        shards: [timer],
      };
      await turns.run(choose, async () => {
        await runJob(retries, clock.now, NEVER);
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
  it.each([
    ['succeeds', { attempt: 1, results: [] }],
    ['fails, and is next attempted by the queue', { attempt: 1, results: [{ status: 500 }] }],
    ['fails, and is next attempted by its timer', { attempt: 3, results: [{ status: 500 }] }],
  ])('of a drain whose first delivery %s loses none', async (_, { attempt, results }) => {
    let deaths = 0;
    for (let isDead = true; isDead; deaths += 1) {
      const given = await givenEndpoint(results);
      const messages = await given.park(2, attempt);
      isDead = await turns.runFor(deaths, given.drain);
      clock.advance(60);
      await given.runProbes();
      // A delivery is sent again if the process ended before it had stored the result.
      await given.handleAll();
      clock.advance(HOUR_SECONDS);
      await given.runRetries(messages[0]!);
      await given.handleAll();
      expect(await given.statuses()).toStrictEqual(messages.map(() => 'succeeded'));
      expect(await given.stores.parked()).toStrictEqual([]);
    }
    expect(deaths).toBeGreaterThan(5);
  });

  it('of a parking leaves a delivery that the queue returns', async () => {
    let deaths = 0;
    for (let isDead = true; isDead; deaths += 1) {
      const given = await givenEndpoint();
      const message = given.messageOf();
      await given.stores.leases.take(given.endpoint);
      let outcome: MessageResult = 'contended';
      isDead = await turns.runFor(deaths, async () => {
        outcome = await given.handle(message);
      });
      clock.advance(15);
      // The queue returns it.
      if (typeof outcome === 'object') await given.handle(message);
      clock.advance(60);
      await given.runProbes();
      await expectSent(given, ['evt_1']);
    }
    expect(deaths).toBeGreaterThan(2);
  });
});
