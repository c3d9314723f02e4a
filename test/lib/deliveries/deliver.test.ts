import { Webhook } from 'standardwebhooks';
import { describe, expect, it, vi } from 'vitest';
import { testMessageOf } from '../../../lib/deliveries/queue/queue-message.ts';
import { timerOf } from '../../../lib/timers/timer.ts';
import { NOW_MS } from '../../support/clock.ts';
import { givenDatabase } from '../../support/database/database.ts';
import { logged } from '../../support/logs/log-lines.ts';
import { worldOn } from './support/database-repositories.ts';
import { inMemory } from './support/memory-repositories.ts';
import { ATTEMPT_MS, type World, type WorldOptions } from './support/world.ts';

const database = await givenDatabase();
const onDatabase = (options?: WorldOptions) => worldOn(database, options);

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const FAILURE = { status: 500, response: 'down' };

/** The pauses between the attempts, from the end of one to the start of the next. */
const pausesOf = ({ received }: World): number[] =>
  received.slice(1).map(({ atMs }, index) => atMs - (received[index]?.atMs ?? 0) - ATTEMPT_MS);

/**
 * Expects these pauses. The queue's delays are whole seconds, up to 15 minutes. A longer pause ends with the first run after its
 * time, once a minute.
 */
const expectOnSchedule = (world: World, plannedSeconds: readonly number[]): void => {
  const pauses = pausesOf(world);
  expect(pauses).toHaveLength(plannedSeconds.length);
  for (const [index, seconds] of plannedSeconds.entries()) {
    const lateMs = (pauses[index] ?? 0) - 1_000 * seconds;
    expect(lateMs).toBeGreaterThanOrEqual(-1_000);
    expect(lateMs).toBeLessThanOrEqual(seconds > 900 ? 60_000 : 1_000);
  }
};

describe('a delivery', () => {
  it('that succeeds is sent once, signed, with the very body, and recorded', async () => {
    const world = await onDatabase({ receiver: () => ({ status: 204 }) });
    const message = world.givenMessage();
    expect(await world.deliver([message])).toStrictEqual(['succeeded']);

    const [request] = world.received;
    expect(request).toMatchObject({ eventId: message.eventId, body: world.bodyOf(message) });
    vi.useFakeTimers({ now: NOW_MS, toFake: ['Date'] });
    expect(new Webhook(world.secret).verify(world.bodyOf(message), request?.headers ?? {})).toBeTruthy();
    vi.useRealTimers();
    expect(await world.records()).toStrictEqual([
      {
        endpointId: world.endpoint.endpointId,
        id: `${new Date(message.recordedAtMs).toISOString()}#${message.eventId}`,
        eventId: message.eventId,
        type: 'cart.completed',
        recordedAtMs: message.recordedAtMs,
        sequence: message.sequence,
        status: 'succeeded',
        attempts: [{ attempt: 1, atMs: NOW_MS, status: 204, ms: ATTEMPT_MS }],
        nextAttemptAtMs: undefined,
        reason: undefined,
      },
    ]);
    expect(await world.state()).toMatchObject({ failures: 0, lastSuccessAtMs: NOW_MS + ATTEMPT_MS });
    expect(world.waiting()).toStrictEqual([]);
  });

  it('that fails is retried by the schedule, with the same id and a new timestamp, until it succeeds', async () => {
    const world = await onDatabase();
    world.respond(() => (world.received.length < 4 ? FAILURE : { status: 200 }));
    world.enqueue(world.givenMessages(1));
    await world.run();
    expectOnSchedule(world, [5, 5 * 60, 30 * 60]);
    expect(new Set(world.received.map(({ eventId }) => eventId)).size).toBe(1);
    expect(world.received.map(({ headers }) => headers['webhook-timestamp'])).toStrictEqual(
      world.received.map(({ atMs }) => String(Math.floor(atMs / 1_000))),
    );
    expect(await world.state()).toMatchObject({ failures: 0 });
    const [record] = await world.records();
    expect(record).toMatchObject({ status: 'succeeded' });
    expect(
      record?.attempts.map(({ attempt, status, response }) => [attempt, status, response]),
    ).toStrictEqual([
      [1, 500, 'down'],
      [2, 500, 'down'],
      [3, 500, 'down'],
      [4, 200, undefined],
    ]);
    expect(record?.nextAttemptAtMs).toBeUndefined();
  });

  it('shows while it waits when its next attempt is due', async () => {
    const world = await inMemory({ receiver: () => ({ error: 'timeout' }) });
    await world.deliver(world.givenMessages(1));
    const [record] = await world.records();
    expect(record).toMatchObject({
      status: 'retrying',
      nextAttemptAtMs: NOW_MS + ATTEMPT_MS + 5_000,
      attempts: [{ error: 'timeout' }],
    });
  });

  it('that always fails is given up after ten attempts on schedule, with its random part', async () => {
    const world = await inMemory({ receiver: () => FAILURE, random: () => 0 });
    world.enqueue(world.givenMessages(1));
    await world.run();
    const planned = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];
    expectOnSchedule(
      world,
      planned.map((seconds) => seconds * 0.9),
    );
    const [record] = await world.records();
    expect(record).toMatchObject({ status: 'failed' });
    expect(record?.attempts).toHaveLength(10);
    expect(await world.stores.timed()).toStrictEqual([]);
  });

  it('has one log line, with neither address, secret, body nor response', async () => {
    const world = await inMemory({ receiver: () => FAILURE });
    const message = world.givenMessage();
    const lines = await logged(() => world.deliver([message]));
    expect(lines).toStrictEqual([
      expect.objectContaining({
        message: 'delivery',
        endpointId: world.endpoint.endpointId,
        eventId: message.eventId,
        attempt: 1,
        outcome: 'retrying',
        status: 500,
        ms: ATTEMPT_MS,
        mode: 'test',
        DeliveryAttemptsFailed: 1,
      }),
    ]);
    const text = JSON.stringify(lines);
    for (const secret of ['shop.example', world.secret, world.bodyOf(message), 'down'])
      expect(text).not.toContain(secret);
  });

  it('that is parked without a request counts no failed attempt', async () => {
    const world = await inMemory({ receiver: () => FAILURE });
    await world.stores.endpoints.setState({ failures: 5, probeAtMs: NOW_MS + 1 });
    const [line] = await logged(() => world.deliver([world.givenMessage()]));
    expect(line).toMatchObject({ message: 'delivery', outcome: 'waiting' });
    expect(line).not.toHaveProperty('DeliveryAttemptsFailed');
  });

  it.each([
    ['waits for a retry', 'retrying'],
    ['is parked', 'waiting'],
  ] as const)('that %s is sent without the data that was erased since', async (_, status) => {
    const world = await inMemory({ receiver: () => FAILURE });
    const message = world.givenMessage();
    if (status === 'waiting') await world.stores.endpoints.setState({ failures: 5, probeAtMs: NOW_MS + 1 });
    world.enqueue([message]);
    // The third attempt, or the first one.
    await world.run(NOW_MS + (status === 'waiting' ? 1 : 20 * 60_000));
    expect(await world.records()).toMatchObject([{ status }]);
    const waiting = status === 'waiting' ? await world.parked() : await world.stores.timed();
    expect(waiting).toMatchObject([{ eventId: message.eventId }]);

    const erased = JSON.stringify({ id: message.eventId, erased: true });
    world.changeEvent(message, erased);
    world.respond(() => ({ status: 200 }));
    await world.run();

    expect(world.received.at(-1)?.body).toBe(erased);
    expect(await world.records()).toMatchObject([{ status: 'succeeded' }]);
  });

  it.each([
    ['is not kept any more', undefined],
    ['has the number of another one since a restore', 'other'],
  ] as const)('whose event %s is dropped, without a request', async (_, other) => {
    const world = await inMemory({ receiver: () => FAILURE });
    const message = world.givenMessage();
    await world.stores.endpoints.setState({ failures: 5, probeAtMs: NOW_MS + 1 });
    await world.deliver([message]);
    if (other === undefined) world.changeEvent(message, undefined);
    else world.replaceEvent(message);
    await world.run();
    expect(world.received).toStrictEqual([]);
    expect(await world.stores.timed()).toStrictEqual([]);
    expect(world.waiting()).toStrictEqual([]);
  });

  it('of an endpoint that lost its secret fails, so that the queue keeps it', async () => {
    const world = await inMemory();
    world.removeSecret();
    await expect(world.deliver(world.givenMessages(1))).rejects.toThrow('no signing secret');
    expect(await world.state()).toMatchObject({ lease0UntilMs: undefined });
    expect(world.received).toStrictEqual([]);
    expect(await world.records()).toStrictEqual([]);
  });
});

describe('an endpoint', () => {
  it('that returns 410 is disabled at once and reported; waiting deliveries are dropped, with records', async () => {
    const world = await onDatabase({ receiver: () => ({ status: 410 }) });
    const lines = await logged(async () => {
      expect(await world.deliver(world.givenMessages(3))).toStrictEqual(['dropped', 'dropped', 'dropped']);
    });
    expect(world.received).toHaveLength(1);
    const { endpointId, url, createdAtMs } = world.endpoint;
    const disabledAt = new Date(NOW_MS + ATTEMPT_MS).toISOString();
    expect(await world.reported()).toStrictEqual([
      {
        id: expect.stringMatching(/^evt_[0-9a-f]{32}$/),
        type: 'webhook_endpoint.disabled',
        timestamp: disabledAt,
        data: {
          id: endpointId,
          url,
          enabled: false,
          disabledAt,
          disabledReason: 'gone',
          createdAt: new Date(createdAtMs).toISOString(),
        },
      },
    ]);
    expect(await world.disabled()).toStrictEqual({
      atMs: NOW_MS + ATTEMPT_MS,
      reason: 'gone',
    });
    const records = await world.records();
    expect(records.map(({ status, reason, attempts }) => [status, reason, attempts.length])).toStrictEqual([
      ['dropped', 'disabled', 0],
      ['dropped', 'disabled', 0],
      ['dropped', 'disabled', 1],
    ]);
    expect(lines.filter((line) => line['EndpointsDisabled'] === 1)).toHaveLength(1);
    await world.run();
    expect(world.received).toHaveLength(1);
  });

  it('with nothing but failures for five days is disabled, and its parked deliveries are dropped', async () => {
    const world = await inMemory({ receiver: () => FAILURE });
    for (let day = 0; day < 5; day += 1) {
      world.enqueue(world.givenMessages(8));
      await world.run(NOW_MS + (day + 1) * DAY_MS);
    }
    expect(await world.disabled()).toBeUndefined();
    world.enqueue(world.givenMessages(8));
    await world.run();
    const { reason, atMs = 0 } = (await world.disabled()) ?? {};
    expect(reason).toBe('failing');
    expect(atMs).toBeGreaterThanOrEqual(NOW_MS + 5 * DAY_MS);
    expect(atMs).toBeLessThanOrEqual(NOW_MS + 5 * DAY_MS + HOUR_MS);
    expect(await world.reported()).toHaveLength(1);
    expect(await world.parked()).toStrictEqual([]);
    const statuses = (await world.records()).map(({ status }) => status);
    expect(new Set(statuses)).toStrictEqual(new Set(['failed', 'dropped']));
  });
});

describe('the breaker', () => {
  it('opens after five failures in a row: the other deliveries wait without an attempt or a lease', async () => {
    const world = await onDatabase({ receiver: () => FAILURE });
    const batch = world.givenMessages(10);
    const takes = vi.spyOn(world.stores.leases, 'take');
    expect(await world.deliver(batch)).toStrictEqual(
      batch.map((_, index) => (index < 5 ? 'retrying' : 'waiting')),
    );
    expect(world.received).toHaveLength(5);
    // Five for the attempts, and one that finds the breaker open for the rest of the batch.
    expect(takes).toHaveBeenCalledTimes(6);
    expect(await world.parked()).toStrictEqual(batch.slice(5));
    const records = await world.records();
    expect(records.map(({ status, attempts }) => [status, attempts.length])).toStrictEqual([
      ...Array.from({ length: 5 }, () => ['waiting', 0]),
      ...Array.from({ length: 5 }, () => ['retrying', 1]),
    ]);
    expect(await world.stores.endpointTimer()).toStrictEqual(
      timerOf('test-probe', world.endpoint.endpointId, world.clock.now()),
    );
  });
});

describe('a ping', () => {
  it('has one attempt, and does not wait for the breaker, as a delivery before it in its batch does', async () => {
    const world = await inMemory({ receiver: () => FAILURE });
    await world.deliver(world.givenMessages(5));
    const event = world.givenMessage();
    const ping = testMessageOf(world.endpoint, world.clock.now());
    expect(await world.deliver([event, ping])).toStrictEqual(['waiting', 'failed']);
    expect(world.received.at(-1)).toMatchObject({ eventId: ping.eventId });
    expect(JSON.parse(world.received.at(-1)?.body ?? '')).toStrictEqual({
      id: ping.eventId,
      type: 'webhook.ping',
      timestamp: new Date(ping.recordedAtMs).toISOString(),
      data: {},
      test: true,
    });
    const record = (await world.records()).find(({ eventId }) => eventId === ping.eventId);
    expect(record).toMatchObject({ type: 'webhook.ping', status: 'failed' });
    expect(await world.parked()).toMatchObject([{ eventId: event.eventId }]);
  });
});
