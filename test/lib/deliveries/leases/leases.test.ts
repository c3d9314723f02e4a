import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { createDocumentClient } from '../../../../lib/aws/clients.ts';
import { createLeases, type Lease } from '../../../../lib/deliveries/leases/leases.ts';
import { manualClock, NOW_MS } from '../../../support/clock.ts';
import { aroundCalls, mockDocuments } from '../../../support/database/client-calls.ts';
import { givenDatabase } from '../../../support/database/database.ts';
import { endpointChangesOf } from '../../../support/domain/endpoints.ts';
import { failedAt, givenLeasedEndpoint, givenOpenEndpoint, succeeded } from '../support/leased-endpoint.ts';

const database = await givenDatabase();
const endpointChanges = endpointChangesOf(database);
const givenEndpoint = () => givenLeasedEndpoint(database);
const givenOpen = () => givenOpenEndpoint(database);

describe('the leases of an endpoint', () => {
  it('are two at a time after a quick success, and show the endpoint', async () => {
    const { leased, rejected, succeed, endpoint } = await givenEndpoint();
    await succeed();
    expect(await leased()).toMatchObject({ slot: 0, endpoint: { ...endpoint, state: { failures: 0 } } });
    expect(await leased()).toMatchObject({ slot: 1 });
    expect(await rejected()).toBe('waiting');
    expect(await rejected({ purpose: 'test' })).toBe('waiting');
  });

  it.each([
    ['before the first attempt', undefined],
    ['after a slow success', succeeded(NOW_MS, false)],
    ['after a failure', failedAt(NOW_MS)],
  ])('are one at a time %s', async (_, change) => {
    const { leases, leased, rejected, succeed } = await givenEndpoint();
    if (change) {
      await succeed();
      await leases.release(await leased(), change);
    }
    await leased();
    expect(await rejected()).toBe('waiting');
    expect(await rejected({ slots: [1] })).toBe('waiting');
  });

  it('are one at a time while the attempt of slot 0 takes more than a second', async () => {
    const { leased, rejected, leases, clock, succeed } = await givenEndpoint();
    await succeed();
    const first = await leased();
    clock.advance(1);
    await leases.free(await leased());
    clock.advance(0.001);
    expect(await rejected()).toBe('waiting');
    expect(await rejected({ slots: [1] })).toBe('waiting');
    await leases.free(first);
    await leased({ slots: [1] });
    clock.advance(10);
    expect(await leased()).toMatchObject({ slot: 0 });
  });

  it('are two at a time with twenty takers at once', async () => {
    const { take, succeed } = await givenEndpoint();
    await succeed();
    const results = await Promise.all(Array.from({ length: 20 }, () => take()));
    const slots = results.flatMap((taken) => ('outcome' in taken ? [] : taken.slot));
    expect(new Set(slots)).toStrictEqual(new Set([0, 1]));
    expect(slots).toHaveLength(2);
    expect(results.filter((taken) => 'outcome' in taken && taken.outcome === 'waiting')).toHaveLength(18);
  });

  it('are asked for by one call if its response shows that the other slot cannot be granted', async () => {
    const { leased, endpoint, clock } = await givenEndpoint();
    const documents = database.newClient();
    const leases = createLeases(documents, database.tableNames.webhookEndpoints, clock.now);
    await leased();
    let calls = 0;
    aroundCalls(documents, ({ input }, next) => {
      calls += 1;
      return next(input);
    });
    expect(await leases.take(endpoint)).toMatchObject({ outcome: 'waiting' });
    expect(calls).toBe(1);
  });

  it('are only of the slots that the taker names', async () => {
    const { leased, rejected, succeed } = await givenEndpoint();
    await succeed();
    expect(await leased({ slots: [1] })).toMatchObject({ slot: 1 });
    expect(await rejected({ slots: [1] })).toBe('waiting');
    expect(await leased({ slots: [0] })).toMatchObject({ slot: 0 });
    expect(await rejected({ slots: [0] })).toBe('waiting');
  });

  it('end when they are released or freed, or after 15 s', async () => {
    const { leased, rejected, leases, clock, succeed } = await givenEndpoint();
    await succeed();
    const [first, second] = [await leased(), await leased()];
    await leases.release(first, succeeded(NOW_MS));
    await leases.free(second);
    await Promise.all([leased({ slots: [0] }), leased({ slots: [1] })]);
    clock.advance(14.999);
    expect(await rejected()).toBe('waiting');
    clock.advance(0.001);
    await leased();
    await leased();
    expect(await rejected()).toBe('waiting');
  });

  it('that have expired cannot free or release the slot of another holder, and their result still counts', async () => {
    const { leased, rejected, leases, clock, state } = await givenEndpoint();
    const late = await leased();
    clock.advance(15);
    await leased();
    await leases.free(late);
    await leases.freeDrained(late);
    expect(await rejected()).toBe('waiting');
    expect(await leases.release(late, failedAt(NOW_MS))).toMatchObject({ isStored: true });
    expect(await rejected()).toBe('waiting');
    expect(await state()).toMatchObject({ failures: 1 });
  });

  it('that have expired show the endpoint that their result disables, so that the caller reports it', async () => {
    const { leased, leases, clock } = await givenEndpoint();
    const late = await leased();
    clock.advance(15);
    await leased();
    const disabled = { atMs: NOW_MS, reason: 'gone', isUnreported: true } as const;
    const change = { outcome: 'failed', atMs: NOW_MS, probeAtMs: NOW_MS, disabled } as const;
    expect(await leases.release(late, change)).toMatchObject({ isStored: true, endpoint: { disabled } });
  });

  it('that have expired change nothing if other writers then always come first', async () => {
    const { clock, leased, state } = await givenEndpoint();
    const documents = database.newClient();
    const leases = createLeases(documents, database.tableNames.webhookEndpoints, clock.now);
    const late = await leased();
    clock.advance(15);
    await leased();
    let calls = 0;
    aroundCalls(documents, ({ input }, next) => {
      calls += 1;
      const conflict = Object.assign(new Error('conflict'), { name: 'TransactionConflictException' });
      return calls > 1 ? Promise.reject(conflict) : next(input);
    });
    expect(await leases.release(late, failedAt(NOW_MS))).toStrictEqual({
      isStored: false,
      endpoint: undefined,
    });
    expect(await state()).toMatchObject({ failures: 0 });
  });

  it('count a result once, if a release is repeated because its response was lost', async () => {
    const { leased, leases, state } = await givenEndpoint();
    const lease = await leased();
    await leases.release(lease, failedAt(NOW_MS));
    expect(await leases.release(lease, failedAt(NOW_MS))).toMatchObject({ isStored: true });
    expect(await state()).toMatchObject({ failures: 1 });
  });

  it('are released although a rotation of the secret writes the endpoint at the same time', async () => {
    const { endpoint, clock, state } = await givenEndpoint();
    const documents = database.newClient();
    const leases = createLeases(documents, database.tableNames.webhookEndpoints, clock.now);
    const first = (await leases.take(endpoint)) as Lease;
    let conflicts = 2;
    aroundCalls(documents, ({ input }, next) => {
      conflicts -= 1;
      const conflict = Object.assign(new Error('conflict'), { name: 'TransactionConflictException' });
      return conflicts >= 0 ? Promise.reject(conflict) : next(input);
    });
    await leases.release(first, failedAt(NOW_MS));
    expect(await state()).toMatchObject({ failures: 1 });
    expect(await leases.take(endpoint)).toMatchObject({ slot: 0 });
  });

  it('change nothing if other writers always come first: a result that is not stored does not count', async () => {
    const { endpoint, clock, state } = await givenEndpoint();
    const documents = database.newClient();
    const leases = createLeases(documents, database.tableNames.webhookEndpoints, clock.now);
    const lease = (await leases.take(endpoint)) as Lease;
    const conflict = Object.assign(new Error('conflict'), { name: 'TransactionConflictException' });
    aroundCalls(documents, () => Promise.reject(conflict));
    expect(await leases.release(lease, failedAt(NOW_MS))).toStrictEqual({ isStored: false });
    expect(await state()).toMatchObject({ failures: 0 });
  });

  it('of a removed endpoint are not granted, and a release only frees the slot', async () => {
    const { leased, rejected, leases, endpoint, endpoints } = await givenEndpoint();
    const lease = await leased();
    await endpointChanges.remove(endpoint);
    expect(await endpoints.sweep(endpoint, NOW_MS)).toHaveLength(1);
    expect(await leases.release(lease, succeeded(NOW_MS))).toStrictEqual({
      isStored: false,
      endpoint: undefined,
    });
    expect(await rejected()).toBe('unknown');
    expect(await endpoints.find(endpoint)).toBeUndefined();
    expect(await endpoints.sweep(endpoint, NOW_MS)).toStrictEqual([]);
  });

  it.each([
    [
      'while DynamoDB throttles the endpoint for its many messages',
      {
        name: 'ThrottlingException',
        throttlingReasons: [{ reason: 'TableWriteKeyRangeThroughputExceeded' }],
      },
    ],
    ['while a rotation of its secret writes the endpoint', { name: 'TransactionConflictException' }],
  ])('are not granted %s, and the endpoint is then unknown', async (_, fields) => {
    const documents = createDocumentClient({ endpoint: 'http://127.0.0.1:1', region: 'local' });
    const rejection = Object.assign(new Error('rejected'), fields);
    mockDocuments(documents).on(UpdateCommand).rejectsOnce(rejection).rejects(new Error('down'));
    const leases = createLeases(documents, 'endpoints', manualClock().now);
    const { endpoint } = await givenEndpoint();
    expect(await leases.take(endpoint)).toStrictEqual({ outcome: 'contended' });
    await expect(leases.take(endpoint)).rejects.toThrow('down');
  });
});

describe('the state of an endpoint', () => {
  it('counts failures in a row, since the first of them, and a success ends them', async () => {
    const { fail, clock, state, leases, leased } = await givenEndpoint();
    await fail();
    clock.advance(60);
    await fail();
    expect(await state()).toMatchObject({
      failures: 2,
      failingSinceMs: NOW_MS,
      probeAtMs: NOW_MS + 120_000,
      lastSuccessAtMs: undefined,
    });
    await leases.release(await leased(), succeeded(clock.now()));
    expect(await state()).toMatchObject({
      failures: 0,
      failingSinceMs: undefined,
      probeAtMs: undefined,
      lastSuccessAtMs: clock.now(),
    });
  });

  it('with five failures opens the breaker: after the time of the probe, one lease at a time', async () => {
    const { fail, rejected, leased, clock } = await givenEndpoint();
    for (let failures = 0; failures < 4; failures += 1) await fail();
    await leased();
    clock.advance(15);
    await fail();
    expect(await rejected()).toBe('waiting');
    clock.advance(59.999);
    expect(await rejected()).toBe('waiting');
    clock.advance(0.001);
    expect(await leased()).toMatchObject({ slot: 0 });
    expect(await rejected()).toBe('waiting');
    expect(await rejected({ slots: [1] })).toBe('waiting');
  });

  it('with an open breaker lets a test event through at any time, if no other probe is in flight', async () => {
    const { leased, rejected, fail } = await givenOpen();
    await fail();
    expect(await rejected()).toBe('waiting');
    expect(await leased({ purpose: 'test' })).toMatchObject({ slot: 0 });
    expect(await rejected({ purpose: 'test' })).toBe('waiting');
  });

  it('that is disabled grants no lease, and keeps its first reason and its mark', async () => {
    const { fail, take, endpoint, endpoints, leased, leases, succeed } = await givenEndpoint();
    await succeed();
    const late = await leased({ slots: [1] });
    const disabled = { atMs: NOW_MS, reason: 'gone', isUnreported: true } as const;
    await fail({ disabled });
    const later = { atMs: NOW_MS + 1, reason: 'failing', isUnreported: true } as const;
    await leases.release(late, { outcome: 'failed', atMs: NOW_MS, probeAtMs: NOW_MS, disabled: later });
    expect((await endpoints.find(endpoint))?.disabled).toStrictEqual(disabled);
    for (const purpose of ['delivery', 'test'] as const)
      expect(await take({ purpose })).toMatchObject({ outcome: 'dropped', endpoint: { disabled } });
  });
});

describe('a drain that finds no parked delivery', () => {
  it('frees its slot, and says whether a delivery was parked meanwhile', async () => {
    const { leased, leases, timers, endpoint, state } = await givenEndpoint();
    await timers.notePark(endpoint, NOW_MS);
    const early = await leased();
    await timers.notePark(endpoint, NOW_MS);
    expect(await leases.freeDrained(early)).toBe(false);
    expect(await state()).toMatchObject({ parks: 2, drainedParks: 1, lease0UntilMs: undefined });
    for (const attempt of [1, 2]) {
      expect(await leases.freeDrained(await leased()), `${attempt}`).toBe(true);
      expect(await state()).toMatchObject({ parks: 2, drainedParks: 2, lease0UntilMs: undefined });
    }
  });
});
